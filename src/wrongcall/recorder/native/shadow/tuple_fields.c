/* The names of the items of named tuples: those of collections.namedtuple and typing.NamedTuple, and the
   struct sequences of C (time.struct_time, os.stat_result). */
#include "base/compat.h"
#include "shadow/tuple_fields.h"
#include "base/allocate.h"
#include "base/lookup.h"
#include <string.h>

#define MOST_FIELDS 255

static Py_ssize_t first_item(void)
{
    return (Py_ssize_t)offsetof(PyTupleObject, ob_item);
}

/* How many items a struct sequence has that count as such; 0: it is none. */
static Py_ssize_t struct_sequence_length(PyTypeObject *type)
{
    if (type->tp_base != &PyTuple_Type || (type->tp_flags & Py_TPFLAGS_BASETYPE))
        return 0;
    PyObject *dict = compat_type_dict(type);
    PyObject *length = dict == NULL ? NULL : dict_find(dict, "n_sequence_fields");
    Py_ssize_t n = length != NULL && PyLong_CheckExact(length) ? PyLong_AsSsize_t(length) : 0;
    Py_XDECREF(dict);
    drop_error();
    return n > 0 && n <= MOST_FIELDS ? n : 0;
}

bool is_tuple_item(PyTypeObject *type, Py_ssize_t offset)
{
    if (!(type->tp_flags & Py_TPFLAGS_TUPLE_SUBCLASS))
        return false;
    Py_ssize_t end = first_item() + struct_sequence_length(type) * (Py_ssize_t)sizeof(PyObject *);
    return offset >= first_item() && offset < end;
}

/* An unnamed item has the name "". */
static PyObject *struct_sequence_fields(PyTypeObject *type, Py_ssize_t n)
{
    PyObject *fields = PyTuple_New(n);
    for (Py_ssize_t i = 0; fields != NULL && i < n; i++)
        PyTuple_SET_ITEM(fields, i, PyUnicode_FromString(""));
    PyObject *dict = compat_type_dict(type), *name, *descriptor;
    Py_ssize_t at = 0;
    while (fields != NULL && dict != NULL && PyDict_Next(dict, &at, &name, &descriptor)) {
        if (!Py_IS_TYPE(descriptor, &PyMemberDescr_Type) || !PyUnicode_CheckExact(name))
            continue;
        Py_ssize_t offset = ((PyMemberDescrObject *)descriptor)->d_member->offset - first_item();
        Py_ssize_t i = offset / (Py_ssize_t)sizeof(PyObject *);
        if (offset < 0 || i >= n)
            continue;
        Py_DECREF(PyTuple_GET_ITEM(fields, i));
        PyTuple_SET_ITEM(fields, i, Py_NewRef(name));
    }
    Py_XDECREF(dict);
    drop_error();
    return fields;
}

static bool is_tuple_getter(PyTypeObject *type)
{
    return strcmp(type->tp_name, "collections._tuplegetter") == 0 ||
           strcmp(type->tp_name, "_collections._tuplegetter") == 0; /* in 3.11 */
}

/* Did namedtuple() make the attribute? */
static bool is_item_getter(PyTypeObject *type, PyObject *name)
{
    PyObject *mro = type->tp_mro;
    for (Py_ssize_t i = 0; mro != NULL && i < PyTuple_GET_SIZE(mro); i++) {
        PyObject *dict = compat_type_dict((PyTypeObject *)PyTuple_GET_ITEM(mro, i));
        PyObject *found = dict == NULL ? NULL : PyDict_GetItemWithError(dict, name);
        bool is_getter = found != NULL && is_tuple_getter(Py_TYPE(found));
        Py_XDECREF(dict);
        if (is_getter)
            return true;
    }
    return false;
}

PyObject *tuple_fields(PyTypeObject *type)
{
    if (type == &PyTuple_Type)
        return NULL;
    Py_ssize_t n = struct_sequence_length(type);
    if (n > 0)
        return struct_sequence_fields(type, n);
    PyObject *name = PyUnicode_InternFromString("_fields");
    PyObject *fields = name == NULL ? NULL : compat_type_lookup(type, name);
    Py_XDECREF(name);
    drop_error();
    if (fields == NULL || !PyTuple_CheckExact(fields))
        return NULL;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(fields); i++) {
        PyObject *field = PyTuple_GET_ITEM(fields, i);
        if (!PyUnicode_CheckExact(field) || !is_item_getter(type, field))
            return NULL;
    }
    return Py_NewRef(fields);
}
