/* Stores to attributes and subscripts.

   `a[k] = v` is done here, natively, and recorded (value, container and key are evaluated in
   Python's order). `name.x = v` is done by the interpreter, which has a fast path for it, and read back without
   running code. Where a target is part of something larger (unpacking, augmented assignment, `for`,
   `with`, `del`), a Target stands in for the container during that one store. */
#include "base/compat.h"
#include "base/allocate.h"
#include "base/branches.h"
#include "base/instance.h"
#include "buffers/buffers.h"
#include "capture/activation.h"
#include "capture/follow.h"
#include "capture/site.h"
#include "capture/subscripts.h"
#include "compare/reach.h"
#include "compare/resync.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "emit/events.h"
#include "known/pandas_frames.h"
#include "recorder.h"
#include "shadow/attributes.h"
#include "shadow/encode.h"
#include "shadow/first_sight.h"
#include "shadow/nodes.h"
#include "shadow/sequence.h"
#include "shadow/shape.h"
#include "shadow/slot.h"
#include "shadow/table.h"

static void reach(Handle *h, Site *site)
{
    look_at_followed();
    current_set(h);
    reach_site(h, site->id);
}

static Where reached(Handle *h, Site *site)
{
    return (Where){site->id, h->call};
}

static Py_ssize_t size_now(PyObject *o)
{
    return PyDict_Check(o) ? PyDict_GET_SIZE(o) : 0;
}

/* Whether storing a subscript runs code that records its own writes. */
static bool has_own_setitem(PyTypeObject *t, bool deletes)
{
    if (!(t->tp_flags & Py_TPFLAGS_HEAPTYPE))
        return false;
    PyObject *found = compat_type_lookup(t, deletes ? recorder.names.delitem : recorder.names.setitem);
    return found != NULL && PyFunction_Check(found) && func_of_function(found) != NULL;
}

/* -- a[k] = v --------------------------------------------------------------------------------------------- */

static int store_item(PyObject *o, PyObject *key, PyObject *value, Handle *h, Site *site)
{
    Py_ssize_t was = size_now(o);
    bool reports_itself = has_own_setitem(Py_TYPE(o), value == NULL); /* not after: look-ups clear errors */
    explore_touch(o);
    int failed = value == NULL ? PyObject_DelItem(o, key) : PyObject_SetItem(o, key, value);
    if (!recorder.recording || reports_itself)
        return failed;
    if (failed) {
        PyObject *type, *error, *traceback;
        PyErr_Fetch(&type, &error, &traceback);
        current_set(h);
        if (is_frame(o))
            resync_deep(o, reached(h, site));
        else
            resync(o, reached(h, site));
        PyErr_Restore(type, error, traceback);
        return failed;
    }
    current_set(h);
    written_subscript(o, key, value, was, reached(h, site));
    return 0;
}

/* `a[k] = v` is the first statement of its block, and its store may leave no event that tells so. */
static void block_begins(Handle *h, Site *site)
{
    emit(EV_BLOCK, reached(h, site), 0, NO_VALUE, NO_VALUE);
}

/* A list and an index within it; true: done. */
static bool store_list(PyObject *o, PyObject *key, PyObject *value, Handle *h, Site *site, bool first)
{
    int64_t n;
    if (!compat_small_int(key, &n))
        return false;
    if (n < 0)
        n += PyList_GET_SIZE(o);
    if (n < 0 || n >= PyList_GET_SIZE(o))
        return false;
    SequenceNode *s = (SequenceNode *)explore_touch(o);
    bool known = s != NULL && (size_t)n < s->count;
    if (first && !known)
        block_begins(h, site);
    PyObject *old = PyList_GET_ITEM(o, n);
    PyList_SET_ITEM(o, n, Py_NewRef(value));
    if (known) {
        Slot slot;
        Value encoded = encode_into(value, &s->head, &slot);
        emit(EV_ITEM, reached(h, site), s->head.oid, INT_VALUE(n), encoded);
        sequence_set(s, (size_t)n, slot);
    }
    else if (s != NULL)
        resync(o, reached(h, site));
    Py_DECREF(old);
    return true;
}

static PyObject *item_store(PyObject *self, PyObject *const *args, bool first)
{
    PyObject *value = args[1], *o = args[2], *key = args[3];
    if (UNLIKELY(!recorder.recording))
        return PyObject_SetItem(o, key, value) < 0 ? NULL : Py_NewRef(Py_None);
    Handle *h = handle_of(args[0]);
    reach(h, (Site *)self);
    if (PyList_CheckExact(o) && PyLong_CheckExact(key) && store_list(o, key, value, h, (Site *)self, first))
        Py_RETURN_NONE;
    if (first && !(PyDict_CheckExact(o) && is_atom(key) && explore_touch(o) != NULL))
        block_begins(h, (Site *)self);
    if (store_item(o, key, value, h, (Site *)self) < 0)
        return NULL;
    Py_RETURN_NONE;
}

PyObject *hook_item_store(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    return item_store(self, args, false);
}

PyObject *hook_first_item_store(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    return item_store(self, args, true);
}

/* An element, if it can be had without code of the program; new reference or NULL. */
static PyObject *element_now(PyObject *o, PyObject *key)
{
    PyObject *value = NULL;
    int64_t index = -1;
    Py_ssize_t size =
        PyList_Check(o) || PyTuple_Check(o) || Py_IS_TYPE(o, recorder.types.deque) ? Py_SIZE(o) : 0;
    if (PyLong_CheckExact(key) && compat_small_int(key, &index))
        index += index < 0 ? size : 0;
    if (index >= 0 && index < size) {
        if (PyList_Check(o))
            value = Py_NewRef(PyList_GET_ITEM(o, index));
        else if (PyTuple_Check(o))
            value = Py_NewRef(PyTuple_GET_ITEM(o, index));
        else
            value = recorder.types.deque->tp_as_sequence->sq_item(o, (Py_ssize_t)index);
    }
    else if (PyDict_Check(o) && is_atom(key))
        value = Py_XNewRef(PyDict_GetItemWithError(o, key));
    if (value == NULL)
        drop_error();
    return value;
}

/* After `name[key] += v`: read the element back. */
PyObject *hook_item_written(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (UNLIKELY(!recorder.recording))
        Py_RETURN_NONE;
    Handle *h = handle_of(args[0]);
    PyObject *o = args[1], *key = args[2];
    reach(h, (Site *)self);
    Node *node = explore_touch(o);
    Where at = reached(h, (Site *)self);
    if (is_frame(o)) {
        resync_deep(o, at);
        Py_RETURN_NONE;
    }
    if (has_own_setitem(Py_TYPE(o), false) || memory_subscript(o, node, key, false, at) || node == NULL)
        Py_RETURN_NONE;
    PyObject *value = element_now(o, key);
    if (value == NULL) {
        resync(o, at);
        Py_RETURN_NONE;
    }
    resync_grown(value, at); /* a list that was extended in place */
    bool safe;
    Py_ssize_t was = size_now(o);
    if (node->layout == LAYOUT_DICT && table_find((TableNode *)node, encode_key(key, &safe)) == NULL)
        was--; /* a defaultdict or Counter: += made the entry */
    written_subscript(o, key, value, was, at);
    Py_DECREF(value);
    Py_RETURN_NONE;
}

/* `x += v`, `x[key] += v` or `x.name += v` failed (args: handle, x; or and key; or and name and None): it
   may have changed x, or what x holds there. */
PyObject *hook_half_done(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (UNLIKELY(!recorder.recording))
        Py_RETURN_NONE;
    Handle *h = handle_of(args[0]);
    Py_ssize_t hint = -1;
    reach(h, (Site *)self);
    Where at = reached(h, (Site *)self);
    PyObject *part = n == 3   ? element_now(args[1], args[2])
                     : n == 4 ? Py_XNewRef(instance_get(args[1], args[2], &hint))
                              : NULL;
    if (part != NULL)
        resync_deep(part, at);
    Py_XDECREF(part);
    resync_deep(args[1], at);
    drop_error();
    Py_RETURN_NONE;
}

/* -- o.x = v ------------------------------------------------------------------------------------------------- */

enum { ATTR_UNKNOWN, ATTR_PLAIN, ATTR_SLOT, ATTR_CLASS, ATTR_COMPARE, ATTR_OWN };

/* How does this type store an attribute of this name? */
static int judge_store(PyTypeObject *t, PyObject *name, int *slot)
{
    if (t->tp_setattro == PyType_Type.tp_setattro) { /* a class: its metaclass may have a descriptor */
        PyObject *found = compat_type_lookup(t, name);
        return found == NULL || Py_TYPE(found)->tp_descr_set == NULL ? ATTR_CLASS : ATTR_COMPARE;
    }
    if (t->tp_setattro != PyObject_GenericSetAttr) {
        PyObject *found = compat_type_lookup(t, recorder.names.setattr);
        if (found != NULL && PyFunction_Check(found) && func_of_function(found) != NULL)
            return ATTR_OWN; /* its own __setattr__ is instrumented */
        return ATTR_COMPARE;
    }
    PyObject *found = compat_type_lookup(t, name);
    if (found != NULL && Py_TYPE(found)->tp_descr_set != NULL) {
        Shape *shape = shape_of(t);
        *slot = shape_slot(shape, name, false);
        /* Offset 0: not the member, but a key of the same name in the __dict__ of some instance. */
        if (Py_IS_TYPE(found, &PyMemberDescr_Type) && *slot >= 0 && shape->attrs[*slot].offset > 0)
            return ATTR_SLOT;
        return ATTR_COMPARE; /* a property or another descriptor */
    }
    return ATTR_PLAIN;
}

static int store_verdict(Site *site, PyTypeObject *t)
{
    if (UNLIKELY(site->type != t || site->version != t->tp_version_tag || site->version == 0 ||
                 site->epoch != recorder.shapes.epoch)) {
        site->verdict = judge_store(t, site->name, &site->slot);
        site->type = t;
        site->version = t->tp_version_tag;
        site->epoch = recorder.shapes.epoch;
        site->hint = -1;
    }
    return site->verdict;
}

static void class_stored(PyObject *o, TableNode *t, PyObject *name, Where at, bool augmented)
{
    PyObject *dict = augmented ? compat_type_dict((PyTypeObject *)o) : NULL;
    PyObject *value = dict == NULL ? NULL : PyDict_GetItemWithError(dict, name);
    if (value != NULL && !is_atom(value))
        resync_grown(value, at);
    drop_error();
    Py_XDECREF(dict);
    class_attr_written(o, t, name, at);
}

/* Records an attribute after it was stored or deleted. augmented: its value may have been changed in place. */
static void attr_stored(PyObject *o, Handle *h, Site *site, bool augmented)
{
    Where at = reached(h, site);
    Node *node = explore_touch(o);
    if (node == NULL)
        return;
    int verdict = store_verdict(site, Py_TYPE(o));
    if (verdict == ATTR_OWN)
        return;
    if (verdict == ATTR_COMPARE) {
        if (is_frame(o)) /* df.columns = names */
            resync_deep(o, at);
        else
            resync(o, at);
        return;
    }
    if (verdict == ATTR_CLASS) {
        class_stored(o, (TableNode *)node, site->name, at, augmented);
        return;
    }
    PyObject *value = verdict == ATTR_SLOT ? shape_member(o, &node->shape->attrs[site->slot])
                                           : instance_get(o, site->name, &site->hint);
    if (augmented && value != NULL && !is_atom(value))
        resync_grown(value, at);
    bool plain = verdict == ATTR_PLAIN && LIKELY(!(node->flags & NODE_SHARES));
    InstanceNode *attrs = plain ? attrs_of(node) : NULL;
    int index = attrs == NULL ? -1 : shape_slot(node->shape, site->name, true);
    if (value != NULL && index >= 0 && index < attrs->head.capacity) {
        Slot slot, old = attrs->slots[index];
        Value encoded = encode_into(value, node, &slot);
        emit(EV_ATTR, at, node->oid, NAME_VALUE(node->shape->attrs[index].id), encoded);
        attrs->slots[index] = slot;
        slot_release(old);
        return;
    }
    attr_write(o, node, site->name, value, at, EV_ATTR);
}

void tell_attr_written(Handle *h, Site *site, PyObject *o)
{
    reach(h, site);
    attr_stored(o, h, site, false);
}

PyObject *hook_attr_written(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (UNLIKELY(!recorder.recording))
        Py_RETURN_NONE;
    Handle *h = handle_of(args[0]);
    Site *site = (Site *)self;
    reach(h, site);
    attr_stored(args[1], h, site, n > 2);
    Py_RETURN_NONE;
}

/* The attribute is stored here, and what it is then is recorded; -1 with an error. */
static int store_attr(PyObject *o, PyObject *name, PyObject *value, Handle *h, Site *site)
{
    reach(h, site);
    explore_touch(o);
    if (PyObject_SetAttr(o, name, value) < 0)
        return -1;
    if (recorder.recording) {
        reach(h, site);
        attr_stored(o, h, site, true);
    }
    return 0;
}

/* `e.x = v` where e cannot be read a second time: args are the handle, v, e. */
PyObject *hook_attr_store(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    Site *site = (Site *)self;
    int failed = recorder.recording ? store_attr(args[2], site->name, args[1], handle_of(args[0]), site)
                                    : PyObject_SetAttr(args[2], site->name, args[1]);
    return failed ? NULL : Py_NewRef(Py_None);
}

/* -- targets ------------------------------------------------------------------------------------------------------ */

typedef struct Target {
    PyObject_HEAD
    PyObject *object; /* owned */
    Handle *handle;   /* owned */
    Site *site;       /* owned */
    PyObject *read;   /* owned: key or name that was read; NULL: none, or stored to since */
    struct Target *next;
} Target;

/* `a.b[k] += v` read the element and did not store it: it failed, but may have changed it. */
static void target_half_done(Target *t)
{
    PyObject *type, *error, *traceback;
    if (!recorder.recording)
        return;
    PyErr_Fetch(&type, &error, &traceback);
    PyObject *named = t->site->name == NULL ? Py_None : t->read;
    PyObject *args[4] = {(PyObject *)t->handle, t->object, t->read, named};
    Py_DECREF(hook_half_done((PyObject *)t->site, args, t->site->name == NULL ? 3 : 4));
    PyErr_Restore(type, error, traceback);
}

static void target_dealloc(PyObject *o)
{
    Target *t = (Target *)o;
    if (t->read != NULL)
        target_half_done(t);
    Py_CLEAR(t->read);
    Py_CLEAR(t->object);
    Py_CLEAR(t->handle);
    Py_CLEAR(t->site);
    t->next = recorder.spare.targets;
    recorder.spare.targets = t;
}

/* An element that is about to be changed in place (`x[k] += v`): what it is now is compared later. */
static PyObject *target_subscript(PyObject *self, PyObject *key)
{
    Target *t = (Target *)self;
    Py_XSETREF(t->read, Py_NewRef(key));
    return PyObject_GetItem(t->object, key);
}

static int target_ass_subscript(PyObject *self, PyObject *key, PyObject *value)
{
    Target *t = (Target *)self;
    PyObject *read = t->read;
    if (recorder.recording)
        reach(t->handle, t->site);
    int failed = store_item(t->object, key, value, t->handle, t->site);
    if (!failed && recorder.recording && value != NULL && !is_atom(value))
        resync_grown(value, reached(t->handle, t->site));
    if (!failed) {
        t->read = NULL;
        Py_XDECREF(read);
    }
    return failed;
}

static PyObject *target_getattro(PyObject *self, PyObject *name)
{
    Target *t = (Target *)self;
    Py_XSETREF(t->read, Py_NewRef(name));
    return PyObject_GetAttr(t->object, name);
}

static int target_setattro(PyObject *self, PyObject *name, PyObject *value)
{
    Target *t = (Target *)self;
    PyObject *read = t->read;
    int failed = recorder.recording ? store_attr(t->object, name, value, t->handle, t->site)
                                    : PyObject_SetAttr(t->object, name, value);
    if (!failed) {
        t->read = NULL;
        Py_XDECREF(read);
    }
    return failed;
}

static PyMappingMethods target_mapping = {
    .mp_subscript = target_subscript,
    .mp_ass_subscript = target_ass_subscript,
};

PyTypeObject Target_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "wrongcall.target",
    .tp_doc = "Stands for the container of one store.",
    .tp_basicsize = sizeof(Target),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_as_mapping = &target_mapping,
    .tp_getattro = target_getattro,
    .tp_setattro = target_setattro,
    .tp_dealloc = target_dealloc,
};

PyObject *hook_target(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (UNLIKELY(!recorder.recording))
        return Py_NewRef(args[1]);
    Target *t = recorder.spare.targets;
    if (t != NULL) {
        recorder.spare.targets = t->next;
        compat_new_again((PyObject *)t);
    }
    else if (allocation_fails() || (t = PyObject_New(Target, &Target_Type)) == NULL) {
        allocation_failed();
        PyErr_Clear();
        return Py_NewRef(args[1]);
    }
    Handle *h = handle_of(args[0]);
    t->object = Py_NewRef(args[1]);
    t->handle = (Handle *)Py_NewRef((PyObject *)h);
    t->site = (Site *)Py_NewRef(self);
    t->read = NULL;
    return (PyObject *)t;
}
