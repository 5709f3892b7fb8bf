/* Attribute values of instances, read where they lie, without creating their __dict__. */
#ifndef WRONGCALL_INSTANCE_H
#define WRONGCALL_INSTANCE_H

#include "base/compat.h"

typedef void (*attr_visitor)(PyObject *name, PyObject *value, void *context);
/* Calls visit for each attribute in the instance's own dictionary or inline values. */
void instance_visit(PyObject *o, attr_visitor visit, void *context);
/* The instance's own value of an attribute, borrowed, or NULL. *hint: where it was found last time. */
PyObject *instance_get(PyObject *o, PyObject *name, Py_ssize_t *hint);
/* The instance's __dict__ if it exists as an object already, borrowed, or NULL. */
PyObject *instance_dict(PyObject *o);
/* The namespace of the body of a class that is running, if it is a plain dict; borrowed or NULL. */
PyObject *running_namespace(void);

#endif
