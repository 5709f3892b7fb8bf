/* Values as they are written to the trace, and as a shadow keeps them. Objects that were not seen before are written
   out first. */
#include "base/compat.h"
#include "shadow/encode.h"
#include "base/branches.h"
#include "capture/follow.h"
#include "emit/content.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "emit/events.h"
#include "recorder.h"
#include "shadow/first_sight.h"
#include "shadow/nodes.h"
#include "shadow/shape.h"
#include "shadow/slot.h"

void encode_slow(PyObject *v, Value *out)
{
    if (UNLIKELY(!recorder.recording)) /* it ended for want of memory: take no more */
        *out = NO_VALUE;
    else if (is_atom(v))
        content_encode(v, out);
    else {
        Node *node = object_node(v);
        *out = OBJ_VALUE(node->oid);
        if (UNLIKELY(node->shape->known != NULL) && !is_exploring())
            follow_from(v, node, NULL);
    }
}

static void note_reference(Node *container, Node *node)
{
    node->flags |= NODE_IN_SLOT;
    container->flags |= NODE_HAS_REFS;
    uint64_t *newest = NULL;
    if (container->layout == LAYOUT_LIST || container->layout == LAYOUT_DEQUE ||
        container->layout == LAYOUT_ELEMENT)
        newest = &((SequenceNode *)container)->newest;
    else if (container->layout == LAYOUT_DICT || container->layout == LAYOUT_SET)
        newest = &((TableNode *)container)->newest;
    if (newest != NULL && node->oid > *newest)
        *newest = node->oid;
}

Value encode_into(PyObject *v, Node *container, Slot *slot)
{
    Value out = NO_VALUE;
    if (UNLIKELY(!recorder.recording)) {
        *slot = 0;
        return out;
    }
    if (encode_quick(v, &out)) {
        *slot = (Slot)Py_NewRef(v) | 1;
    }
    else if (is_atom(v)) {
        content_encode(v, &out);
        *slot = (Slot)Py_NewRef(v) | 1;
    }
    else {
        Node *node = object_node(v);
        note_reference(container, node);
        out = OBJ_VALUE(node->oid);
        *slot = (Slot)v;
        if (UNLIKELY(node->shape->known != NULL))
            follow_from(v, node, container);
    }
    return out;
}

static bool has_identity_equality(PyTypeObject *t)
{
    return t->tp_hash == PyBaseObject_Type.tp_hash && t->tp_richcompare == PyBaseObject_Type.tp_richcompare;
}

/* The structural id of a tuple of atoms, tuples and objects that are equal to themselves only. */
static bool structure(PyObject *tuple, uint64_t *hash, int depth)
{
    if (depth > 8)
        return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        PyObject *v = PyTuple_GET_ITEM(tuple, i);
        uint64_t words[2];
        if (PyTuple_CheckExact(v)) {
            words[0] = TAG_TUPLE;
            words[1] = (uint64_t)PyTuple_GET_SIZE(v) + 7;
            if (!structure(v, &words[1], depth + 1))
                return false;
        }
        else if (is_atom(v) || has_identity_equality(Py_TYPE(v))) {
            Value value = encode(v);
            double d = PyFloat_CheckExact(v) ? PyFloat_AS_DOUBLE(v) : 0.5;
            if (v == Py_True || v == Py_False)
                value = INT_VALUE(v == Py_True);
            else if (d >= -9e18 && d <= 9e18 && d == (double)(int64_t)d)
                value = INT_VALUE((int64_t)d);
            words[0] = value.tag;
            words[1] = value.bits;
        }
        else
            return false;
        *hash ^= content_hash(words, sizeof words) + 0x9E3779B97F4A7C15ull + (*hash << 6) + (*hash >> 2);
    }
    return true;
}

Value encode_key(PyObject *key, bool *safe)
{
    *safe = true;
    if (PyTuple_CheckExact(key)) {
        uint64_t hash = (uint64_t)PyTuple_GET_SIZE(key) + 7;
        if (structure(key, &hash, 0))
            return (Value){TAG_TUPLE, hash};
    }
    if (!is_atom(key))
        *safe = has_identity_equality(Py_TYPE(key)) || PyType_Check(key) || PyFunction_Check(key);
    return encode(key);
}

Value encode_held_key(PyObject *key)
{
    bool safe;
    if (is_atom(key) || PyTuple_CheckExact(key))
        return encode_key(key, &safe);
    return OBJ_VALUE(object_node(key)->oid);
}
