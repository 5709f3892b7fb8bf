/* Writing an entry of a dict or a member of a set. */
#ifndef WRONGCALL_ENTRIES_H
#define WRONGCALL_ENTRIES_H

#include "base/compat.h"
#include "emit/event.h"
#include "shadow/nodes.h"
#include <stdbool.h>

void entry_write(TableNode *t, PyObject *key, Value encoded, PyObject *value, Where at, int kind);
void entry_drop(TableNode *t, TableEntry *e, int kind, Where at);
bool entry_added(TableNode *t, PyObject *key, PyObject *value, int kind, Where at); /* true: always */
bool entry_gone(TableNode *t, PyObject *key, int kind,
                Where at); /* false: an equal key of another identity; compare */

#endif
