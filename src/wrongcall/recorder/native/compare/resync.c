/* An object was in foreign hands, or a statement changed it in a way that is not known one by one:
   what differs from what was last seen becomes events. Dicts and sets: resync_table.c. */
#include "base/compat.h"
#include "compare/resync.h"
#include "base/allocate.h"
#include "base/instance.h"
#include "buffers/buffers.h"
#include "compare/still.h"
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
#include "shadow/first_sight.h"
#include "shadow/identity.h"
#include "shadow/nodes.h"
#include "shadow/program.h"
#include "shadow/sequence.h"
#include "shadow/shape.h"
#include "shadow/slot.h"
#include "shadow/table.h"

/* -- lists and deques --------------------------------------------------------------------------------------- */

void sequence_changed(SequenceNode *s, size_t at_index, PyObject *v, Where at)
{
    Slot slot;
    Value value = encode_into(v, &s->head, &slot);
    emit(EV_ITEM, at, s->head.oid, INT_VALUE(at_index), value);
    sequence_set(s, at_index, slot);
}

void sequence_arrived(SequenceNode *s, size_t at_index, PyObject *v, Where at)
{
    Slot slot;
    Value value = encode_into(v, &s->head, &slot);
    emit(EV_INSERT, at, s->head.oid, INT_VALUE(at_index), value);
    sequence_insert(s, at_index, slot);
}

void sequence_gone(SequenceNode *s, size_t at_index, size_t n, Where at)
{
    emit(EV_REMOVE, at, s->head.oid, INT_VALUE(at_index), INT_VALUE(n));
    sequence_remove(s, at_index, n);
}

#define BLOCK 32

static inline bool is_equal_block(const Slot *old, PyObject *const *now)
{
    uintptr_t differences = 0; /* of all of them: the compiler makes wide instructions of it */
    for (int i = 0; i < BLOCK; i++)
        differences |= (old[i] ^ (uintptr_t)now[i]) & ~(uintptr_t)1;
    return differences == 0;
}

/* How many of n items are the same in whole blocks, from the first one on. */
static size_t equal_blocks(const Slot *old, PyObject *const *now, size_t n)
{
    size_t same = 0;
    while (same + BLOCK <= n && is_equal_block(old + same, now + same))
        same += BLOCK;
    return same;
}

/* The same, back from the ends. */
static size_t equal_end_blocks(const Slot *old, PyObject *const *now, size_t n)
{
    size_t same = 0;
    while (same + BLOCK <= n && is_equal_block(old - same - BLOCK, now - same - BLOCK))
        same += BLOCK;
    return same;
}

/* Brings the shadow to the n items now, by the fewest events that a common head and tail allow. */
static void resync_items(SequenceNode *s, PyObject **now, size_t n, Where at)
{
    Deaths deaths = {0};
    if (s->head.flags & NODE_HAS_REFS)
        deaths = deaths_since(s->epoch, s->count);
    uint64_t newest = s->newest;
    size_t head = 0, tail = 0, shorter = n < s->count ? n : s->count;
    Slot *old = s->items + s->start;
    if (!deaths.some)
        head = equal_blocks(old, now, shorter);
    while (head < shorter && still(old[head], now[head], deaths, newest))
        head++;
    if (!deaths.some)
        tail = equal_end_blocks(old + s->count, now + n, shorter - head);
    while (tail < shorter - head && still(old[s->count - 1 - tail], now[n - 1 - tail], deaths, newest))
        tail++;
    size_t common = shorter - head - tail;
    for (size_t i = head; i < head + common; i++) {
        if (!still(s->items[s->start + i], now[i], deaths, newest))
            sequence_changed(s, i, now[i], at);
    }
    size_t from = head + common;
    if (s->count > n)
        sequence_gone(s, from, s->count - n, at);
    for (size_t i = from; s->count < n && recorder.recording; i++)
        sequence_arrived(s, i, now[i], at);
    s->epoch = recorder.identity.slot_deaths;
}

void resync_list(PyObject *o, SequenceNode *s, Where at)
{
    resync_items(s, ((PyListObject *)o)->ob_item, (size_t)PyList_GET_SIZE(o), at);
}

/* After `x += v`: a list got new items at its end; other containers are compared. */
void resync_grown(PyObject *o, Where at)
{
    if (!PyList_CheckExact(o)) {
        if (!raw_grown(o, at))
            resync(o, at);
        return;
    }
    SequenceNode *s = (SequenceNode *)explore_touch(o);
    size_t n = (size_t)PyList_GET_SIZE(o);
    if (s == NULL)
        return;
    if (n < s->count)
        resync_list(o, s, at);
    while (s->count < n && recorder.recording)
        sequence_arrived(s, s->count, PyList_GET_ITEM(o, s->count), at);
}

typedef struct {
    PyObject **items;
    size_t count, room;
} Collected;

static void collect(PyObject *item, void *context)
{
    Collected *c = context;
    if (c->count == c->room) {
        size_t room = c->room == 0 ? 64 : c->room * 2;
        PyObject **bigger = reallocate(c->items, room, sizeof *c->items);
        if (bigger == NULL)
            return;
        c->items = bigger;
        c->room = room;
    }
    c->items[c->count++] = item; /* borrowed: the deque holds it */
}

/* Every change to an exact deque is told (mutators.c), so its shadow is up to date unless that was not possible. */
static void resync_deque(PyObject *o, SequenceNode *s, Where at)
{
    if (s->head.is_current && (size_t)Py_SIZE(o) == s->count)
        return;
    Collected now = {0};
    deque_items(o, collect, &now);
    resync_items(s, now.items, now.count, at);
    release(now.items);
    s->head.is_current = Py_IS_TYPE(o, recorder.types.deque) && recorder.types.deque_is_watched;
}

/* -- attributes ------------------------------------------------------------------------------------------------------ */

typedef struct {
    PyObject *o;
    Node *node;
    Where at;
    int next;  /* where the shape is likely to have the next name: objects of a type are alike */
    int words; /* of `found` that are in use */
    uint64_t found[SHAPE_MAX / 64 + 1];
} AttrScan;

static int likely_slot(AttrScan *scan, PyObject *name)
{
    Shape *shape = scan->node->shape;
    int index = scan->next < shape->count && shape->attrs[scan->next].name == name
                    ? scan->next
                    : shape_slot(shape, name, true);
    scan->next = index + 1;
    return index;
}

static void mark_found(AttrScan *scan, int index)
{
    while (scan->words <= index / 64)
        scan->found[scan->words++] = 0;
    scan->found[index / 64] |= 1ull << (index % 64);
}

static bool was_found(AttrScan *scan, int index)
{
    return index / 64 < scan->words && (scan->found[index / 64] >> (index % 64) & 1);
}

static void scan_attr(PyObject *name, PyObject *value, void *context)
{
    AttrScan *scan = context;
    if (scan->node->shape->frame != FRAME_NONE && !frame_shows(scan->node->shape, name))
        return;
    int index = likely_slot(scan, name);
    if (index < 0)
        return;
    mark_found(scan, index);
    InstanceNode *attrs = attrs_of(scan->node);
    Slot slot = attrs != NULL && index < attrs->head.capacity ? attrs->slots[index] : 0;
    if (still(slot, value, any_death, UINT64_MAX))
        return;
    attr_write(scan->o, scan->node, name, value, scan->at, EV_ATTR);
    scan->node = node_find(scan->o); /* it may have moved */
}

/* Atoms among the parts may be made anew each time they are read. */
static void scan_part(PyObject *name, PyObject *value, void *context)
{
    AttrScan *scan = context;
    int index = likely_slot(scan, name);
    InstanceNode *attrs = attrs_of(scan->node);
    PyObject *last =
        attrs != NULL && index >= 0 && index < attrs->head.capacity ? SLOT_PTR(attrs->slots[index]) : NULL;
    scan->next = index; /* to be found again by the next line */
    if (last != NULL && SLOT_OWNED(attrs->slots[index]) && Py_TYPE(last) == Py_TYPE(value) &&
        PyObject_RichCompareBool(last, value, Py_EQ) == 1)
        value = last;
    scan_attr(name, value, context);
}

static void resync_attrs(PyObject *o, Node *node, Where at)
{
    Shape *shape = node->shape;
    if (!shape->has_own_attrs || known_for_ever(shape))
        return;
    note_own_dict(o);
    AttrScan scan; /* not zeroed as a whole: most objects use the first word of `found` */
    scan.o = o;
    scan.node = node_find(o);
    scan.at = at;
    scan.next = scan.words = 0;
    for (int i = 0; i < shape->fixed; i++) {
        PyObject *value = shape_member(o, &shape->attrs[i]);
        if (value != NULL)
            scan_attr(shape->attrs[i].name, value, &scan);
    }
    scan.next = shape->fixed;
    if (known_changes(shape) && (!known_has_state(shape) || (scan.node->flags & NODE_FOLLOWED)))
        known_visit(o, shape, scan_part, &scan);
    instance_visit(o, scan_attr, &scan);
    InstanceNode *attrs = attrs_of(scan.node);
    for (int i = 0; attrs != NULL && i < attrs->head.capacity; i++) {
        if (attrs->slots[i] == 0 || was_found(&scan, i))
            continue;
        attr_write(o, node_find(o), shape->attrs[i].name, NULL, at, EV_ATTR);
        attrs = attrs_of(node_find(o));
    }
}

static void resync_namespace(PyObject *o, TableNode *t, Where at)
{
    PyObject *dict = namespace_of(o);
    if (dict == NULL)
        return;
    PyObject *name, *value;
    Py_ssize_t i = 0;
    for (size_t n = 0; n < t->used; n++)
        t->entries[n].seen = 0;
    while (PyDict_Next(dict, &i, &name, &value)) {
        if (!PyUnicode_CheckExact(name))
            continue;
        TableEntry *e = table_find(t, NAME_VALUE(name_id(name)));
        if (e != NULL && still(e->value, value, any_death, UINT64_MAX)) {
            e->seen = 1;
            continue;
        }
        if (e == NULL &&
            (PyType_Check(o) ? !is_class_data(name, value) : PyUnicode_READ_CHAR(name, 0) == '_'))
            continue; /* methods, descriptors, __name__ and the like were left out at first sight */
        attr_write(o, &t->head, name, value, at, EV_ATTR);
        e = table_find(t, NAME_VALUE(name_id(name)));
        if (e != NULL)
            e->seen = 1;
    }
    for (size_t n = 0; n < t->used; n++) {
        if (t->entries[n].used && !t->entries[n].seen)
            attr_write(o, &t->head, SLOT_PTR(t->entries[n].key), NULL, at, EV_ATTR);
    }
    Py_DECREF(dict);
}

/* -- one object -------------------------------------------------------------------------------------------------------- */

void resync_node(PyObject *o, Node *node, Where at)
{
    PyObject *owner;
    switch (node->layout) {
    case LAYOUT_LIST:
        resync_list(o, (SequenceNode *)node, at);
        break;
    case LAYOUT_DEQUE:
        resync_deque(o, (SequenceNode *)node, at);
        break;
    case LAYOUT_ELEMENT:
        resync_items((SequenceNode *)node, element_children(o), (size_t)element_count(o), at);
        break;
    case LAYOUT_BYTEARRAY:
    case LAYOUT_ARRAY:
        raw_resync(o, (RawNode *)node, at);
        break;
    case LAYOUT_NDARRAY:
        ndarray_resync(o, (ArrayNode *)node, at);
        break;
    case LAYOUT_DICT:
        if ((node->flags & NODE_ATTRS_OF) && table_owner((TableNode *)node, &owner) != NULL) {
            resync(owner, at);
            return;
        }
        resync_table(o, (TableNode *)node, at);
        break;
    case LAYOUT_SET:
        resync_table(o, (TableNode *)node, at);
        break;
    case LAYOUT_CLASS:
    case LAYOUT_MODULE:
        resync_namespace(o, (TableNode *)node, at);
        return;
    case LAYOUT_METHOD:
    case LAYOUT_ACTIVATION:
    case LAYOUT_RANGE:
        return;
    case LAYOUT_OPAQUE:
        memory_resync(o, at);
        return;
    case LAYOUT_INSTANCE:
        if (!(Py_TYPE(o)->tp_flags & Py_TPFLAGS_HEAPTYPE))
            memory_resync(o, at);
        break;
    default:
        break;
    }
    resync_attrs(o, node_find(o), at);
}

void resync(PyObject *o, Where at)
{
    if (is_atom(o))
        return;
    Node *node = explore_touch(o);
    if (node != NULL)
        resync_node(o, node, at);
    else
        memory_resync(o, at);
}
