/* What is the program's own: its modules and classes. */
#ifndef WRONGCALL_PROGRAM_H
#define WRONGCALL_PROGRAM_H

#include "base/compat.h"
#include <stdbool.h>

void program_module(PyObject *globals); /* its names and classes are the program's */
PyObject *namespace_of(PyObject *o);    /* class or module: its dict, new reference or NULL */
bool is_namespace_layout(int layout);
bool is_class_data(PyObject *name, PyObject *value); /* no method, nothing special */
int origin_of(PyTypeObject *type);                   /* ORIGIN_...: whose class it is */
bool is_program_type(PyTypeObject *type);
bool is_library_instance(PyObject *o); /* of a class of Python that is not the program's */

#endif
