/* Hooks that are not called: what a statement did is told by an operation on the handle that the interpreter
   makes without preparing a call, which takes it about half the time.

       h[site] = x = value     instead of  x = local(h, value)    STORE_SUBSCR
       del h[site]             instead of  block(h)               DELETE_SUBSCR
       return h[value]         instead of  return return(h, value), for one `return` of each function
       .h = entry[a]           instead of  .h = enter(a), for a function of one parameter; ~entry for one of none

   Where a hook must be an expression, or takes more, it is called. A Func stands for the handle of a call that
   began unrecorded (hooks.c). No operation fails, and none runs code of the program. */
#include "base/compat.h"
#include "base/branches.h"
#include "capture/activation.h"
#include "capture/site.h"
#include "recorder.h"
#include <stddef.h>

static int refuse(void)
{
    PyErr_SetString(PyExc_TypeError, "only instrumented code tells what it does");
    return -1;
}

static bool tells(PyObject *key)
{
    return Py_IS_TYPE(key, &Site_Type) && ((Site *)key)->tell != NULL;
}

/* `h[site] = value`, `del h[site]` */
static int handle_tell(PyObject *self, PyObject *key, PyObject *value)
{
    if (UNLIKELY(!tells(key)))
        return refuse();
    if (LIKELY(recorder.recording))
        ((Site *)key)->tell((Handle *)self, (Site *)key, value);
    return 0;
}

static int func_tell(PyObject *self, PyObject *key, PyObject *value)
{
    if (!tells(key))
        return refuse();
    if (recorder.recording)
        ((Site *)key)->tell(handle_of_func((Func *)self), (Site *)key, value);
    return 0;
}

/* `return h[value]` */
static PyObject *handle_return(PyObject *self, PyObject *value)
{
    if (LIKELY(recorder.recording))
        call_returns((Handle *)self, value, ((Handle *)self)->func->return_site);
    return Py_NewRef(value);
}

static PyObject *func_return(PyObject *self, PyObject *value)
{
    if (recorder.recording)
        call_returns(handle_of_func((Func *)self), value, ((Func *)self)->return_site);
    return Py_NewRef(value);
}

PyMappingMethods handle_subscripts = {.mp_subscript = handle_return, .mp_ass_subscript = handle_tell};
PyMappingMethods func_subscripts = {.mp_subscript = func_return, .mp_ass_subscript = func_tell};

/* -- entries ------------------------------------------------------------------------------------------------ */

static PyObject *entry_of_one(PyObject *self, PyObject *parameter)
{
    return hook_enter((PyObject *)((Entry *)self)->func, &parameter, 1);
}

static PyObject *entry_of_none(PyObject *self)
{
    return hook_enter((PyObject *)((Entry *)self)->func, NULL, 0);
}

static void entry_dealloc(PyObject *o)
{
    Py_DECREF(((Entry *)o)->func);
    PyObject_Free(o);
}

static PyMappingMethods entry_subscripts = {.mp_subscript = entry_of_one};
static PyNumberMethods entry_operators = {.nb_invert = entry_of_none};
static PyMemberDef entry_members[] = {
    {"__self__", T_OBJECT, offsetof(Entry, func), READONLY, "The marker of the function's code."}, {NULL}};

PyTypeObject Entry_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "wrongcall.enter",
    .tp_doc = "Begins a call of a function with one parameter, or with none.",
    .tp_basicsize = sizeof(Entry),
    .tp_as_mapping = &entry_subscripts,
    .tp_as_number = &entry_operators,
    .tp_members = entry_members,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_dealloc = entry_dealloc,
};
