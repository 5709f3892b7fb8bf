/* The entries of dicts in their order. */
#ifndef WRONGCALL_DICT_ORDER_H
#define WRONGCALL_DICT_ORDER_H

#include "base/compat.h"
#include <stdbool.h>

typedef struct {
    PyObject *key, *value; /* borrowed */
} DictPair;

typedef struct {
    PyObject *dict;
    DictPair *pairs; /* owned; NULL: the dict's own order */
    size_t count;
    Py_ssize_t at;
} DictWalk;

void ordered_setup(void);
void dict_walk(DictWalk *walk, PyObject *o); /* then dict_next until it is false, then dict_walked */
bool dict_next(DictWalk *walk, PyObject **key, PyObject **value);
void dict_walked(DictWalk *walk);

#endif
