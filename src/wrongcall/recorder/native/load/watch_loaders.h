/* Import: what loaders compile. */
#ifndef WRONGCALL_WATCH_LOADERS_H
#define WRONGCALL_WATCH_LOADERS_H

#include "base/compat.h"

PyObject *intercept(PyObject *module, PyObject *const *args, Py_ssize_t n);

#endif
