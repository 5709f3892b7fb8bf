/* What shows another object: views of dicts and of memory, proxies; patterns and their matches. And what
   deques and arrays keep beside their items. */
#include "base/compat.h"
#include "base/allocate.h"
#include "base/lookup.h"
#include "known/readers.h"
#include "known/value_readers.h"

static int keep_first(PyObject *o, void *first)
{
    if (*(PyObject **)first == NULL)
        *(PyObject **)first = o;
    return 0;
}

/* The one object that a view holds, as it tells the collector: its struct is private. Borrowed or NULL. */
static PyObject *viewed(PyObject *view)
{
    PyObject *first = NULL;
    Py_TYPE(view)->tp_traverse(view, keep_first, &first);
    return first;
}

void read_dict_view(PyObject *o, Parts *parts)
{
    part_see(parts, "mapping", viewed(o));
}

/* The namespace of a class changes with the class, which is watched as such: not shown twice. */
static bool is_class_namespace(PyObject *mapping)
{
    bool is = dict_find(mapping, "__doc__") != NULL;
    drop_error();
    return is;
}

void read_mapping_proxy(PyObject *o, Parts *parts)
{
    PyObject *mapping = viewed(o);
    if (mapping != NULL && !(PyDict_CheckExact(mapping) && is_class_namespace(mapping)))
        part_see(parts, "mapping", mapping);
}

void read_memory_view(PyObject *o, Parts *parts)
{
    if (compat_view_is_released(o)) {
        part_see(parts, "released", Py_True);
        return;
    }
    PyMemoryViewObject *m = (PyMemoryViewObject *)o;
    part_see(parts, "obj", m->view.obj);
    part_take(parts, "nbytes", PyLong_FromSsize_t(m->view.len));
    part_take(parts, "format", PyUnicode_FromString(m->view.format == NULL ? "B" : m->view.format));
}

/* Its text is a member. */
void read_pattern(PyObject *o, Parts *parts)
{
    part_take(parts, "flags", known_get(o, "re.Pattern", "flags"));
}

/* The text that was searched and the pattern are members. Slices of it are only taken from exact texts:
   any other object may have its own way to give its memory. */
void read_match(PyObject *o, Parts *parts)
{
    PyObject *string = known_get(o, "re.Match", "string");
    PyObject *span = known_call(o, "re.Match", "span");
    if (span != NULL && PyTuple_CheckExact(span) && PyTuple_GET_SIZE(span) == 2) {
        part_see(parts, "start", PyTuple_GET_ITEM(span, 0));
        part_see(parts, "end", PyTuple_GET_ITEM(span, 1));
    }
    if (string != NULL && (PyUnicode_CheckExact(string) || PyBytes_CheckExact(string))) {
        PyObject *groups = known_call(o, "re.Match", "groups");
        if (groups != NULL && PyTuple_CheckExact(groups) && PyTuple_GET_SIZE(groups) > 0)
            part_take(parts, "groups", Py_NewRef(groups));
        Py_XDECREF(groups);
    }
    Py_XDECREF(span);
    Py_XDECREF(string);
}

void read_deque(PyObject *o, Parts *parts)
{
    PyObject *most = known_get(o, "collections.deque", "maxlen");
    if (most != NULL && most != Py_None)
        part_see(parts, "maxlen", most);
    Py_XDECREF(most);
}

void read_array(PyObject *o, Parts *parts)
{
    part_take(parts, "typecode", known_get(o, "array.array", "typecode"));
}
