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
/* The only key of a dict that has this hash; borrowed. NULL: there are none or several, or the layout is not known. */
PyObject *dict_key_by_hash(PyObject *dict, Py_hash_t hash);
/* The namespace of the body of a class that is running, if it is a plain dict; borrowed or NULL. */
PyObject *running_namespace(void);

/* Is a generator, coroutine or async generator running, also through what it delegates to? */
bool generator_runs(PyObject *generator);
/* Whether it has never run. False on versions whose layout is not known. */
bool generator_is_new(PyObject *generator);

/* By its traceback: was an exception group made by `except*`, around a single exception? Such a group was raised
   nowhere; from 3.14 on it seems to come from the instruction that made it. */
bool made_by_except_star(PyObject *traceback);

/* Let the interpreter believe that it put this folder (or None) first on `sys.path`: messages about modules that
   hide others, and subinterpreters, go by it. -1: no memory. */
int set_first_path(PyObject *folder);

/* Note that no tool watches a code object that has no RESUME instruction. From 3.15 on the interpreter looks that up
   when an exception passes, and relies on RESUME having provided it. -1: no memory. */
int make_unmonitored(PyObject *code);

#endif
