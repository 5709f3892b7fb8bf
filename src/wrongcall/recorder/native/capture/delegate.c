/* `yield from` what is no generator of the program: an iterator that records the values it hands through.

   A generator of the program has events of its own, and is left alone: no C frame comes in between. For anything
   else `yield from x` becomes `yield from delegate(h, x)`, which gives the iterator of x a stand-in: values that it
   yields are recorded as those of the generator that delegates. What the stand-in is asked for it asks
   the iterator for, so errors are the iterator's own. */
#include "base/compat.h"
#include "base/allocate.h"
#include "capture/activation.h"
#include "capture/site.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "emit/events.h"
#include "recorder.h"
#include "shadow/encode.h"

typedef struct {
    PyObject_HEAD
    PyObject *iterator; /* owned */
    Handle *handle;     /* owned: of the generator that delegates */
    uint32_t site;
} Delegate;

static int delegate_traverse(PyObject *o, visitproc visit, void *arg)
{
    Py_VISIT(((Delegate *)o)->iterator);
    return 0;
}

static int delegate_clear(PyObject *o)
{
    Py_CLEAR(((Delegate *)o)->iterator);
    return 0;
}

static void delegate_dealloc(PyObject *o)
{
    PyObject_GC_UnTrack(o);
    delegate_clear(o);
    Py_CLEAR(((Delegate *)o)->handle);
    PyObject_GC_Del(o);
}

/* The generator runs again, though no hook of its own tells: what the iterator calls is called by it. */
static Delegate *resumed(PyObject *o)
{
    Delegate *d = (Delegate *)o;
    if (recorder.recording && !(d->handle->flags & ACT_EXITED)) {
        current_set(d->handle);
        call_out(d->handle, d->site);
    }
    return d;
}

/* Passes a value, or NULL, on: it is what the generator yields. */
static PyObject *handed_through(Delegate *d, PyObject *value)
{
    if (value != NULL && recorder.recording && !(d->handle->flags & ACT_EXITED)) {
        current_set(d->handle);
        reach_site(d->handle, d->site);
        emit(EV_YIELD, (Where){d->site, d->handle->call}, 0, NO_VALUE, encode(value));
        activation_pause(d->handle);
    }
    return value;
}

static PyObject *delegate_next(PyObject *o)
{
    Delegate *d = resumed(o);
    return handed_through(d, Py_TYPE(d->iterator)->tp_iternext(d->iterator));
}

static PyObject *delegate_send(PyObject *o, PyObject *value)
{
    Delegate *d = resumed(o);
    return handed_through(d, PyObject_CallMethod(d->iterator, "send", "(O)", value));
}

static PyObject *delegate_throw(PyObject *o, PyObject *args)
{
    Delegate *d = resumed(o);
    PyObject *method = PyObject_GetAttrString(d->iterator, "throw");
    PyObject *result = method == NULL ? NULL : PyObject_Call(method, args, NULL);
    Py_XDECREF(method);
    return handed_through(d, result);
}

static PyMethodDef delegate_methods[] = {
    {"send", delegate_send, METH_O, NULL}, {"throw", delegate_throw, METH_VARARGS, NULL}, {NULL}};

static PyObject *delegate_getattro(PyObject *o, PyObject *name)
{
    PyObject *found = PyObject_GetAttr(((Delegate *)o)->iterator, name);
    if (found == NULL || (PyUnicode_CompareWithASCIIString(name, "send") != 0 &&
                          PyUnicode_CompareWithASCIIString(name, "throw") != 0))
        return found;
    Py_DECREF(found);
    return PyObject_GenericGetAttr(o, name);
}

PyTypeObject Delegate_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "wrongcall.delegate",
    .tp_doc = "Hands the values of an iterator through a generator.",
    .tp_basicsize = sizeof(Delegate),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = delegate_next,
    .tp_methods = delegate_methods,
    .tp_getattro = delegate_getattro,
    .tp_traverse = delegate_traverse,
    .tp_clear = delegate_clear,
    .tp_dealloc = delegate_dealloc,
};

/* A generator of the program that a call expression gave, or a coroutine, is found by those who read. */
static bool is_left_alone(PyObject *o, bool called)
{
    if (PyCoro_CheckExact(o))
        return true;
    if (!called || !PyGen_CheckExact(o))
        return false;
    PyObject *code = compat_generator_code(o);
    bool own = code != NULL && PyCode_Check(code) && func_of_code(code) != NULL;
    Py_XDECREF(code);
    return own;
}

/* `yield from delegate(h, x)`; the site has a name if x is written as a call. */
PyObject *hook_delegate(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    Site *site = (Site *)self;
    if (!recorder.recording || is_left_alone(args[1], site->name != NULL))
        return Py_NewRef(args[1]);
    Handle *h = handle_of(args[0]);
    PyObject *iterator = PyObject_GetIter(args[1]);
    if (iterator == NULL)
        return NULL; /* the program's own error */
    Delegate *d = allocation_fails() ? NULL : PyObject_GC_New(Delegate, &Delegate_Type);
    if (d == NULL) {
        allocation_failed();
        PyErr_Clear();
        return iterator;
    }
    current_set(h); /* __iter__ may have run */
    d->iterator = iterator;
    d->handle = (Handle *)Py_NewRef((PyObject *)h);
    d->site = site->id;
    PyObject_GC_Track((PyObject *)d);
    return (PyObject *)d;
}
