/* Special methods of built-in types called by name: `super().__init__()`, `dict.__setitem__(d, k, v)`,
   `object.__setattr__(o, name, v)`, `map(d.__setitem__, ...)`.

   They change nothing but the object whose method it is, so that alone is looked at afterwards, and
   nothing at all if the method only reads. */
#include "base/compat.h"
#include "foreign/dunder_calls.h"
#include "base/function_names.h"
#include "capture/activation.h"
#include "capture/subscripts.h"
#include "compare/resync.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "foreign/watch.h"
#include "recorder.h"
#include "shadow/first_sight.h"
#include <string.h>

/* A bound method. The struct is private, but has not changed since new-style classes exist. */
typedef struct {
    PyObject_HEAD
    PyWrapperDescrObject *descriptor;
    PyObject *self;
} BoundWrapper;

static PyWrapperDescrObject *descriptor_of(PyObject *callee)
{
    if (Py_IS_TYPE(callee, &PyWrapperDescr_Type))
        return (PyWrapperDescrObject *)callee;
    if (Py_IS_TYPE(callee, recorder.types.bound_dunder))
        return ((BoundWrapper *)callee)->descriptor;
    return NULL;
}

static bool is_builtin(PyTypeObject *t)
{
    return !(t->tp_flags & Py_TPFLAGS_HEAPTYPE) &&
           (strchr(t->tp_name, '.') == NULL || strncmp(t->tp_name, "collections.", 12) == 0);
}

bool is_dunder_call(PyObject *callee)
{
    PyWrapperDescrObject *descriptor = descriptor_of(callee);
    return descriptor != NULL && is_builtin(PyDescr_TYPE(descriptor));
}

bool dunder_only_reads(PyObject *callee)
{
    static const char *const writes[] = {"__setitem__",
                                         "__delitem__",
                                         "__setattr__",
                                         "__delattr__",
                                         "__init__",
                                         "__set__",
                                         "__delete__",
                                         "__next__",
                                         "__getattribute__", /* may give the object's __dict__ away */
                                         NULL};
    PyWrapperDescrObject *descriptor = descriptor_of(callee);
    const char *name = descriptor->d_base->name;
    if (PyDescr_TYPE(descriptor) == &PyBaseObject_Type && strcmp(name, "__init__") == 0)
        return true;
    return !one_of(name, writes) && !is_in_place(name);
}

/* The method's arguments, its own object first. */
static void given(PyObject *callee, PyObject *const *args, Py_ssize_t count, PyObject *out[3])
{
    int n = 0;
    if (Py_IS_TYPE(callee, recorder.types.bound_dunder))
        out[n++] = ((BoundWrapper *)callee)->self;
    for (Py_ssize_t i = 0; i < count && n < 3; i++)
        out[n++] = args[i];
}

Py_ssize_t dunder_before(PyObject *callee, PyObject *const *args, Py_ssize_t count)
{
    PyObject *objects[3] = {NULL};
    given(callee, args, count, objects);
    if (objects[0] == NULL)
        return 0;
    explore_touch(objects[0]);
    return PyDict_Check(objects[0]) ? PyDict_GET_SIZE(objects[0]) : 0;
}

void dunder_after(PyObject *callee, PyObject *const *args, Py_ssize_t count, Py_ssize_t was, bool failed,
                  Where at)
{
    const char *name = descriptor_of(callee)->d_base->name;
    PyObject *objects[3] = {NULL};
    given(callee, args, count, objects);
    if (objects[0] == NULL)
        return;
    if (!failed && objects[2] != NULL && strcmp(name, "__setitem__") == 0)
        written_subscript(objects[0], objects[1], objects[2], was, at);
    else if (!failed && objects[1] != NULL && strcmp(name, "__delitem__") == 0)
        written_subscript(objects[0], objects[1], NULL, was, at);
    else if (strcmp(name, "__set__") == 0 || strcmp(name, "__delete__") == 0) {
        if (objects[1] != NULL)
            resync(objects[1], at); /* of a descriptor: the object that has it */
    }
    else if (strcmp(name, "__getattribute__") != 0)
        resync(objects[0], at);
}

/* -- called by something quiet: map(d.__setitem__, ...) ----------------------------------------------------------- */

static ternaryfunc plain_call;

static PyObject *watched_call(PyObject *callee, PyObject *args, PyObject *names)
{
    if (!recorder.recording || !is_dunder_call(callee) || dunder_only_reads(callee))
        return plain_call(callee, args, names);
    PyObject *const *items = &PyTuple_GET_ITEM(args, 0);
    Py_ssize_t was = dunder_before(callee, items, PyTuple_GET_SIZE(args));
    PyObject *result = plain_call(callee, args, names);
    if (recorder.recording && called_by_program()) {
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        Where at = {SITE_OF_FRAME, where_now().call};
        dunder_after(callee, items, PyTuple_GET_SIZE(args), was, result == NULL, at);
        PyErr_Restore(type, value, traceback);
    }
    return result;
}

/* From the first one on that is handed over to be called later, all of them are looked at. */
void dunder_watch(void)
{
    if (plain_call == NULL) {
        plain_call = recorder.types.bound_dunder->tp_call;
        recorder.types.bound_dunder->tp_call = watched_call;
    }
}

int dunder_setup(void)
{
    PyObject *bound = PyObject_GetAttrString(Py_None, "__repr__");
    if (bound == NULL)
        return -1;
    recorder.types.bound_dunder = Py_TYPE(bound);
    Py_DECREF(bound);
    return 0;
}
