/* Attributes of objects: where the shadow keeps what was last seen of them, and writing one. */
#include "base/compat.h"
#include "shadow/attributes.h"
#include "base/allocate.h"
#include "base/branches.h"
#include "base/instance.h"
#include "emit/content.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "emit/events.h"
#include "shadow/dict_alias.h"
#include "shadow/encode.h"
#include "shadow/identity.h"
#include "shadow/nodes.h"
#include "shadow/program.h"
#include "shadow/shape.h"
#include "shadow/slot.h"
#include "shadow/table.h"
#include <string.h>

InstanceNode *attrs_of(Node *node)
{
    switch (node->layout) {
    case LAYOUT_LIST:
    case LAYOUT_DEQUE:
    case LAYOUT_ELEMENT:
    case LAYOUT_BYTEARRAY:
    case LAYOUT_ARRAY:
    case LAYOUT_NDARRAY:
        return ((SequenceNode *)node)->attrs;
    case LAYOUT_DICT:
    case LAYOUT_SET:
    case LAYOUT_FROZENSET:
        return ((TableNode *)node)->attrs;
    case LAYOUT_TUPLE:
        return node->shape->has_own_attrs ? ((PlainNode *)node)->attrs : NULL;
    case LAYOUT_ACTIVATION:
    case LAYOUT_CLASS:
    case LAYOUT_MODULE:
    case LAYOUT_LONG_STR:
        return NULL;
    default:
        return (InstanceNode *)node;
    }
}

static InstanceNode *side_attrs(InstanceNode **place, int capacity)
{
    uint32_t units;
    InstanceNode *attrs = units_alloc(sizeof *attrs + (size_t)capacity * sizeof(Slot), &units);
    if (*place != NULL) {
        memcpy(attrs, *place, sizeof *attrs + (*place)->head.capacity * sizeof(Slot));
        units_free(*place, (*place)->head.units);
    }
    attrs->head.layout = LAYOUT_INSTANCE;
    attrs->head.units = units;
    attrs->head.capacity = (uint16_t)capacity;
    *place = attrs;
    return attrs;
}

/* May move the node of an instance: callers find it again. */
Slot *attr_place(PyObject *o, Node *node, int index)
{
    InstanceNode *attrs = attrs_of(node);
    if (attrs != NULL && index < attrs->head.capacity)
        return &attrs->slots[index];
    int capacity = node->shape->count;
    if (capacity <= index)
        capacity = index + 1;
    if (is_instance_node(node)) {
        size_t size = sizeof(InstanceNode) + (size_t)capacity * sizeof(Slot);
        attrs = (InstanceNode *)node_resize(object_base(o), node, size);
        attrs->head.capacity = (uint16_t)capacity;
    }
    else if (node->layout == LAYOUT_TUPLE)
        attrs = side_attrs(&((PlainNode *)node)->attrs, capacity);
    else if (node->layout == LAYOUT_DICT || node->layout == LAYOUT_SET || node->layout == LAYOUT_FROZENSET)
        attrs = side_attrs(&((TableNode *)node)->attrs, capacity);
    else
        attrs = side_attrs(&((SequenceNode *)node)->attrs, capacity);
    return &attrs->slots[index];
}

PyObject *attr_now(PyObject *o, ShapeAttr *attr)
{
    Py_ssize_t hint = -1;
    return attr->offset > 0 ? shape_member(o, attr) : instance_get(o, attr->name, &hint);
}

void namespace_write(TableNode *t, PyObject *name, PyObject *value, Where at, int kind)
{
    Value key = NAME_VALUE(name_id(name));
    TableEntry *e = table_find(t, key);
    if (value == NULL) {
        emit(EV_ATTR_DEL, at, t->head.oid, key, NO_VALUE);
        if (e != NULL)
            table_delete(t, e);
        return;
    }
    Slot slot;
    Value encoded = encode_into(value, &t->head, &slot);
    emit(kind, at, t->head.oid, key, encoded);
    if (e != NULL)
        table_set(e, slot);
    else
        table_add(t, (Slot)Py_NewRef(name) | 1, key, slot);
}

void class_attr_written(PyObject *o, TableNode *t, PyObject *name, Where at)
{
    PyObject *dict = namespace_of(o);
    if (dict == NULL)
        return;
    PyObject *value = PyDict_GetItemWithError(dict, name);
    bool known = table_find(t, NAME_VALUE(name_id(name))) != NULL;
    if (known || (value != NULL && is_class_data(name, value)))
        namespace_write(t, name, value, at, EV_ATTR);
    drop_error();
    Py_DECREF(dict);
}

void attr_write(PyObject *o, Node *node, PyObject *name, PyObject *value, Where at, int kind)
{
    if (is_namespace_layout(node->layout)) {
        namespace_write((TableNode *)node, name, value, at, kind);
        return;
    }
    if (UNLIKELY(node->flags & NODE_SHARES) && !(kind & EV_SEEN)) {
        share_write(o, name, value, at, kind);
        node = node_find(o);
    }
    int index = shape_slot(node->shape, name, true);
    uint64_t oid = node->oid;
    Value key = NAME_VALUE(index >= 0 ? node->shape->attrs[index].id : name_id(name));
    if (value == NULL) {
        emit(EV_ATTR_DEL, at, oid, key, NO_VALUE);
        if (index >= 0) {
            Slot *place = attr_place(o, node, index);
            slot_release(*place);
            *place = 0;
        }
        return;
    }
    Slot slot;
    Value encoded = encode_into(value, node, &slot);
    emit(kind, at, oid, key, encoded);
    if (index >= 0) {
        node = node_find(o);
        Slot *place = attr_place(o, node, index);
        Slot old = *place;
        *place = slot;
        slot_release(old);
    }
    else
        slot_release(slot);
}
