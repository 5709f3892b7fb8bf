/* First sight: an object that was not seen before is written out once, with what it holds.

   What is reachable is written breadth first until a budget is used up; objects beyond it get an
   id and are explored when they are touched. The object itself is always written whole. */
#include "base/compat.h"
#include "shadow/first_sight.h"
#include "base/allocate.h"
#include "base/branches.h"
#include "base/instance.h"
#include "base/lookup.h"
#include "buffers/buffers.h"
#include "capture/activation.h"
#include "emit/content.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "emit/events.h"
#include "known/elements.h"
#include "known/known.h"
#include "known/pandas_frames.h"
#include "recorder.h"
#include "shadow/attributes.h"
#include "shadow/dict_alias.h"
#include "shadow/dict_order.h"
#include "shadow/encode.h"
#include "shadow/entries.h"
#include "shadow/identity.h"
#include "shadow/nodes.h"
#include "shadow/program.h"
#include "shadow/sequence.h"
#include "shadow/shape.h"
#include "shadow/slot.h"
#include "shadow/table.h"
#include <string.h>

#define BUDGET 65536 /* elements written at one first sight, after which nested objects wait */

static const Where unplaced = {0, 0};

/* -- the work list ------------------------------------------------------------------------------------- */

static Exploring *const state = &recorder.exploring;

static void work_add(PyObject *o)
{
    if (state->work_end == state->work_room) {
        size_t room = state->work_room == 0 ? 256 : state->work_room * 2;
        PyObject **bigger = reallocate(state->work, room, sizeof *state->work);
        if (bigger == NULL)
            return;
        state->work = bigger;
        state->work_room = room;
    }
    state->work[state->work_end++] = o;
}

/* Objects made while exploring (the shape of an array) must live until they are written out. */

void explore_keep(PyObject *made)
{
    if (!state->active)
        return;
    if (state->kept_count == state->kept_room) {
        size_t room = state->kept_room == 0 ? 64 : state->kept_room * 2;
        PyObject **bigger = reallocate(state->kept, room, sizeof *state->kept);
        if (bigger == NULL)
            return;
        state->kept = bigger;
        state->kept_room = room;
    }
    state->kept[state->kept_count++] = Py_NewRef(made);
}

bool explore_is_inside(void)
{
    return state->active && state->work_begin > 1;
}

bool is_exploring(void)
{
    return state->active;
}

static void write_out(PyObject *o, Node *node);

static void work_off(void)
{
    int collecting = PyGC_Disable(); /* a collection may run code of the program */
    state->active = true;
    state->budget = BUDGET;
    while (state->work_begin < state->work_end && recorder.recording) {
        PyObject *o = state->work[state->work_begin++];
        write_out(o, node_find(o));
    }
    state->work_begin = state->work_end = 0;
    state->active = false;
    while (state->kept_count > 0)
        Py_DECREF(state->kept[--state->kept_count]);
    if (collecting)
        PyGC_Enable();
}

/* -- nodes --------------------------------------------------------------------------------------------------- */

static size_t node_size(Shape *shape)
{
    switch (shape->layout) {
    case LAYOUT_LIST:
    case LAYOUT_DEQUE:
    case LAYOUT_ELEMENT:
        return sizeof(SequenceNode);
    case LAYOUT_BYTEARRAY:
    case LAYOUT_ARRAY:
        return sizeof(RawNode);
    case LAYOUT_NDARRAY:
        return sizeof(ArrayNode);
    case LAYOUT_DICT:
    case LAYOUT_SET:
    case LAYOUT_FROZENSET:
    case LAYOUT_CLASS:
    case LAYOUT_MODULE:
        return sizeof(TableNode);
    case LAYOUT_TUPLE:
        return shape->has_own_attrs ? sizeof(PlainNode) : PLAIN_SIZE;
    case LAYOUT_ACTIVATION:
        return PLAIN_SIZE;
    default:
        return sizeof(InstanceNode) + shape->count * sizeof(Slot);
    }
}

bool is_instance_node(Node *node)
{
    switch (node->layout) {
    case LAYOUT_OPAQUE:
    case LAYOUT_INSTANCE:
    case LAYOUT_FUNCTION:
    case LAYOUT_METHOD:
    case LAYOUT_EXCEPTION:
    case LAYOUT_SCALAR:
    case LAYOUT_RANGE:
    case LAYOUT_SLICE:
        return true;
    default:
        return false;
    }
}

/* Of a tuple: iterators such as zip fill the same tuple again when nobody else holds it. */
static uint64_t fingerprint(PyObject *tuple)
{
    uint64_t h = (uint64_t)PyTuple_GET_SIZE(tuple) + 1;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        PyObject *v = PyTuple_GET_ITEM(tuple, i);
        uint64_t part = (uint64_t)(uintptr_t)v;
        int64_t n;
        if (v == NULL)
            part = 0;
        else if (PyLong_CheckExact(v) && compat_small_int(v, &n))
            part ^= (uint64_t)n << 20;
        else if (PyFloat_CheckExact(v))
            part ^= (uint64_t)(PyFloat_AS_DOUBLE(v) * 1048573.0);
        else if (PyUnicode_CheckExact(v))
            part ^= (uint64_t)((PyASCIIObject *)v)->hash ^ (uint64_t)PyUnicode_GET_LENGTH(v) << 48;
        h = (h ^ part) * 0x9FB21C651E98DF25ull;
        h ^= h >> 31;
    }
    return h;
}

static Node *first_sight(PyObject *o)
{
    Shape *shape = shape_of(Py_TYPE(o));
    void *base = object_base(o);
    Node *node = node_find_base(base); /* a class is known when its shape is made */
    if (node == NULL)
        node = node_new(base, shape, shape->layout, node_size(shape));
    if (is_instance_node(node) && node->capacity == 0)
        node->capacity = shape->count;
    node->flags |= NODE_UNWRITTEN | NODE_QUEUED;
    work_add(o);
    if (!state->active) {
        work_off();
        node = node_find_base(base);
    }
    return node;
}

/* `o.__class__ = C`: the same object with the same contents. C numbers the attributes in its own way. */
static void class_replaced(PyObject *o, Node *node)
{
    Shape *old = node->shape, *new = shape_of(Py_TYPE(o));
    InstanceNode *attrs = attrs_of(node);
    int count = attrs == NULL ? 0 : attrs->head.capacity;
    Slot *slots = allocate((size_t)count + 1, sizeof *slots);
    if (count > 0) {
        memcpy(slots, attrs->slots, (size_t)count * sizeof *slots);
        memset(attrs->slots, 0, (size_t)count * sizeof *slots);
    }
    node->shape = new;
    if (!(node->flags & NODE_UNWRITTEN)) {
        shape_announce(new);
        emit(EV_OBJ, unplaced, node->oid, (Value){node->layout, new->type_id}, NO_VALUE);
    }
    for (int i = 0; i < count; i++) {
        int index = slots[i] == 0 ? -1 : shape_slot(new, old->attrs[i].name, true);
        if (index >= 0)
            *attr_place(o, node_find(o), index) = slots[i];
        else
            slot_release(slots[i]);
    }
    release(slots);
}

/* The type at this address is another one than last time: `o.__class__ = C`, or another object. */
static Node *type_changed(PyObject *o, Node *node)
{
    void *base = object_base(o);
    bool same_object = node->shape != NULL && (Py_TYPE(o)->tp_flags & Py_TPFLAGS_HEAPTYPE) &&
                       shape_of(Py_TYPE(o))->layout == node->layout;
    if (!same_object) {
        node_forget(base);
        return first_sight(o);
    }
    class_replaced(o, node);
    return object_node(o);
}

Node *object_node(PyObject *o)
{
    Node *node = node_find(o);
    if (node == NULL)
        return first_sight(o);
    if (UNLIKELY(node->shape == NULL || node->shape->type != Py_TYPE(o)))
        return type_changed(o, node);
    /* Slices have a free list: each sight of one is taken as that of a new object. */
    if (node->layout == LAYOUT_SLICE ||
        (node->layout == LAYOUT_TUPLE && !state->active && !(node->flags & NODE_UNWRITTEN) &&
         ((PlainNode *)node)->fingerprint != fingerprint(o))) {
        node_forget(object_base(o));
        return first_sight(o);
    }
    PyObject *owner;
    if (UNLIKELY(node->flags & NODE_ATTRS_OF) && table_owner((TableNode *)node, &owner) == NULL) {
        node->flags &= (uint8_t)~NODE_ATTRS_OF; /* its instance is gone: a dict like any other */
        node->flags |= NODE_UNEXPLORED;
        ((TableNode *)node)->entries = NULL;
        ((TableNode *)node)->index = NULL;
        ((TableNode *)node)->newest = 0;
    }
    if (UNLIKELY(node->flags & (NODE_UNEXPLORED | NODE_UNWRITTEN)) && !state->active) {
        work_add(o);
        work_off();
        return node_find(o);
    }
    if (UNLIKELY((node->flags & (NODE_UNWRITTEN | NODE_QUEUED)) == NODE_UNWRITTEN)) {
        node->flags |= NODE_QUEUED; /* a class that was known as the type of others */
        work_add(o);
    }
    return node;
}

Node *explore_touch(PyObject *o)
{
    Node *node = node_find(o);
    if (node == NULL || node->layout == LAYOUT_LONG_STR)
        return NULL;
    if ((node->flags & NODE_UNWRITTEN) && !(node->flags & NODE_ATTRS_OF))
        return NULL;
    return object_node(o);
}

/* -- writing one object out --------------------------------------------------------------------------------------- */

static void seen_attr(Node *node, const char *name, PyObject *value)
{
    PyObject *interned = PyUnicode_InternFromString(name);
    if (interned == NULL || value == NULL) {
        drop_error();
        Py_XDECREF(interned);
        return;
    }
    emit(EV_ATTR | EV_SEEN, unplaced, node->oid, NAME_VALUE(name_id(interned)), encode(value));
    Py_DECREF(interned);
}

/* An attribute of an exact object of C: reading it runs no code of the program. */
static void seen_getattr(PyObject *o, Node *node, const char *name)
{
    PyObject *value = PyObject_GetAttrString(o, name);
    if (value == NULL) {
        drop_error();
        return;
    }
    seen_attr(node, name, value);
    Py_DECREF(value);
}

static void visit_attr(PyObject *name, PyObject *value, void *o)
{
    Shape *shape = node_find(o)->shape;
    if (shape->frame != FRAME_NONE && !frame_shows(shape, name))
        return;
    if (recorder.recording)
        attr_write(o, node_find(o), name, value, unplaced, EV_ATTR | EV_SEEN);
    state->budget--;
}

/* A part that never changes is not compared again, so no shadow keeps it. */
static void visit_fixed_part(PyObject *name, PyObject *value, void *o)
{
    if (recorder.recording) {
        Value out = encode(value);
        Node *node = node_find(o);
        if (!is_atom(value))
            node->flags |= NODE_HAS_REFS; /* code that has the one reaches the other */
        emit(EV_ATTR | EV_SEEN, unplaced, node->oid, NAME_VALUE(name_id(name)), out);
    }
    state->budget--;
}

static void write_attrs(PyObject *o, Node *node)
{
    Shape *shape = node->shape;
    if (!shape->has_own_attrs)
        return;
    for (int i = 0; i < shape->fixed; i++) {
        PyObject *value = shape_member(o, &shape->attrs[i]);
        if (value != NULL)
            visit_attr(shape->attrs[i].name, value, o);
    }
    if (!known_changes(shape))
        known_visit(o, shape, visit_fixed_part, o);
    else if (!known_has_state(shape) || (node->flags & NODE_FOLLOWED))
        known_visit(o, shape, visit_attr, o);
    instance_visit(o, visit_attr, o);
}

static void write_item(SequenceNode *s, PyObject *v)
{
    Slot slot;
    Value value = encode_into(v, &s->head, &slot);
    emit(EV_ITEM | EV_SEEN, unplaced, s->head.oid, INT_VALUE(s->count), value);
    sequence_insert(s, s->count, slot);
    state->budget--;
}

static void write_deque_item(PyObject *v, void *s)
{
    write_item(s, v);
}

/* In order; an exact deque's iterator is C. A subclass may have its own: then its contents are unknown. */
void deque_items(PyObject *o, void (*visit)(PyObject *item, void *context), void *context)
{
    int collecting = PyGC_Disable();
    PyObject *iterator = recorder.types.deque->tp_iter(o);
    PyObject *item;
    while (iterator != NULL && (item = Py_TYPE(iterator)->tp_iternext(iterator)) != NULL) {
        visit(item, context);
        Py_DECREF(item);
    }
    Py_XDECREF(iterator);
    drop_error();
    if (collecting)
        PyGC_Enable();
}

static void write_tuple(PyObject *o, PlainNode *node)
{
    node->fingerprint = fingerprint(o);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(o); i++) {
        PyObject *v = PyTuple_GET_ITEM(o, i);
        if (v != NULL)
            emit(EV_ITEM | EV_SEEN, unplaced, node->head.oid, INT_VALUE(i), encode(v));
        state->budget--;
    }
    if (node->head.shape->item_names != NULL)
        seen_attr(&node->head, "__fields__", node->head.shape->item_names);
}

static void write_table(PyObject *o, TableNode *t)
{
    bool safe;
    if (compat_is_dict(o)) {
        PyObject *key, *value;
        DictWalk walk;
        dict_walk(&walk, o);
        while (dict_next(&walk, &key, &value)) {
            entry_write(t, key, encode_key(key, &safe), value, unplaced, EV_ENTRY | EV_SEEN);
            state->budget--;
        }
        dict_walked(&walk);
        return;
    }
    PySetObject *set = (PySetObject *)o;
    for (Py_ssize_t i = 0; i <= set->mask; i++) {
        PyObject *key = set->table[i].key;
        if (key == NULL || set->table[i].hash == -1) /* empty, or the mark of a removed one */
            continue;
        entry_write(t, key, encode_key(key, &safe), NULL, unplaced, EV_MEMBER | EV_SEEN);
        state->budget--;
    }
}

static void write_class_name(PyObject *o, Node *node)
{
    PyTypeObject *type = (PyTypeObject *)o;
    if (type->tp_flags & Py_TPFLAGS_HEAPTYPE) {
        seen_attr(node, "__qualname__", ((PyHeapTypeObject *)type)->ht_qualname);
        return;
    }
    PyObject *name = PyUnicode_FromString(type->tp_name);
    if (name != NULL)
        seen_attr(node, "__qualname__", name);
    Py_XDECREF(name);
    drop_error();
}

/* Class attributes that are data; of a module, every name. */
static void write_namespace(PyObject *o, TableNode *t)
{
    if (PyType_Check(o))
        write_class_name(o, &t->head);
    PyObject *dict = namespace_of(o);
    if (dict == NULL) { /* a library's, or under construction */
        PyObject *own = PyType_Check(o) ? NULL : PyModule_GetDict(o);
        if (own != NULL)
            seen_attr(&t->head, "__name__", dict_find(own, "__name__"));
        return;
    }
    PyObject *name, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(dict, &at, &name, &value)) {
        if (PyUnicode_CheckExact(name) && is_class_data(name, value))
            namespace_write(t, name, value, unplaced, EV_ATTR | EV_SEEN);
    }
    Py_DECREF(dict);
}

static void write_function(PyObject *o, Node *node)
{
    PyFunctionObject *f = (PyFunctionObject *)o;
    seen_attr(node, "__qualname__", f->func_qualname);
    PyObject *closure = f->func_closure;
    Func *func = func_of_function(o);
    if (closure == NULL || func == NULL || func->free_names == NULL)
        return;
    Py_ssize_t n = PyTuple_GET_SIZE(closure);
    for (Py_ssize_t i = 0; i < n && i < PyTuple_GET_SIZE(func->free_names); i++) {
        Node *cell = node_find(PyTuple_GET_ITEM(closure, i));
        if (cell != NULL && cell->layout == LAYOUT_ACTIVATION)
            emit(EV_CELL, unplaced, node->oid, NAME_VALUE(name_id(PyTuple_GET_ITEM(func->free_names, i))),
                 INT_VALUE(((PlainNode *)cell)->fingerprint));
    }
}

/* The base value of an instance of a subclass of int, str, float ... as an exact atom. */
static PyObject *scalar_value(PyObject *o)
{
    if (PyLong_Check(o)) {
        int overflow;
        long long n = PyLong_AsLongLongAndOverflow(o, &overflow);
        if (overflow == 0)
            return PyLong_FromLongLong(n);
        PyObject *text = PyNumber_ToBase(o, 16);
        PyObject *exact = text == NULL ? NULL : PyLong_FromUnicodeObject(text, 16);
        Py_XDECREF(text);
        return exact;
    }
    if (PyUnicode_Check(o))
        return PyUnicode_FromObject(o);
    if (PyBytes_Check(o))
        return PyBytes_FromStringAndSize(PyBytes_AS_STRING(o), PyBytes_GET_SIZE(o));
    if (PyFloat_Check(o))
        return PyFloat_FromDouble(PyFloat_AS_DOUBLE(o));
    return PyComplex_FromCComplex(((PyComplexObject *)o)->cval);
}

static void write_scalar(PyObject *o, Node *node)
{
    PyObject *value = scalar_value(o);
    if (value != NULL)
        seen_attr(node, "__value__", value);
    else
        drop_error();
    Py_XDECREF(value);
}

static uint64_t length_of(PyObject *o, int layout)
{
    switch (layout) {
    case LAYOUT_LIST:
    case LAYOUT_TUPLE:
    case LAYOUT_DEQUE:
    case LAYOUT_BYTEARRAY:
    case LAYOUT_ARRAY:
        return (uint64_t)Py_SIZE(o);
    case LAYOUT_ELEMENT:
        return (uint64_t)element_count(o);
    case LAYOUT_NDARRAY:
        return ndarray_length(o);
    case LAYOUT_DICT:
        return (uint64_t)PyDict_GET_SIZE(o);
    case LAYOUT_SET:
    case LAYOUT_FROZENSET:
        return (uint64_t)PySet_GET_SIZE(o);
    default:
        return 0;
    }
}

static void write_contents(PyObject *o, Node *node)
{
    switch (node->layout) {
    case LAYOUT_LIST:
        sequence_reserve((SequenceNode *)node, (size_t)PyList_GET_SIZE(o));
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(o); i++)
            write_item((SequenceNode *)node, PyList_GET_ITEM(o, i));
        break;
    case LAYOUT_DEQUE:
        deque_items(o, write_deque_item, node);
        break;
    case LAYOUT_ELEMENT:
        sequence_reserve((SequenceNode *)node, (size_t)element_count(o));
        for (Py_ssize_t i = 0; i < element_count(o); i++)
            write_item((SequenceNode *)node, element_children(o)[i]);
        break;
    case LAYOUT_TUPLE:
        write_tuple(o, (PlainNode *)node);
        break;
    case LAYOUT_DICT:
    case LAYOUT_SET:
    case LAYOUT_FROZENSET:
        table_reserve((TableNode *)node, length_of(o, node->layout));
        write_table(o, (TableNode *)node);
        break;
    case LAYOUT_BYTEARRAY:
    case LAYOUT_ARRAY:
        raw_write(o, (RawNode *)node);
        break;
    case LAYOUT_NDARRAY:
        ndarray_write(o, (ArrayNode *)node);
        break;
    case LAYOUT_CLASS:
    case LAYOUT_MODULE:
        write_namespace(o, (TableNode *)node);
        return;
    case LAYOUT_FUNCTION:
        write_function(o, node);
        break;
    case LAYOUT_METHOD:
        seen_attr(node, "__func__", PyMethod_GET_FUNCTION(o));
        seen_attr(node, "__self__", PyMethod_GET_SELF(o));
        return;
    case LAYOUT_ACTIVATION:
        if (((PlainNode *)node)->fingerprint == 0)
            activation_seen(o, (PlainNode *)node);
        if (((PlainNode *)node)->fingerprint != 0)
            emit(EV_ACTIVATION, (Where){0, ((PlainNode *)node)->fingerprint}, node->oid, NO_VALUE, NO_VALUE);
        return;
    case LAYOUT_SCALAR:
        write_scalar(o, node);
        break;
    case LAYOUT_RANGE:
        seen_getattr(o, node, "start");
        seen_getattr(o, node, "stop");
        seen_getattr(o, node, "step");
        return;
    case LAYOUT_OPAQUE:
        return;
    default:
        break;
    }
    write_attrs(o, node_find(o));
}

/* A dict that is the __dict__ of a known instance is an alias of its attributes. */
static bool write_alias(Node *node)
{
    if (!(node->flags & NODE_ATTRS_OF))
        return false;
    emit(EV_ALIAS, unplaced, node->oid, NO_VALUE, OBJ_VALUE(((TableNode *)node)->owner));
    return true;
}

static void write_out(PyObject *o, Node *node)
{
    bool known = !(node->flags & NODE_UNWRITTEN); /* it had an id but was not explored */
    bool explore = state->budget > 0 || state->work_begin == 1;
    if (known && !(node->flags & NODE_UNEXPLORED))
        return;
    shape_announce(node->shape);
    node->flags &= (uint8_t)~(NODE_UNWRITTEN | NODE_UNEXPLORED | NODE_QUEUED);
    Value length = explore ? INT_VALUE(length_of(o, node->layout)) : NO_VALUE;
    if (known) {
        emit(EV_EXPLORED, unplaced, node->oid, NO_VALUE, length);
    }
    else {
        emit(EV_OBJ, unplaced, node->oid, (Value){node->layout, node->shape->type_id}, length);
    }
    if (!explore)
        node->flags |= NODE_UNEXPLORED;
    else if (!write_alias(node))
        write_contents(o, node);
}
