/* What can be called and is written in C: functions, methods and the helpers of `operator`. Tokens of context
   variables, too. */
#include "base/compat.h"
#include "base/lookup.h"
#include "known/readers.h"
#include "known/value_readers.h"

void read_builtin_function(PyObject *o, Parts *parts)
{
    PyCFunctionObject *f = (PyCFunctionObject *)o;
    PyObject *self = PyCFunction_GET_SELF(o);
    part_take(parts, "__name__", PyUnicode_FromString(f->m_ml->ml_name));
    if (self != NULL && !PyModule_Check(self))
        part_see(parts, "__self__", self);
}

typedef struct {
    PyObject *held[2]; /* borrowed */
    int count;
} Held;

static int hold(PyObject *o, void *context)
{
    Held *held = context;
    if (held->count < 2)
        held->held[held->count] = o;
    held->count++;
    return 0;
}

/* `(1).__add__`: its struct is private, but it tells the collector what it holds. */
void read_method_wrapper(PyObject *o, Parts *parts)
{
    Held held = {.count = 0};
    Py_TYPE(o)->tp_traverse(o, hold, &held);
    if (held.count != 2 || !Py_IS_TYPE(held.held[0], &PyWrapperDescr_Type))
        return;
    part_see(parts, "__name__", PyDescr_NAME(held.held[0]));
    part_see(parts, "__self__", held.held[1]);
}

/* How it would be pickled tells what it was made with: (its type, arguments). With keywords that needs
   functools, which is not imported for it. */
void read_operator(PyObject *o, Parts *parts)
{
    PyObject *modules = PyImport_GetModuleDict(); /* borrowed */
    if (modules == NULL || dict_find(modules, "functools") == NULL)
        return;
    PyObject *reduced = known_call(o, Py_TYPE(o)->tp_name, "__reduce__");
    if (reduced != NULL && PyTuple_CheckExact(reduced) && PyTuple_GET_SIZE(reduced) == 2) {
        PyObject *maker = PyTuple_GET_ITEM(reduced, 0), *args = PyTuple_GET_ITEM(reduced, 1);
        part_take(parts, "args", Py_NewRef(args));
        if (maker != (PyObject *)Py_TYPE(o))
            part_take(parts, "maker", Py_NewRef(maker));
    }
    Py_XDECREF(reduced);
}

void read_token(PyObject *o, Parts *parts)
{
    part_take(parts, "var", known_get(o, Py_TYPE(o)->tp_name, "var"));
    part_take(parts, "old_value", known_get(o, Py_TYPE(o)->tp_name, "old_value"));
}
