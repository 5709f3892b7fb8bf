/* Types: how their objects are laid out and which attributes their instances have.

   A shape belongs to one type and dies with it. It numbers the attribute names met on the type's
   instances, so that the shadow of an instance is an array of values. */
#include "base/compat.h"
#include "shadow/shape.h"
#include "base/allocate.h"
#include "base/lookup.h"
#include "buffers/buffers.h"
#include "capture/descriptor.h"
#include "capture/element_slots.h"
#include "emit/content.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "emit/events.h"
#include "foreign/watch.h"
#include "hide/hide_modules.h"
#include "known/elements.h"
#include "known/known.h"
#include "known/pandas_frames.h"
#include "recorder.h"
#include "shadow/declared_fields.h"
#include "shadow/identity.h"
#include "shadow/lifetime.h"
#include "shadow/nodes.h"
#include "shadow/program.h"
#include "shadow/tuple_fields.h"
#include <string.h>

/* -- type -> shape: open addressing -------------------------------------------------------------------- */

static Shape dead;

static size_t shape_home(PyTypeObject *type, size_t size)
{
    return (size_t)(((uint64_t)(uintptr_t)type >> 4) * 0x9E3779B97F4A7C15ull >> 32) & (size - 1);
}

static void shapes_grow(void)
{
    size_t size = recorder.shapes.size == 0 ? 1024 : recorder.shapes.size * 2;
    Shape **bigger = allocate(size, sizeof *bigger);
    if (bigger == NULL)
        return; /* a third of it is empty, and recording ends */
    recorder.shapes.count = 0;
    for (size_t i = 0; i < recorder.shapes.size; i++) {
        if (recorder.shapes.places[i] == NULL || recorder.shapes.places[i] == &dead)
            continue;
        size_t at = shape_home(recorder.shapes.places[i]->type, size);
        while (bigger[at] != NULL)
            at = (at + 1) & (size - 1);
        bigger[at] = recorder.shapes.places[i];
        recorder.shapes.count++;
    }
    release(recorder.shapes.places);
    recorder.shapes.places = bigger;
    recorder.shapes.size = size;
}

/* -- layouts ----------------------------------------------------------------------------------------------- */

static int layout_of(PyTypeObject *t)
{
    unsigned long flags = t->tp_flags;
    if (flags & Py_TPFLAGS_LIST_SUBCLASS)
        return LAYOUT_LIST;
    if (flags & Py_TPFLAGS_TUPLE_SUBCLASS)
        return LAYOUT_TUPLE;
    if (compat_is_dict_type(t))
        return LAYOUT_DICT;
    if (flags & Py_TPFLAGS_TYPE_SUBCLASS)
        return LAYOUT_CLASS;
    if (flags & Py_TPFLAGS_BASE_EXC_SUBCLASS)
        return LAYOUT_EXCEPTION;
    if (flags & (Py_TPFLAGS_LONG_SUBCLASS | Py_TPFLAGS_UNICODE_SUBCLASS | Py_TPFLAGS_BYTES_SUBCLASS) ||
        PyType_IsSubtype(t, &PyFloat_Type) || PyType_IsSubtype(t, &PyComplex_Type))
        return LAYOUT_SCALAR;
    if (PyType_IsSubtype(t, &PySet_Type))
        return LAYOUT_SET;
    if (PyType_IsSubtype(t, &PyFrozenSet_Type))
        return LAYOUT_FROZENSET;
    if (recorder.types.deque != NULL && PyType_IsSubtype(t, recorder.types.deque))
        return LAYOUT_DEQUE;
    if (PyType_IsSubtype(t, &PyByteArray_Type))
        return LAYOUT_BYTEARRAY;
    if (t == &PyFunction_Type)
        return LAYOUT_FUNCTION;
    if (t == &PyMethod_Type)
        return LAYOUT_METHOD;
    if (PyType_IsSubtype(t, &PyModule_Type))
        return LAYOUT_MODULE;
    if (t == &PyGen_Type || t == &PyCoro_Type || t == &PyAsyncGen_Type)
        return LAYOUT_ACTIVATION;
    if (t == &PyRange_Type)
        return LAYOUT_RANGE;
    if (t == &PySlice_Type)
        return LAYOUT_SLICE;
    if (array_base(t) != NULL)
        return LAYOUT_ARRAY;
    if (ndarray_base(t) != NULL)
        return LAYOUT_NDARRAY;
    if (element_base(t) != NULL)
        return LAYOUT_ELEMENT;
    return LAYOUT_INSTANCE;
}

/* False: there is no memory. */
static bool add_attr(Shape *shape, PyObject *name, Py_ssize_t offset)
{
    if (shape->count == shape->room) {
        uint16_t room = (uint16_t)(shape->room == 0 ? 8 : shape->room * 2);
        ShapeAttr *bigger = reallocate(shape->attrs, room, sizeof *shape->attrs);
        if (bigger == NULL)
            return false;
        shape->attrs = bigger;
        shape->room = room;
    }
    shape->attrs[shape->count++] = (ShapeAttr){Py_NewRef(name), name_id(name), offset};
    return true;
}

/* The slots of one class of the type's MRO: members that hold an object. */
static void add_members(Shape *shape, PyObject *dict)
{
    PyObject *name, *descriptor;
    Py_ssize_t at = 0;
    while (PyDict_Next(dict, &at, &name, &descriptor)) {
        if (!Py_IS_TYPE(descriptor, &PyMemberDescr_Type) || !PyUnicode_CheckExact(name)) {
            descriptor_meet(Py_TYPE(descriptor));
            continue;
        }
        if (PyUnicode_CompareWithASCIIString(name, "__dict__") == 0)
            continue; /* what is in it are the attributes */
        PyMemberDef *member = ((PyMemberDescrObject *)descriptor)->d_member;
        if ((member->type == T_OBJECT || member->type == T_OBJECT_EX) && member->offset > 0 &&
            !is_tuple_item(shape->type, member->offset) && shape->count < SHAPE_MAX &&
            shape_slot(shape, name, false) < 0)
            add_attr(shape, name, member->offset);
    }
}

static bool members_are_contents(int layout)
{
    return layout == LAYOUT_INSTANCE || layout == LAYOUT_EXCEPTION || layout == LAYOUT_LIST ||
           layout == LAYOUT_DICT || layout == LAYOUT_TUPLE || layout == LAYOUT_SET ||
           layout == LAYOUT_SLICE || layout == LAYOUT_SCALAR || layout == LAYOUT_DEQUE ||
           layout == LAYOUT_BYTEARRAY || layout == LAYOUT_ARRAY || layout == LAYOUT_NDARRAY ||
           layout == LAYOUT_ELEMENT;
}

/* What every exception has, beside its own attributes. */
static void add_exception_members(Shape *shape)
{
    static const struct {
        const char *name;
        size_t offset;
    } members[] = {{"args", offsetof(PyBaseExceptionObject, args)},
                   {"__cause__", offsetof(PyBaseExceptionObject, cause)},
                   {"__context__", offsetof(PyBaseExceptionObject, context)}};
    for (int i = 0; i < 3; i++) {
        PyObject *name = PyUnicode_InternFromString(members[i].name);
        if (name == NULL) {
            drop_error();
            return;
        }
        add_attr(shape, name, (Py_ssize_t)members[i].offset);
        Py_DECREF(name);
    }
}

static void find_members(Shape *shape)
{
    if (shape->layout == LAYOUT_EXCEPTION)
        add_exception_members(shape);
    PyObject *mro = shape->type->tp_mro;
    if (mro == NULL || !members_are_contents(shape->layout))
        return;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(mro); i++) {
        PyObject *base = PyTuple_GET_ITEM(mro, i);
        PyObject *dict = PyType_Check(base) ? compat_type_dict((PyTypeObject *)base) : NULL;
        if (dict != NULL && !known_instead_of_slots((PyTypeObject *)base))
            add_members(shape, dict);
        Py_XDECREF(dict);
    }
    shape->fixed = shape->count;
}

/* Readers know instances, and what these containers keep beside their items. */
static bool has_reader(int layout)
{
    return layout == LAYOUT_INSTANCE || layout == LAYOUT_DEQUE || layout == LAYOUT_ARRAY;
}

/* A shape ends with its type, so the type itself is watched. */
static void watch_type(PyTypeObject *type)
{
    void *base = object_base((PyObject *)type);
    if (!(type->tp_flags & Py_TPFLAGS_HEAPTYPE) || node_find_base(base) != NULL)
        return;
    Shape *meta = shape_of(Py_TYPE(type));
    node_new(base, meta, LAYOUT_CLASS, sizeof(TableNode))->flags |= NODE_UNWRITTEN;
}

static void shape_insert(Shape *shape)
{
    size_t at = shape_home(shape->type, recorder.shapes.size);
    while (recorder.shapes.places[at] != NULL)
        at = (at + 1) & (recorder.shapes.size - 1);
    recorder.shapes.places[at] = shape;
    recorder.shapes.count++;
}

/* The shape is in the table before anything else is asked: a type can be its own metatype, or the
   metatype of its metatype. */
static Shape *shape_make(PyTypeObject *type)
{
    Shape *shape = allocate(1, sizeof *shape);
    shape->type = type;
    shape->layout = (uint8_t)layout_of(type);
    shape_insert(shape);
    lifetime_meet(type);
    find_members(shape);
    if (has_reader(shape->layout))
        shape->known = known_type(type);
    if (shape->layout == LAYOUT_ELEMENT) {
        shape->known = &known_element;
        element_met(element_base(type));
    }
    if (shape->layout == LAYOUT_TUPLE)
        shape->item_names = tuple_fields(type);
    if (shape->layout == LAYOUT_INSTANCE)
        shape->frame = (uint8_t)frame_class(type);
    if (shape->frame != FRAME_NONE)
        frame_met(type);
    shape->has_own_attrs = shape->count > 0 || shape->known != NULL || type->tp_dictoffset != 0 ||
                           (type->tp_flags & Py_TPFLAGS_MANAGED_DICT) != 0;
    if (shape->layout == LAYOUT_INSTANCE && !shape->has_own_attrs)
        shape->layout = LAYOUT_OPAQUE;
    watch_type(type);
    watch_class(type);
    return shape;
}

Shape *shape_of(PyTypeObject *type)
{
    if (recorder.shapes.count * 3 >= recorder.shapes.size * 2)
        shapes_grow();
    size_t at = shape_home(type, recorder.shapes.size);
    while (recorder.shapes.places[at] != NULL) {
        if (recorder.shapes.places[at]->type == type)
            return recorder.shapes.places[at];
        at = (at + 1) & (recorder.shapes.size - 1);
    }
    return shape_make(type);
}

void shapes_watch_again(void)
{
    size_t size = recorder.shapes.size;
    PyTypeObject **types = allocate(size, sizeof *types); /* the table may grow meanwhile */
    for (size_t i = 0; types != NULL && i < size; i++) {
        Shape *shape = recorder.shapes.places[i];
        types[i] = shape == NULL || shape == &dead ? NULL : shape->type;
    }
    for (size_t i = 0; types != NULL && i < size; i++) {
        if (types[i] != NULL)
            watch_type(types[i]);
    }
    release(types);
}

static void shape_free(Shape *shape)
{
    for (int i = 0; i < shape->count; i++)
        Py_DECREF(shape->attrs[i].name);
    release(shape->attrs);
    Py_XDECREF(shape->item_names);
    release(shape);
}

/* Nobody tells of the death of a type any more; and the next trace has types of its own. */
void shapes_clear(void)
{
    size_t size = recorder.shapes.size;
    Shape **places = recorder.shapes.places;
    recorder.shapes.places = NULL;
    recorder.shapes.size = recorder.shapes.count = 0;
    recorder.shapes.last_type = recorder.shapes.last_fields = 0;
    recorder.shapes.epoch++;
    for (size_t i = 0; i < size; i++) {
        if (places[i] != NULL && places[i] != &dead)
            shape_free(places[i]);
    }
    release(places);
}

void shape_forget(PyTypeObject *type)
{
    recorder.shapes.epoch++;
    if (recorder.shapes.size == 0)
        return;
    for (size_t at = shape_home(type, recorder.shapes.size); recorder.shapes.places[at] != NULL;
         at = (at + 1) & (recorder.shapes.size - 1)) {
        Shape *shape = recorder.shapes.places[at];
        if (shape->type != type)
            continue;
        recorder.shapes.places[at] = &dead;
        shape_free(shape);
        return;
    }
}

/* -- attributes ----------------------------------------------------------------------------------------------- */

int shape_slot(Shape *shape, PyObject *name, bool add)
{
    for (int i = 0; i < shape->count; i++) {
        if (shape->attrs[i].name == name)
            return i;
    }
    for (int i = 0; i < shape->count; i++) { /* a name that is not interned */
        if (PyUnicode_GET_LENGTH(name) == PyUnicode_GET_LENGTH(shape->attrs[i].name) &&
            PyUnicode_Compare(name, shape->attrs[i].name) == 0)
            return i;
    }
    if (!add || shape->count >= SHAPE_MAX)
        return -1;
    if (compat_type_lookup(shape->type, name) != NULL) {
        shape->shadows = true;
        recorder.shapes.epoch++;
    }
    return add_attr(shape, name, 0) ? shape->count - 1 : -1;
}

PyObject *shape_member(PyObject *o, const ShapeAttr *attr)
{
    return *(PyObject **)((char *)o + attr->offset);
}

/* Do objects of a library's type keep anything in C, where nobody can look? */
static bool is_native(PyTypeObject *type)
{
    for (; type != NULL && (type->tp_flags & Py_TPFLAGS_HEAPTYPE); type = type->tp_base) {
        if (((PyHeapTypeObject *)type)->ht_module != NULL)
            return true;
    }
    return false;
}

static int told_origin(Shape *shape)
{
    int origin = origin_of(shape->type);
    if (origin == ORIGIN_PROGRAM)
        return origin;
    if (shape->known != NULL)
        return ORIGIN_BUILTIN;
    return origin == ORIGIN_LIBRARY && is_native(shape->type) ? ORIGIN_NATIVE : origin;
}

/* Writes the type's name out, once. */
void shape_announce(Shape *shape)
{
    if (shape->announced) {
        fields_announce(shape);
        return;
    }
    shape->announced = true;
    shape->type_id = ++recorder.shapes.last_type;
    const char *name = shape->type->tp_name;
    char text[512];
    int size;
    if (shape->type->tp_flags & Py_TPFLAGS_HEAPTYPE) {
        PyHeapTypeObject *heap = (PyHeapTypeObject *)shape->type;
        PyObject *dict = compat_type_dict(shape->type);
        PyObject *module = dict == NULL ? NULL : dict_find(dict, "__module__");
        const char *module_name =
            module != NULL && PyUnicode_CheckExact(module) && PyUnicode_IS_COMPACT_ASCII(module)
                ? (const char *)PyUnicode_1BYTE_DATA(module)
                : "";
        PyObject *qualname = heap->ht_qualname;
        PyObject *encoded = PyUnicode_AsEncodedString(qualname, "utf-8", "surrogatepass");
        if (encoded == NULL)
            drop_error();
        size = snprintf(text, sizeof text, "%.200s%c%.300s", module_name, 0,
                        encoded == NULL ? name : PyBytes_AS_STRING(encoded));
        Py_XDECREF(encoded);
        Py_XDECREF(dict);
    }
    else {
        const char *dot = strrchr(name, '.');
        size = dot == NULL ? snprintf(text, sizeof text, "builtins%c%.300s", 0, name)
                           : snprintf(text, sizeof text, "%.*s%c%.300s",
                                      (int)(dot - name < 200 ? dot - name : 200), name, 0, dot + 1);
    }
    if (size >= (int)sizeof text)
        size = (int)sizeof text - 1;
    Value key = {(uint8_t)told_origin(shape), shape->layout};
    emit_text(EV_TYPE, key, INT_VALUE(shape->type_id), text, (size_t)size);
    fields_announce(shape);
}

/* -- the types of `collections` ---------------------------------------------------------------------------------- */

static PyTypeObject *find_type(PyObject *module, const char *name)
{
    PyObject *type = PyObject_GetAttrString(module, name);
    return (PyTypeObject *)type; /* kept for the life of the process */
}

int shape_setup(void)
{
    PyObject *module = load_module("_collections");
    if (module == NULL)
        return -1;
    recorder.types.deque = find_type(module, "deque");
    recorder.types.defaultdict = find_type(module, "defaultdict");
    recorder.types.ordered_dict = find_type(module, "OrderedDict");
    Py_DECREF(module);
    return recorder.types.deque == NULL || recorder.types.defaultdict == NULL ||
                   recorder.types.ordered_dict == NULL
               ? -1
               : 0;
}
