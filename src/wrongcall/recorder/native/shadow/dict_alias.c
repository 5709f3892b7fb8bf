/* Dictionaries that are the attributes of an object: `o.__dict__`, `vars(o)`, the globals of a module.

   Such a dict is an alias of its owner: what is written to it is written to the owner's attributes, and
   the trace says so once (ALIAS). A dict becomes one when the program gets hold of it, or puts
   it there (`o.__dict__ = d`); it is a dict like any other again when its owner dies or gets another one.
   One dict may serve several instances: then they share what is written to any of them. */
#include "base/compat.h"
#include "shadow/dict_alias.h"
#include "base/allocate.h"
#include "base/instance.h"
#include "capture/site.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "emit/events.h"
#include "recorder.h"
#include "shadow/attributes.h"
#include "shadow/first_sight.h"
#include "shadow/identity.h"
#include "shadow/nodes.h"
#include "shadow/shape.h"
#include "shadow/slot.h"
#include "shadow/table.h"

static const Where unplaced = {0, 0};

/* -- instances that share one dictionary ------------------------------------------------------------------- */

typedef struct Sharer {
    PyObject *object; /* borrowed: to be followed only while its node has this id */
    void *base;
    uint64_t oid;
} Sharer;

static bool lives(Sharer *s)
{
    Node *node = node_find_base(s->base);
    return node != NULL && node->oid == s->oid;
}

static void share_add(PyObject *o, Node *node)
{
    if (node->flags & NODE_SHARES)
        return;
    node->flags |= NODE_SHARES;
    size_t n = 0;
    for (size_t i = 0; i < recorder.sharing.count; i++) {
        if (lives(&recorder.sharing.sharers[i]))
            recorder.sharing.sharers[n++] = recorder.sharing.sharers[i];
    }
    recorder.sharing.count = n;
    if (n == recorder.sharing.room) {
        size_t room = n == 0 ? 16 : n * 2;
        Sharer *bigger = reallocate(recorder.sharing.sharers, room, sizeof *recorder.sharing.sharers);
        if (bigger == NULL)
            return;
        recorder.sharing.sharers = bigger;
        recorder.sharing.room = room;
    }
    recorder.sharing.sharers[recorder.sharing.count++] = (Sharer){o, object_base(o), node->oid};
}

/* An attribute of o was written: it is one of the others that have the same dictionary, too. */
void share_write(PyObject *o, PyObject *name, PyObject *value, Where at, int kind)
{
    PyObject *dict = instance_dict(o);
    if (recorder.sharing.writing || dict == NULL)
        return;
    recorder.sharing.writing = true;
    for (size_t i = 0; i < recorder.sharing.count; i++) {
        PyObject *other = recorder.sharing.sharers[i].object;
        if (other != o && lives(&recorder.sharing.sharers[i]) && instance_dict(other) == dict)
            attr_write(other, node_find(other), name, value, at, kind);
    }
    recorder.sharing.writing = false;
}

/* -- dictionaries with an owner ------------------------------------------------------------------------------- */

static bool owns(PyObject *owner, PyObject *dict)
{
    return PyModule_Check(owner) ? PyModule_GetDict(owner) == dict : instance_dict(owner) == dict;
}

static void set_owner(TableNode *t, PyObject *owner, uint64_t oid)
{
    t->owner = oid;
    t->owner_base = object_base(owner);
    t->owner_object = owner;
}

/* The owner died or has another dictionary: does somebody else have this one? */
static Node *next_owner(TableNode *t)
{
    for (size_t i = 0; i < recorder.sharing.count; i++) {
        PyObject *other = recorder.sharing.sharers[i].object;
        if (!lives(&recorder.sharing.sharers[i]) || instance_dict(other) == NULL ||
            node_find(instance_dict(other)) != &t->head)
            continue;
        set_owner(t, other, recorder.sharing.sharers[i].oid);
        if (!(t->head.flags & NODE_UNWRITTEN))
            emit(EV_ALIAS, unplaced, t->head.oid, NO_VALUE, OBJ_VALUE(t->owner));
        return node_find_base(recorder.sharing.sharers[i].base);
    }
    return NULL;
}

TableNode *table_owner(TableNode *t, PyObject **owner)
{
    Node *node = t->owner_base == NULL ? NULL : node_find_base(t->owner_base);
    if (node == NULL || node->oid != t->owner ||
        (!PyModule_Check(t->owner_object) &&
         (instance_dict(t->owner_object) == NULL || node_find(instance_dict(t->owner_object)) != &t->head)))
        node = next_owner(t);
    if (node != NULL)
        *owner = t->owner_object;
    return (TableNode *)node;
}

/* A dict that was seen as such before becomes the attributes of an object. */
static void become_alias(TableNode *t)
{
    table_clear(t);
    t->attrs = NULL;
    if (t->head.flags & NODE_UNEXPLORED)
        emit(EV_EXPLORED, unplaced, t->head.oid, NO_VALUE, NO_VALUE);
    t->head.flags &= (uint8_t)~(NODE_UNEXPLORED | NODE_HAS_REFS);
    t->head.flags |= NODE_ATTRS_OF;
}

void note_alias(PyObject *owner, PyObject *dict)
{
    if (!PyDict_CheckExact(dict) || is_atom(owner) || !owns(owner, dict))
        return;
    Node *owner_node = object_node(owner);
    TableNode *t = (TableNode *)node_find(dict);
    PyObject *known;
    if (t != NULL && t->head.layout != LAYOUT_DICT)
        return;
    if (t != NULL && (t->head.flags & NODE_ATTRS_OF)) {
        Node *other = (Node *)table_owner(t, &known);
        if (other == owner_node)
            return;
        if (other != NULL) {
            share_add(known, other);
            share_add(owner, node_find(owner));
            return;
        }
    }
    else if (t != NULL)
        become_alias(t);
    else {
        t = (TableNode *)node_new(object_base(dict), shape_of(&PyDict_Type), LAYOUT_DICT, sizeof *t);
        t->head.flags |= NODE_UNWRITTEN | NODE_ATTRS_OF;
    }
    set_owner(t, owner, node_find(owner)->oid);
    if (!(t->head.flags & NODE_UNWRITTEN))
        emit(EV_ALIAS, unplaced, t->head.oid, NO_VALUE, OBJ_VALUE(t->owner));
}

/* `o.__dict__ = d` or the like may have been done: d, if it is known, is an alias from now on. */
void note_own_dict(PyObject *o)
{
    PyObject *dict = instance_dict(o);
    if (dict != NULL && node_find(dict) != NULL)
        note_alias(o, dict);
}

/* `X.__dict__`, `vars(X)` and `globals()` as expressions: args are handle, owner, dictionary. */
PyObject *hook_dict_of(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    PyObject *dict = n > 2 ? Py_NewRef(args[2]) : PyObject_GetAttrString(args[1], "__dict__");
    if (dict != NULL && recorder.recording)
        note_alias(args[1], dict);
    return dict;
}
