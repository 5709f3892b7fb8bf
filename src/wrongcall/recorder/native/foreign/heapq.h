/* What the functions of heapq moved. */
#ifndef WRONGCALL_HEAPQ_H
#define WRONGCALL_HEAPQ_H

#include "base/compat.h"
#include "emit/event.h"
#include <stdbool.h>

bool heapq_moved(PyObject *callee, PyObject *const *args, Py_ssize_t count, Where at); /* false: compare */

#endif
