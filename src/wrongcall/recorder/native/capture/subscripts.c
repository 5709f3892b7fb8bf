/* Statements that store or delete a subscript, `x[k] = v` and `del x[k]`: what they changed in a container. */
#include "base/compat.h"
#include "capture/subscripts.h"
#include "buffers/buffers.h"
#include "compare/reach.h"
#include "compare/resync.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "emit/events.h"
#include "known/pandas_frames.h"
#include "shadow/attributes.h"
#include "shadow/dict_alias.h"
#include "shadow/encode.h"
#include "shadow/entries.h"
#include "shadow/first_sight.h"
#include "shadow/identity.h"
#include "shadow/nodes.h"
#include "shadow/sequence.h"
#include "shadow/slot.h"
#include "shadow/table.h"

static bool list_index(PyObject *key, size_t length, size_t *index)
{
    int64_t n;
    if (!PyLong_CheckExact(key) || !compat_small_int(key, &n))
        return false;
    if (n < 0)
        n += (int64_t)length;
    *index = (size_t)n;
    return n >= 0 && (size_t)n < length;
}

static bool wrote_list(PyObject *o, SequenceNode *s, PyObject *key, PyObject *value, Where at)
{
    size_t index, now = (size_t)PyList_GET_SIZE(o);
    if (!list_index(key, s->count, &index) || now + (value == NULL) != s->count)
        return false;
    if (value == NULL) {
        sequence_gone(s, index, 1, at);
        return true;
    }
    Slot slot;
    Value encoded = encode_into(PyList_GET_ITEM(o, index), &s->head, &slot);
    emit(EV_ITEM, at, s->head.oid, INT_VALUE(index), encoded);
    sequence_set(s, index, slot);
    return true;
}

static bool wrote_dict(TableNode *t, PyObject *o, PyObject *key, PyObject *value, Py_ssize_t was, Where at)
{
    Py_ssize_t now = PyDict_GET_SIZE(o);
    bool safe;
    Value encoded = encode_key(key, &safe);
    TableEntry *e = table_find(t, encoded);
    if (value == NULL) {
        if (e == NULL || now + 1 != was)
            return false;
        entry_drop(t, e, EV_ENTRY_DEL, at);
        return true;
    }
    if (e == NULL && now != was + 1)
        return false; /* an equal key of another identity: find out which */
    if (e != NULL && now != was)
        return false;
    entry_write(t, key, encoded, value, at, EV_ENTRY);
    return true;
}

static void wrote_owner(PyObject *owner, PyObject *key, PyObject *value, Where at)
{
    if (PyUnicode_CheckExact(key))
        attr_write(owner, node_find(owner), key, value, at, EV_ATTR);
    else
        resync(owner, at);
}

void written_subscript(PyObject *o, PyObject *key, PyObject *value, Py_ssize_t was, Where at)
{
    Node *node = explore_touch(o);
    PyObject *owner;
    if (is_frame(o)) { /* of pandas: df[k] = v, df.loc[k] = v */
        resync_deep(o, at);
        return;
    }
    if (memory_subscript(o, node, key, value == NULL, at))
        return;
    if (node->layout == LAYOUT_LIST && wrote_list(o, (SequenceNode *)node, key, value, at))
        return;
    if (node->layout == LAYOUT_DICT) {
        TableNode *t = (TableNode *)node;
        if ((node->flags & NODE_ATTRS_OF) && table_owner(t, &owner) != NULL) {
            wrote_owner(owner, key, value, at);
            return;
        }
        if (wrote_dict(t, o, key, value, was, at))
            return;
    }
    if (node->layout == LAYOUT_INSTANCE)
        resync_deep(o, at); /* a container of a library: UserDict and the like */
    else
        resync(o, at);
}
