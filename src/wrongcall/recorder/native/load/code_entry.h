/* Reading and packing entries of the cache of instrumented code. */
#ifndef WRONGCALL_CODE_ENTRY_H
#define WRONGCALL_CODE_ENTRY_H

#include "base/compat.h"

PyObject *private_file(PyObject *module, PyObject *path);
PyObject *write_marshal(PyObject *module, PyObject *value);
PyObject *read_marshal(PyObject *module, PyObject *data);

#endif
