/* Instrumenting runs in a thread of its own. */
#ifndef WRONGCALL_OWN_THREAD_H
#define WRONGCALL_OWN_THREAD_H

#include "base/compat.h"

int apart_setup(void);
PyObject *apart(PyObject *module, PyObject *const *args, Py_ssize_t n);
PyObject *quiet_compile(PyObject *module, PyObject *const *args, Py_ssize_t n);
PyObject *real_path(PyObject *module, PyObject *path);

#endif
