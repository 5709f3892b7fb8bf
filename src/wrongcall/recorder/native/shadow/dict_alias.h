/* Dictionaries that are the attributes of an object. */
#ifndef WRONGCALL_DICT_ALIAS_H
#define WRONGCALL_DICT_ALIAS_H

#include "base/compat.h"
#include "emit/event.h"
#include "shadow/nodes.h"

TableNode *table_owner(TableNode *t, PyObject **owner); /* of a __dict__; NULL: it is a plain dict */
void note_alias(PyObject *owner, PyObject *dict);       /* dict may be the owner's __dict__ */
void note_own_dict(PyObject *o);                        /* its __dict__ may be another one now */
void share_write(PyObject *o, PyObject *name, PyObject *value, Where at, int kind);

#endif
