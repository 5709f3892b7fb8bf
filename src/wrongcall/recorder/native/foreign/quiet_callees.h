/* C functions and methods after which nothing has to be compared. */
#ifndef WRONGCALL_QUIET_CALLEES_H
#define WRONGCALL_QUIET_CALLEES_H

#include "base/compat.h"
#include <stdbool.h>

bool callee_is_pure(PyObject *callee); /* a C function that is known to change none of its arguments */
bool type_is_quiet(PyTypeObject *t);   /* its methods report their changes, or make none */

#endif
