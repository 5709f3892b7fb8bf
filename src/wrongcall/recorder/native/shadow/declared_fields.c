/* Declared fields: which attributes a class says its instances have, and in which order.

   They are read off the namespaces of the class and its bases, where dataclasses, attrs, pydantic,
   SQLAlchemy, Django, named tuples, `__slots__` and annotations leave them. Only dicts, tuples, lists and
   slots are read, by their C layout: no attribute is asked for, no descriptor and no `__annotate__` runs.
   What does not look as expected declares nothing. */
#include "base/compat.h"
#include "shadow/declared_fields.h"
#include "base/allocate.h"
#include "base/instance.h"
#include "emit/content.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "emit/events.h"
#include "recorder.h"
#include "shadow/program.h"
#include "shadow/shape.h"
#include <string.h>

#define TEXT_MAX 8192 /* bytes of all names of a class; fields beyond that are not told */
#define TRIES 3       /* a class may be declared in full only after its first object was seen */

/* In the order in which they count where a class has several of them. */
enum { MAPPER, DJANGO, PYDANTIC, ATTRS, DATACLASS, NAMED_TUPLE, SLOTS, ANNOTATIONS, MARKS };

static const char *const marks[MARKS] = {
    "__mapper__",           "_meta",   "__pydantic_fields__", "__attrs_attrs__",
    "__dataclass_fields__", "_fields", "__slots__",           "__annotations__"};

typedef struct {
    PyObject *of[MARKS]; /* borrowed or NULL */
} Namespace;

typedef struct {
    char text[TEXT_MAX]; /* the kind of class, then its fields; each ends with 0 */
    size_t size, first;  /* where the fields begin */
} Told;

/* -- telling --------------------------------------------------------------------------------------------- */

static void tell(Told *told, const char *name, size_t size)
{
    if (told->size + size + 1 > TEXT_MAX)
        return;
    memcpy(told->text + told->size, name, size);
    told->size += size;
    told->text[told->size++] = 0;
}

static void begin(Told *told, const char *kind)
{
    told->size = 0;
    tell(told, kind, strlen(kind));
    told->first = told->size;
}

static bool is_told(const Told *told, const char *name)
{
    for (size_t at = told->first; at < told->size; at += strlen(told->text + at) + 1) {
        if (strcmp(told->text + at, name) == 0)
            return true;
    }
    return false;
}

/* What cannot be told, or is told already, is left out. */
static void tell_field(Told *told, PyObject *name)
{
    if (name == NULL || !PyUnicode_CheckExact(name))
        return;
    PyObject *encoded = PyUnicode_AsEncodedString(name, "utf-8", "strict");
    if (encoded == NULL) {
        drop_error();
        return;
    }
    const char *text = PyBytes_AS_STRING(encoded);
    size_t size = (size_t)PyBytes_GET_SIZE(encoded);
    if (size > 0 && strlen(text) == size && !is_told(told, text))
        tell(told, text, size);
    Py_DECREF(encoded);
}

static void tell_keys(Told *told, PyObject *dict)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(dict, &at, &key, &value))
        tell_field(told, key);
}

/* -- reading objects of libraries ---------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    PyObject *value; /* borrowed or NULL */
} Wanted;

static void note_wanted(PyObject *name, PyObject *value, void *context)
{
    Wanted *wanted = context;
    if (PyUnicode_CheckExact(name) && PyUnicode_CompareWithASCIIString(name, wanted->name) == 0)
        wanted->value = value;
}

/* What an object's dictionary or one of its slots holds; borrowed or NULL. */
static PyObject *held(PyObject *o, const char *name)
{
    Wanted wanted = {name, NULL};
    instance_visit(o, note_wanted, &wanted);
    Shape *shape = wanted.value == NULL ? shape_of(Py_TYPE(o)) : NULL;
    for (int i = 0; shape != NULL && i < shape->fixed; i++) {
        if (PyUnicode_CompareWithASCIIString(shape->attrs[i].name, name) == 0)
            return shape_member(o, &shape->attrs[i]);
    }
    return wanted.value;
}

/* The class's own namespace has the module's name: no attribute is asked for. */
static bool is_from(PyTypeObject *type, const char *package)
{
    PyObject *dict = compat_type_dict(type);
    PyObject *key, *value, *module = NULL;
    Py_ssize_t at = 0;
    while (dict != NULL && PyDict_Next(dict, &at, &key, &value)) {
        if (PyUnicode_CheckExact(key) && PyUnicode_CompareWithASCIIString(key, "__module__") == 0)
            module = value;
    }
    bool found = false;
    if (module != NULL && PyUnicode_CheckExact(module) && PyUnicode_IS_COMPACT_ASCII(module)) {
        size_t size = strlen(package);
        const char *text = (const char *)PyUnicode_1BYTE_DATA(module);
        found = strncmp(text, package, size) == 0 && (text[size] == '.' || text[size] == 0);
    }
    Py_XDECREF(dict);
    return found;
}

static PyObject *const *elements(PyObject *sequence, Py_ssize_t *count)
{
    bool is_list = sequence != NULL && PyList_CheckExact(sequence);
    *count = 0;
    if (!is_list && (sequence == NULL || !PyTuple_Check(sequence)))
        return NULL;
    *count = is_list ? PyList_GET_SIZE(sequence) : PyTuple_GET_SIZE(sequence);
    return is_list ? ((PyListObject *)sequence)->ob_item : ((PyTupleObject *)sequence)->ob_item;
}

/* The names of all elements: what an attribute of each holds. False: they are not what was expected. */
static bool tell_named(Told *told, PyObject *sequence, const char *attribute)
{
    Py_ssize_t count;
    PyObject *const *each = elements(sequence, &count);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *name = PyType_Check(each[i]) ? NULL : held(each[i], attribute);
        if (name == NULL || !PyUnicode_CheckExact(name))
            return false;
        tell_field(told, name);
    }
    return each != NULL;
}

/* -- the kinds of classes ------------------------------------------------------------------------------------ */

static bool is_column(PyObject *property)
{
    return strcmp(Py_TYPE(property)->tp_name, "ColumnProperty") == 0;
}

/* The columns, as in the table; then relationships and the rest. */
static bool tell_mapped(Told *told, PyObject *mapper)
{
    PyObject *properties = is_from(Py_TYPE(mapper), "sqlalchemy") ? held(mapper, "_props") : NULL;
    if (properties == NULL || !PyDict_CheckExact(properties))
        return false;
    begin(told, "sqlalchemy");
    for (int columns = 1; columns >= 0; columns--) {
        PyObject *key, *property;
        Py_ssize_t at = 0;
        while (PyDict_Next(properties, &at, &key, &property)) {
            if (is_column(property) == (columns == 1))
                tell_field(told, key);
        }
    }
    return true;
}

/* All columns are known once an object was made; before that, those of the model itself. */
static bool tell_django(Told *told, PyObject *meta, bool *in_full)
{
    if (!is_from(Py_TYPE(meta), "django"))
        return false;
    begin(told, "django");
    PyObject *columns = held(meta, "concrete_fields");
    *in_full = columns != NULL;
    return tell_named(told, columns != NULL ? columns : held(meta, "local_fields"), "attname");
}

static bool tell_dict(Told *told, const char *kind, PyObject *dict)
{
    if (!PyDict_CheckExact(dict))
        return false;
    begin(told, kind);
    tell_keys(told, dict);
    return true;
}

static bool tell_attrs(Told *told, PyObject *attributes)
{
    begin(told, "attrs");
    return PyTuple_Check(attributes) && tell_named(told, attributes, "name");
}

static bool tell_named_tuple(Told *told, PyTypeObject *type, PyObject *names)
{
    if (!(type->tp_flags & Py_TPFLAGS_TUPLE_SUBCLASS) || !PyTuple_CheckExact(names))
        return false;
    begin(told, "namedtuple");
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); i++)
        tell_field(told, PyTuple_GET_ITEM(names, i));
    return true;
}

static bool tell_record(Told *told, PyTypeObject *type, const Namespace *space, bool *in_full)
{
    PyObject *const *of = space->of;
    *in_full = true;
    return (of[MAPPER] != NULL && tell_mapped(told, of[MAPPER])) ||
           (of[DJANGO] != NULL && tell_django(told, of[DJANGO], in_full)) ||
           (of[PYDANTIC] != NULL && tell_dict(told, "pydantic", of[PYDANTIC])) ||
           (of[ATTRS] != NULL && tell_attrs(told, of[ATTRS])) ||
           (of[DATACLASS] != NULL && tell_dict(told, "dataclass", of[DATACLASS])) ||
           (of[NAMED_TUPLE] != NULL && tell_named_tuple(told, type, of[NAMED_TUPLE]));
}

/* `__slots__ = ("__x",)` in a class C makes the attribute `_C__x`. */
static void tell_slot(Told *told, PyTypeObject *type, PyObject *name)
{
    const char *class = strrchr(type->tp_name, '.') ? strrchr(type->tp_name, '.') + 1 : type->tp_name;
    Py_ssize_t size = PyUnicode_CheckExact(name) ? PyUnicode_GET_LENGTH(name) : 0;
    bool private =
        size > 2 && PyUnicode_READ_CHAR(name, 0) == '_' && PyUnicode_READ_CHAR(name, 1) == '_' &&
        !(PyUnicode_READ_CHAR(name, size - 1) == '_' && PyUnicode_READ_CHAR(name, size - 2) == '_');
    while (*class == '_')
        class++;
    if (!private || *class == 0) {
        tell_field(told, name);
        return;
    }
    PyObject *mangled = PyUnicode_FromFormat("_%s%U", class, name);
    if (mangled == NULL)
        drop_error();
    tell_field(told, mangled);
    Py_XDECREF(mangled);
}

static void tell_plain(Told *told, PyTypeObject *type, const Namespace *space)
{
    Py_ssize_t count;
    PyObject *slots = space->of[SLOTS];
    PyObject *const *each = elements(slots, &count);
    if (slots != NULL && PyUnicode_CheckExact(slots))
        tell_slot(told, type, slots);
    for (Py_ssize_t i = 0; i < count; i++)
        tell_slot(told, type, each[i]);
    if (space->of[ANNOTATIONS] != NULL && PyDict_CheckExact(space->of[ANNOTATIONS]))
        tell_keys(told, space->of[ANNOTATIONS]);
}

/* -- classes --------------------------------------------------------------------------------------------------- */

/* One walk through the namespace: looking names up might compare them with keys of the program's. */
static void read_namespace(PyTypeObject *type, Namespace *space)
{
    *space = (Namespace){{NULL}};
    PyObject *key, *value, *dict = compat_type_dict(type);
    Py_ssize_t at = 0;
    while (dict != NULL && PyDict_Next(dict, &at, &key, &value)) {
        if (!PyUnicode_CheckExact(key) || PyUnicode_GET_LENGTH(key) < 5 || PyUnicode_READ_CHAR(key, 0) != '_')
            continue;
        for (int i = 0; i < MARKS; i++) {
            if (PyUnicode_CompareWithASCIIString(key, marks[i]) == 0)
                space->of[i] = value;
        }
    }
    Py_XDECREF(dict);
}

/* Is one of the bases a class of a library, which may have attributes of its own? */
static bool is_derived(PyObject *mro, Py_ssize_t count)
{
    static const char *const without[] = {"typing", "abc", "collections", "enum", "typing_extensions"};
    for (Py_ssize_t i = 1; i < count; i++) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        bool library = PyType_Check(base) && (base->tp_flags & Py_TPFLAGS_HEAPTYPE) && !is_program_type(base);
        for (size_t k = 0; library && k < Py_ARRAY_LENGTH(without); k++)
            library = !is_from(base, without[k]);
        if (library)
            return true;
    }
    return false;
}

/* False: what was told may be only a part, or too early. */
static bool tell_class(Told *told, PyTypeObject *type)
{
    PyObject *mro = type->tp_mro;
    Namespace space;
    bool in_full;
    Py_ssize_t count = mro == NULL ? 0 : PyTuple_GET_SIZE(mro);
    for (Py_ssize_t i = 0; i < count; i++) {
        if (!PyType_Check(PyTuple_GET_ITEM(mro, i)))
            continue;
        read_namespace((PyTypeObject *)PyTuple_GET_ITEM(mro, i), &space);
        if (tell_record(told, type, &space, &in_full))
            return in_full;
    }
    begin(told, "plain");
    if (!is_program_type(type))
        return true; /* nobody looks into it */
    if (is_derived(mro, count))
        begin(told, "derived");
    for (Py_ssize_t i = count; i-- > 0;) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        if (!PyType_Check(base))
            continue;
        read_namespace(base, &space);
        tell_plain(told, base, &space);
    }
    return false;
}

static uint64_t fingerprint(const Told *told)
{
    uint64_t hash = 0xCBF29CE484222325ull;
    for (size_t i = 0; i < told->size; i++)
        hash = (hash ^ (unsigned char)told->text[i]) * 0x100000001B3ull;
    return hash;
}

void fields_announce(Shape *shape)
{
    if (!(shape->type->tp_flags & Py_TPFLAGS_HEAPTYPE) || shape->tries >= TRIES)
        return;
    Told told;
    shape->tries = tell_class(&told, shape->type) ? TRIES : (uint8_t)(shape->tries + 1);
    if (told.size <= told.first && strcmp(told.text, "plain") == 0)
        return; /* it declares none */
    uint64_t now = fingerprint(&told);
    if (now == shape->fields)
        return;
    shape->fields = now;
    emit_text(EV_FIELDS, (Value){0, ++recorder.shapes.last_fields}, INT_VALUE(shape->type_id), told.text,
              told.size - 1);
}
