/* Entries of dicts and members of sets: writing one, and what is gone. */
#include "base/compat.h"
#include "shadow/entries.h"
#include "compare/watches.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "emit/events.h"
#include "shadow/encode.h"
#include "shadow/nodes.h"
#include "shadow/slot.h"
#include "shadow/table.h"

void entry_write(TableNode *t, PyObject *key, Value encoded, PyObject *value, Where at, int kind)
{
    Slot slot = 0, key_slot;
    Value out = NO_VALUE;
    if (value != NULL)
        out = encode_into(value, &t->head, &slot);
    TableEntry *e = table_find(t, encoded);
    dict_watch_noted(t, encoded);
    if (e != NULL) {
        emit(kind, at, t->head.oid, (Value){e->tag, e->bits}, out);
        table_set(e, slot);
        return;
    }
    Value key_value = encode_into(key, &t->head, &key_slot);
    if (encoded.tag == TAG_TUPLE)
        emit(EV_KEY, at, t->head.oid, encoded, key_value);
    emit(kind, at, t->head.oid, encoded, out);
    table_add(t, key_slot, encoded, slot);
}

void entry_drop(TableNode *t, TableEntry *e, int kind, Where at)
{
    dict_watch_noted(t, (Value){e->tag, e->bits});
    emit(kind, at, t->head.oid, (Value){e->tag, e->bits}, NO_VALUE);
    table_delete(t, e);
}

bool entry_gone(TableNode *t, PyObject *key, int kind, Where at)
{
    bool safe;
    TableEntry *e = table_find(t, encode_key(key, &safe));
    if (e == NULL)
        return false; /* an equal key of another identity: compare */
    entry_drop(t, e, kind, at);
    return true;
}

bool entry_added(TableNode *t, PyObject *key, PyObject *value, int kind, Where at)
{
    bool safe;
    entry_write(t, key, encode_key(key, &safe), value, at, kind);
    return true;
}
