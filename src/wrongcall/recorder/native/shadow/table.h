/* What was last seen in a dict, a set, or the namespace of a class or module. */
#ifndef WRONGCALL_TABLE_H
#define WRONGCALL_TABLE_H

#include "emit/event.h"
#include "shadow/nodes.h"
#include "shadow/slot.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool table_is_same(Value a, Value b); /* whether two keys are the same slot */
uint32_t table_hash(Value key);       /* the same for keys that are */
TableEntry *table_find(TableNode *t, Value key);
/* Takes the slots over; NULL: there was no memory. */
TableEntry *table_add(TableNode *t, Slot key, Value encoded, Slot value);
void table_set(TableEntry *e, Slot value);
void table_delete(TableNode *t, TableEntry *e);
void table_reserve(TableNode *t, size_t n); /* an empty one: room for so many */
void table_clear(TableNode *t);
void table_free(TableNode *t);

#endif
