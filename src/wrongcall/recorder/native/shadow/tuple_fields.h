/* The names of the items of named tuples. */
#ifndef WRONGCALL_TUPLE_FIELDS_H
#define WRONGCALL_TUPLE_FIELDS_H

#include "base/compat.h"
#include <stdbool.h>

PyObject *tuple_fields(PyTypeObject *type);                /* names of the items: new reference or NULL */
bool is_tuple_item(PyTypeObject *type, Py_ssize_t offset); /* a member that is an item by its name */

#endif
