/* An object was in foreign hands, or a statement changed it in a way that is not known one by one:
   what differs from what was last seen becomes events.

   Pointers are compared. An atom's pointer is enough, because the shadow keeps the atom alive. Another
   object's is enough unless objects died whose address a shadow may hold: then the object must still be
   known, and not be younger than anything that was put there. */
#include "core.h"

/* -- is it still what was last seen? ---------------------------------------------------------------------- */

static bool still(Slot slot, PyObject *v, bool deaths, uint64_t newest)
{
    if (SLOT_PTR(slot) != v)
        return false;
    if (!deaths || SLOT_OWNED(slot) || v == NULL)
        return true;
    Node *node = node_find(v);
    return node != NULL && node->oid <= newest;
}

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

/* Brings the shadow to the n items now, by the fewest events that a common head and tail allow. */
static void resync_items(SequenceNode *s, PyObject **now, size_t n, Where at)
{
    bool deaths = (s->head.flags & NODE_HAS_REFS) && s->epoch != slot_deaths;
    uint64_t newest = s->newest;
    size_t head = 0, tail = 0, shorter = n < s->count ? n : s->count;
    Slot *old = s->items + s->start;
    while (head < shorter && still(old[head], now[head], deaths, newest))
        head++;
    while (tail < shorter - head &&
           still(old[s->count - 1 - tail], now[n - 1 - tail], deaths, newest))
        tail++;
    size_t common = shorter - head - tail;
    for (size_t i = head; i < head + common; i++) {
        if (!still(s->items[s->start + i], now[i], deaths, newest))
            sequence_changed(s, i, now[i], at);
    }
    size_t from = head + common;
    if (s->count > n)
        sequence_gone(s, from, s->count - n, at);
    for (size_t i = from; s->count < n; i++)
        sequence_arrived(s, i, now[i], at);
    s->epoch = slot_deaths;
}

void resync_list(PyObject *o, SequenceNode *s, Where at)
{
    resync_items(s, ((PyListObject *)o)->ob_item, (size_t)PyList_GET_SIZE(o), at);
}

/* After `x += v`: a list is longer by what it was extended with; other containers are compared. */
void resync_grown(PyObject *o, Where at)
{
    if (!PyList_CheckExact(o)) {
        resync(o, at);
        return;
    }
    SequenceNode *s = (SequenceNode *)explore_touch(o);
    size_t n = (size_t)PyList_GET_SIZE(o);
    if (s == NULL)
        return;
    if (n < s->count)
        resync_list(o, s, at);
    while (s->count < n)
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
        c->room = c->room == 0 ? 64 : c->room * 2;
        c->items = realloc(c->items, c->room * sizeof *c->items);
        if (c->items == NULL)
            Py_FatalError("wrongcall: out of memory");
    }
    c->items[c->count++] = item; /* borrowed: the deque holds it */
}

static void resync_deque(PyObject *o, SequenceNode *s, Where at)
{
    Collected now = {0};
    deque_items(o, collect, &now);
    resync_items(s, now.items, now.count, at);
    free(now.items);
}

/* -- bytearray and array -------------------------------------------------------------------------------------- */

#define FEW 64

static void resync_raw(PyObject *o, SequenceNode *s, Where at)
{
    Py_buffer view;
    int typecode;
    if (!array_view(o, &view, &typecode))
        return;
    size_t size = (size_t)view.len, differ = 0;
    const unsigned char *now = view.buf, *old = (unsigned char *)s->items;
    bool same_size = size == s->count;
    for (size_t i = 0; same_size && i < size && differ <= FEW; i++)
        differ += now[i] != old[i];
    if (same_size && differ == 0) {
        PyBuffer_Release(&view);
        return;
    }
    if (same_size && differ <= FEW && typecode == 0) {
        for (size_t i = 0; i < size; i++) {
            if (now[i] != old[i])
                emit(EV_ITEM, at, s->head.oid, INT_VALUE(i), INT_VALUE(now[i]));
        }
    }
    else {
        PyObject *bytes = PyBytes_FromStringAndSize(view.buf, view.len);
        if (bytes != NULL)
            emit(EV_FILL, at, s->head.oid, (Value){TAG_INT, (uint64_t)typecode}, encode(bytes));
        Py_XDECREF(bytes);
        PyErr_Clear();
    }
    raw_keep(s, view.buf, size);
    PyBuffer_Release(&view);
}

/* -- dicts and sets ---------------------------------------------------------------------------------------------- */

typedef struct {
    TableNode *t;
    Where at;
    size_t last; /* how far in the shadow the entries seen so far reach */
    bool deaths;
} Scan;

static void drop_entry(TableNode *t, TableEntry *e, Where at)
{
    int kind = t->head.layout == LAYOUT_DICT ? EV_ENTRY_DEL : EV_MEMBER_DEL;
    emit(kind, at, t->head.oid, (Value){e->tag, e->bits}, NO_VALUE);
    table_delete(t, e);
}

/* One entry as it is now: same place and value, another value, or new. */
static void scan_entry(Scan *scan, PyObject *key, PyObject *value)
{
    TableNode *t = scan->t;
    bool safe, ordered = t->head.layout == LAYOUT_DICT;
    Value encoded = encode_key(key, &safe);
    TableEntry *e = table_find(t, encoded);
    if (e != NULL && ordered && (size_t)(e - t->entries) < scan->last) {
        drop_entry(t, e, scan->at); /* taken out and put in again at the end */
        e = NULL;
    }
    if (e != NULL && !ordered && SLOT_PTR(e->key) != key && !is_atom(key)) {
        drop_entry(t, e, scan->at); /* an equal member took its place */
        e = NULL;
    }
    if (e == NULL || !still(e->value, value, scan->deaths, t->newest)) {
        entry_write(t, key, encoded, value, scan->at, ordered ? EV_ENTRY : EV_MEMBER);
        e = table_find(t, encoded);
    }
    e->seen = 1;
    if (ordered)
        scan->last = (size_t)(e - t->entries);
}

static void scan_all(PyObject *o, Scan *scan)
{
    if (PyDict_Check(o)) {
        PyObject *key, *value;
        DictWalk walk;
        dict_walk(&walk, o);
        while (dict_next(&walk, &key, &value))
            scan_entry(scan, key, value);
        dict_walked(&walk);
        return;
    }
    PySetObject *set = (PySetObject *)o;
    for (Py_ssize_t i = 0; i <= set->mask; i++) {
        if (set->table[i].key != NULL && set->table[i].hash != -1)
            scan_entry(scan, set->table[i].key, NULL);
    }
}

/* The common case: nothing changed, entry by entry in the same order. */
static bool dict_unchanged(PyObject *o, TableNode *t, bool deaths)
{
    if ((size_t)PyDict_GET_SIZE(o) != t->count)
        return false;
    PyObject *key, *value;
    DictWalk walk;
    size_t i = 0;
    bool same = true;
    dict_walk(&walk, o);
    while (same && dict_next(&walk, &key, &value)) {
        while (i < t->used && !t->entries[i].used)
            i++;
        same = i < t->used && SLOT_PTR(t->entries[i].key) == key &&
               still(t->entries[i].value, value, deaths, t->newest);
        i++;
    }
    dict_walked(&walk);
    return same;
}

void resync_table(PyObject *o, TableNode *t, Where at)
{
    bool deaths = (t->head.flags & NODE_HAS_REFS) && t->epoch != slot_deaths;
    Scan scan = {t, at, 0, deaths};
    if (PyDict_Check(o) && dict_unchanged(o, t, deaths))
        return;
    for (size_t i = 0; i < t->used; i++)
        t->entries[i].seen = 0;
    scan_all(o, &scan);
    for (size_t i = 0; i < t->used; i++) {
        if (t->entries[i].used && !t->entries[i].seen)
            drop_entry(t, &t->entries[i], at);
    }
    t->epoch = slot_deaths;
}

/* -- attributes ------------------------------------------------------------------------------------------------------ */

typedef struct {
    PyObject *o;
    Where at;
    uint64_t found[SHAPE_MAX / 64 + 1];
} AttrScan;

static void scan_attr(PyObject *name, PyObject *value, void *context)
{
    AttrScan *scan = context;
    Node *node = node_find(scan->o);
    int index = shape_slot(node->shape, name, true);
    if (index < 0)
        return;
    scan->found[index / 64] |= 1ull << (index % 64);
    InstanceNode *attrs = attrs_of(node);
    Slot slot = attrs != NULL && index < attrs->head.capacity ? attrs->slots[index] : 0;
    if (!still(slot, value, true, UINT64_MAX))
        attr_write(scan->o, node, name, value, scan->at, EV_ATTR);
}

static void resync_attrs(PyObject *o, Node *node, Where at)
{
    Shape *shape = node->shape;
    if (!shape->has_own_attrs)
        return;
    AttrScan scan = {o, at, {0}};
    for (int i = 0; i < shape->fixed; i++) {
        PyObject *value = shape_member(o, &shape->attrs[i]);
        if (value != NULL)
            scan_attr(shape->attrs[i].name, value, &scan);
    }
    instance_visit(o, scan_attr, &scan);
    InstanceNode *attrs = attrs_of(node_find(o));
    for (int i = 0; attrs != NULL && i < attrs->head.capacity; i++) {
        if (attrs->slots[i] != 0 && !(scan.found[i / 64] >> (i % 64) & 1))
            attr_write(o, node_find(o), shape->attrs[i].name, NULL, at, EV_ATTR);
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
        if (e != NULL && still(e->value, value, true, UINT64_MAX)) {
            e->seen = 1;
            continue;
        }
        if (e == NULL && (PyType_Check(o) ? PyFunction_Check(value) || Py_TYPE(value)->tp_descr_get
                                          : PyUnicode_READ_CHAR(name, 0) == '_'))
            continue; /* methods, descriptors, __name__ and the like were left out at first sight */
        attr_write(o, &t->head, name, value, at, EV_ATTR);
        table_find(t, NAME_VALUE(name_id(name)))->seen = 1;
    }
    for (size_t n = 0; n < t->used; n++) {
        if (t->entries[n].used && !t->entries[n].seen)
            attr_write(o, &t->head, SLOT_PTR(t->entries[n].key), NULL, at, EV_ATTR);
    }
    Py_DECREF(dict);
}

/* -- one object, and what it leads to ---------------------------------------------------------------------------------- */

static void resync_node(PyObject *o, Node *node, Where at)
{
    PyObject *owner;
    switch (node->layout) {
    case LAYOUT_LIST:
        resync_list(o, (SequenceNode *)node, at);
        break;
    case LAYOUT_DEQUE:
        resync_deque(o, (SequenceNode *)node, at);
        break;
    case LAYOUT_BYTEARRAY:
    case LAYOUT_ARRAY:
        resync_raw(o, (SequenceNode *)node, at);
        break;
    case LAYOUT_NDARRAY:
        ndarray_resync(o, (SequenceNode *)node, at);
        return;
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
    case LAYOUT_FUNCTION:
    case LAYOUT_METHOD:
    case LAYOUT_ACTIVATION:
    case LAYOUT_RANGE:
    case LAYOUT_OPAQUE:
        return;
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
}

/* What foreign code may have changed is looked at breadth first. The program's own objects are followed
   however far they lead; those of libraries, which the trace does not know, only near by. */
#define VISITS 1024        /* objects looked at per foreign call */
#define UNKNOWN_VISITS 128 /* of them, objects of libraries */
#define REACH 3            /* references followed from one object of a library to the next */

typedef struct {
    PyObject *o; /* borrowed: nothing runs meanwhile that could drop it */
    int strange; /* references followed since the last known object */
} Found;

typedef struct {
    Found queue[VISITS];
    int count, unknown, strange;
    uint16_t seen[VISITS * 2]; /* hash set: place in the queue + 1 */
} Deep;

static bool leads_nowhere(PyObject *o)
{
    return is_atom(o) || PyFunction_Check(o) || PyType_Check(o) || PyModule_Check(o) ||
           PyCode_Check(o) || PyFrame_Check(o);
}

static int visit_deep(PyObject *o, void *context)
{
    Deep *deep = context;
    if (leads_nowhere(o))
        return 0;
    if (deep->count == VISITS)
        return 1; /* ends the traversal */
    size_t at = (size_t)(((uint64_t)(uintptr_t)o >> 4) * 0x9E3779B97F4A7C15ull >> 40);
    for (;; at++) {
        uint16_t place = deep->seen[at % (VISITS * 2)];
        if (place == 0)
            break;
        if (deep->queue[place - 1].o == o)
            return 0;
    }
    deep->queue[deep->count] = (Found){o, deep->strange};
    deep->seen[at % (VISITS * 2)] = (uint16_t)++deep->count;
    return 0;
}

/* Brings one object up to date; does it lead to others that must be looked at? */
static bool look_at(PyObject *o, Where at, bool *known)
{
    Node *node = explore_touch(o);
    if (node != NULL) {
        resync_node(o, node, at);
        node = node_find(o);
    }
    else
        node = node_find(o); /* it may be known to the recorder and not yet to the trace */
    *known = node != NULL && !(node->flags & NODE_UNWRITTEN) && node->layout != LAYOUT_OPAQUE;
    if (Py_TYPE(o)->tp_traverse == NULL || !PyObject_IS_GC(o))
        return false;
    return !*known || (node->flags & NODE_HAS_REFS) || node->layout == LAYOUT_TUPLE ||
           node->layout == LAYOUT_METHOD;
}

static void follow(Deep *deep, Found found, bool known)
{
    if (!known && (found.strange >= REACH || ++deep->unknown > UNKNOWN_VISITS))
        return;
    deep->strange = known ? 0 : found.strange + 1;
    Py_TYPE(found.o)->tp_traverse(found.o, visit_deep, deep);
}

static void look_around(PyObject *o, Where at, bool known)
{
    Deep deep;
    deep.count = deep.unknown = deep.strange = 0;
    memset(deep.seen, 0, sizeof deep.seen);
    visit_deep(o, &deep);
    follow(&deep, deep.queue[0], known);
    for (int i = 1; i < deep.count; i++) {
        if (look_at(deep.queue[i].o, at, &known))
            follow(&deep, deep.queue[i], known);
    }
}

void resync_deep(PyObject *o, Where at)
{
    bool known;
    if (!leads_nowhere(o) && look_at(o, at, &known))
        look_around(o, at, known);
}
