/* Names that `lazy import` binds. */
#ifndef WRONGCALL_LAZY_IMPORTS_H
#define WRONGCALL_LAZY_IMPORTS_H

#include "base/compat.h"

int lazy_imports_setup(PyObject *module);
/* An import bound a global name to this: if the module is not loaded yet, the namespace is watched. */
void lazy_import_bound(PyObject *globals, PyObject *value);

#endif
