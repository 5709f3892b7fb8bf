/* Guarded calls that take no C stack.

   A guard is called by the interpreter and calls its callee from C. If the callee is a function of Python, the
   interpreter alone would have made that call without a C frame; recursion through a library would come to the
   end of the C stack long before the recursion limit. So guarded calls that are nested deeper than GUARD_DEPTH
   are made by a function of Python's, made by trampoline.py for the shape of the call: a bound method of it with
   a Trail, which the interpreter takes apart and calls as any other function. For calls with stars it has to be
   a plain function; the Trail is then what its closure holds.

   The Trail's operators are what the function does. Its frame counts one level of recursion, which is given
   back while the callee runs. Nothing is allocated after the callee ran: nothing can fail there. */
#include "base/compat.h"
#include "foreign/trampoline.h"
#include "base/allocate.h"
#include "capture/site.h"
#include "foreign/guard.h"
#include "foreign/watch.h"
#include "recorder.h"

#if COMPAT_TRAMPOLINES
#include <opcode.h>

typedef struct {
    PyObject_VAR_HEAD
    Guard *guard; /* owned */
    PyObject
        *holders[2]; /* borrowed from the trampoline's frame: tuple and dict of arguments of a starred call */
    Py_ssize_t count;
    uint8_t awaiting;
    bool suspended;
    PyObject *args[]; /* borrowed from the trampoline's frame, while the call is looked at */
} Trail;

static bool monitored; /* sys.monitoring has been used: its tools would see exceptions pass */

static void trail_dealloc(PyObject *o)
{
    Py_DECREF(((Trail *)o)->guard);
    PyObject_Free(o);
}

/* -t */
static PyObject *trail_begin(PyObject *o)
{
    Trail *t = (Trail *)o;
    t->awaiting = guard_begin(t->guard);
    t->suspended = watch_suspend(t->guard->callee);
    compat_add_recursion(PyThreadState_Get(), 1);
    return Py_NewRef(t->guard->callee);
}

/* t ^ x */
static PyObject *trail_argument(PyObject *o, PyObject *argument)
{
    Trail *t = (Trail *)o;
    if (t->count < Py_SIZE(t))
        t->args[t->count++] = argument;
    return Py_NewRef(o);
}

/* t | x */
static PyObject *trail_holder(PyObject *o, PyObject *holder)
{
    ((Trail *)o)->holders[PyDict_Check(holder)] = holder;
    return Py_NewRef(o);
}

/* A starred call: its arguments in one array. Without memory for it, they are not looked at. */
static void look_starred(Trail *t, PyObject *result)
{
    Py_ssize_t count = PyTuple_GET_SIZE(t->holders[0]), at = 0;
    PyObject **all = allocate((size_t)(count + PyDict_GET_SIZE(t->holders[1]) + 1), sizeof *all);
    if (all == NULL)
        return;
    for (Py_ssize_t i = 0; i < count; i++)
        all[i] = PyTuple_GET_ITEM(t->holders[0], i);
    while (PyDict_Next(t->holders[1], &at, NULL, &all[count]))
        count++;
    guard_look(t->guard, all, count, NULL, result);
    release(all);
}

static void trail_end(Trail *t, PyObject *result)
{
    compat_add_recursion(PyThreadState_Get(), -1);
    if (t->suspended)
        watch_resume(t->guard->callee);
    if (!recorder.recording)
        return;
    guard_restore(t->guard, t->awaiting);
    if (t->holders[0] != NULL)
        look_starred(t, result);
    else
        guard_look(t->guard, t->args, t->count, NULL, result);
}

/* t << r */
static PyObject *trail_returned(PyObject *o, PyObject *result)
{
    trail_end((Trail *)o, result);
    return Py_NewRef(result);
}

/* ~t */
static PyObject *trail_raised(PyObject *o)
{
    trail_end((Trail *)o, NULL);
    return Py_NewRef(o);
}

static PyNumberMethods trail_operators = {
    .nb_negative = trail_begin,
    .nb_xor = trail_argument,
    .nb_or = trail_holder,
    .nb_lshift = trail_returned,
    .nb_invert = trail_raised,
};

static PyTypeObject Trail_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "wrongcall.trail",
    .tp_doc = "A call of foreign code that is made by a function of Python's.",
    .tp_basicsize = sizeof(Trail),
    .tp_itemsize = sizeof(PyObject *),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_as_number = &trail_operators,
    .tp_dealloc = trail_dealloc,
};

static Trail *trail_new(Guard *g, Py_ssize_t room)
{
    Trail *t = PyObject_NewVar(Trail, &Trail_Type, room);
    if (t == NULL)
        return NULL;
    t->guard = (Guard *)Py_NewRef((PyObject *)g);
    t->holders[0] = t->holders[1] = NULL;
    t->count = 0;
    return t;
}

/* -- what is called ---------------------------------------------------------------------------------------- */

static bool is_traced(void)
{
    PyThreadState *ts = PyThreadState_Get();
    return monitored || ts->c_tracefunc != NULL || ts->c_profilefunc != NULL;
}

static PyObject *simple_trampoline(Guard *g, PyObject *function)
{
    PyCodeObject *code = (PyCodeObject *)PyFunction_GET_CODE(function);
    Trail *t = trail_new(g, code->co_argcount + code->co_kwonlyargcount);
    PyObject *method = t == NULL ? NULL : PyMethod_New(function, (PyObject *)t);
    Py_XDECREF(t);
    return method;
}

/* A function like the callee, as far as errors about its arguments name it. */
static PyObject *starred_trampoline(Guard *g, PyObject *code)
{
    PyFunctionObject *callee = (PyFunctionObject *)g->callee;
    Trail *t = trail_new(g, 0);
    PyObject *cell = t == NULL ? NULL : PyCell_New((PyObject *)t);
    PyObject *closure = cell == NULL ? NULL : PyTuple_Pack(1, cell);
    PyObject *made = closure == NULL ? NULL : PyFunction_New(code, callee->func_globals);
    if (made != NULL && PyFunction_SetClosure(made, closure) < 0)
        Py_CLEAR(made);
    if (made != NULL) {
        PyFunctionObject *function = (PyFunctionObject *)made;
        Py_SETREF(function->func_qualname, Py_NewRef(callee->func_qualname));
        Py_XSETREF(function->func_module, Py_XNewRef(callee->func_module));
    }
    Py_XDECREF(closure);
    Py_XDECREF(cell);
    Py_XDECREF(t);
    return made;
}

/* Whether the interpreter would call this without a C frame. */
static bool is_inlined(PyObject *callee, bool starred)
{
    if (starred) /* from 3.12 on */
        return PY_VERSION_HEX >= 0x030C0000 && PyFunction_Check(callee);
    if (PyFunction_Check(callee))
        return true;
#if PY_VERSION_HEX >= 0x030D0000
    if (PyType_CheckExact(callee)) /* one with __init__ alone */
        return ((PyTypeObject *)callee)->tp_new == PyBaseObject_Type.tp_new;
#endif
    return PyMethod_Check(callee) && PyFunction_Check(PyMethod_GET_FUNCTION(callee));
}

PyObject *trampoline_for(Guard *g, Site *site)
{
    bool starred = PyCode_Check(site->trampoline);
    if (is_traced() || !is_inlined(g->callee, starred))
        return (PyObject *)g;
    int collecting = PyGC_Disable(); /* what is made here is no reason for a collection */
    PyObject *made =
        starred ? starred_trampoline(g, site->trampoline) : simple_trampoline(g, site->trampoline);
    if (collecting)
        PyGC_Enable();
    if (made == NULL) {
        drop_error();
        return (PyObject *)g;
    }
    Py_DECREF(g);
    return made;
}

/* -- sys.monitoring ------------------------------------------------------------------------------------------ */

static PyCFunction original_use_tool;

static PyObject *use_tool(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    monitored = true;
    return ((PyObject * (*)(PyObject *, PyObject *const *, Py_ssize_t))(
        void (*)(void))original_use_tool)(module, args, n);
}

int trampoline_install(void)
{
    PyObject *monitoring = PySys_GetObject("monitoring"); /* from 3.12 on */
    PyObject *use = monitoring == NULL ? NULL : PyObject_GetAttrString(monitoring, "use_tool_id");
    if (use != NULL && PyCFunction_CheckExact(use)) {
        PyMethodDef *def = ((PyCFunctionObject *)use)->m_ml;
        if (def->ml_flags == METH_FASTCALL && original_use_tool == NULL) {
            original_use_tool = def->ml_meth;
            def->ml_meth = (PyCFunction)(void (*)(void))use_tool;
        }
    }
    Py_XDECREF(use);
    PyErr_Clear();
    return 0;
}

int trampoline_setup(PyObject *module)
{
    if (PyType_Ready(&Trail_Type) < 0)
        return -1;
    PyObject *opcodes = Py_BuildValue("(ii)", RESUME, NOP);
    int failed = opcodes == NULL ? -1 : PyModule_AddObjectRef(module, "TRAMPOLINES", opcodes);
    Py_XDECREF(opcodes);
    return failed;
}

#else

PyObject *trampoline_for(Guard *g, Site *site)
{
    return (PyObject *)g;
}

int trampoline_install(void)
{
    return 0;
}

int trampoline_setup(PyObject *module)
{
    return PyModule_AddObjectRef(module, "TRAMPOLINES", Py_None);
}

#endif
