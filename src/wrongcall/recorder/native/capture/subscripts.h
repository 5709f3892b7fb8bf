/* Statements that store or delete a subscript. */
#ifndef WRONGCALL_SUBSCRIPTS_H
#define WRONGCALL_SUBSCRIPTS_H

#include "base/compat.h"
#include "emit/event.h"

void written_subscript(PyObject *o, PyObject *key, PyObject *value, Py_ssize_t was, Where at);

#endif
