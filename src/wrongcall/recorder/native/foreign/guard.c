/* Who is called: instrumented code, code known to change nothing, or foreign code?

   A call `f(x)` becomes `callee(h, f)(x)`, and `o.m(x)` becomes `receiver(h, o).m(x)`. For instrumented and
   harmless callees the hooks return what they were given, so the interpreter makes the call itself, as
   fast as ever and without a C frame in between. A foreign callee comes back as a Guard, which calls it and then
   looks at its receiver and arguments. Nothing is kept alive longer than in the plain program. */
#include "base/compat.h"
#include "foreign/guard.h"
#include "base/allocate.h"
#include "base/branches.h"
#include "base/instance.h"
#include "capture/activation.h"
#include "capture/follow.h"
#include "capture/output.h"
#include "capture/site.h"
#include "compare/reach.h"
#include "compare/resync.h"
#include "compare/trust.h"
#include "emit/event.h"
#include "emit/events.h"
#include "emit/ring.h"
#include "foreign/dunder_calls.h"
#include "foreign/heapq.h"
#include "foreign/quiet_callees.h"
#include "foreign/trampoline.h"
#include "foreign/watch.h"
#include "hide/hide_handle.h"
#include "recorder.h"
#include "shadow/dict_alias.h"
#include "shadow/first_sight.h"
#include "shadow/program.h"
#include "shadow/shape.h"
#include <string.h>

/* -- guards -------------------------------------------------------------------------------------------------- */

__thread int guard_depth;

static void guard_dealloc(PyObject *o)
{
    Guard *g = (Guard *)o;
    Py_CLEAR(g->callee);
    Py_CLEAR(g->handle);
    g->next = recorder.spare.guards;
    recorder.spare.guards = g;
}

static PyObject *receiver_of(PyObject *callee)
{
    if (PyCFunction_Check(callee))
        return PyCFunction_GET_SELF(callee);
    if (PyMethod_Check(callee))
        return PyMethod_GET_SELF(callee);
    if (PyFunction_Check(callee) || PyType_Check(callee))
        return NULL;
    return callee; /* a method-wrapper, a partial, an object with __call__ */
}

/* exec and eval may bind names where they are called, and change what the names there stand for. */
static void look_at_caller(PyObject *callee, Py_ssize_t given, Look *look)
{
    if (!PyCFunction_Check(callee) || given > 1)
        return;
    const char *name = ((PyCFunctionObject *)callee)->m_ml->ml_name;
    if (strcmp(name, "exec") != 0 && strcmp(name, "eval") != 0)
        return;
    PyObject *globals = PyEval_GetGlobals();
    PyObject *locals = visible_locals(); /* exec has just asked for it, too */
    drop_error();
    if (globals != NULL) {
        resync(globals, look->at);
        look_deep(globals, look);
    }
    if (locals != NULL && locals != globals && PyDict_CheckExact(locals))
        look_deep(locals, look);
    Py_XDECREF(locals);
}

/* vars(o), getattr(o, "__dict__") and the like return the object's own dictionary. */
static void note_vars(PyObject *callee, PyObject *const *args, Py_ssize_t count, PyObject *result)
{
    PyObject *self = receiver_of(callee);
    if (result == NULL || !PyDict_CheckExact(result))
        return;
    if (self != NULL)
        note_alias(self, result);
    for (Py_ssize_t i = 0; i < count; i++)
        note_alias(args[i], result);
}

/* setattr and delattr touch one object only. */
static bool is_setattr(PyObject *callee)
{
    if (!PyCFunction_Check(callee))
        return false;
    const char *name = ((PyCFunctionObject *)callee)->m_ml->ml_name;
    return strcmp(name, "setattr") == 0 || strcmp(name, "delattr") == 0;
}

/* Code that getattr runs is recorded where it runs; getattr is guarded because of what it may return. */
static bool is_getattr(PyObject *callee)
{
    return PyCFunction_Check(callee) && strcmp(((PyCFunctionObject *)callee)->m_ml->ml_name, "getattr") == 0;
}

static void look_afterwards(Guard *g, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    Where at = {g->site, g->handle->call};
    PyObject *self = receiver_of(g->callee);
    if (is_setattr(g->callee) && count > 0) {
        resync(args[0], at);
        PyErr_Restore(type, value, traceback);
        return;
    }
    if (heapq_moved(g->callee, args, count, at)) {
        PyErr_Restore(type, value, traceback);
        return;
    }
    Look look = look_begin(g->callee, at);
    if (self != NULL && !PyModule_Check(self))
        look_deep(self, &look);
    Py_ssize_t total = count + (names == NULL ? 0 : PyTuple_GET_SIZE(names));
    for (Py_ssize_t i = 0; i < total; i++)
        look_deep(args[i], &look);
    look_at_caller(g->callee, total, &look);
    look_end(&look);
    PyErr_Restore(type, value, traceback);
}

static bool is_over(Handle *h)
{
    return (h->flags & (ACT_EXITED | ACT_ALIAS)) == ACT_EXITED;
}

uint8_t guard_begin(Guard *g)
{
    uint8_t awaiting = g->handle->awaiting;
    look_at_followed(); /* so that what differs afterwards was changed by this call */
    call_out(g->handle, g->site);
    g->handle->awaiting = 0; /* what it calls back is called from here, not by what waits around it */
    return awaiting;
}

void guard_restore(Guard *g, uint8_t awaiting)
{
    ring_foreign();
    activation_continue(g->handle);
    g->handle->awaiting = awaiting;
    g->handle->calls_out = false;
}

void guard_look(Guard *g, PyObject *const *args, Py_ssize_t count, PyObject *names, PyObject *result)
{
    if (result != NULL)
        activation_returned(result, is_over(g->handle) ? NULL : g->handle, g->site);
    if (!is_getattr(g->callee))
        look_afterwards(g, args, count, names);
    note_vars(g->callee, args, count, result);
}

static PyObject *guard_call(PyObject *self, PyObject *const *args, size_t nargsf, PyObject *names)
{
    Guard *g = (Guard *)self;
    Py_ssize_t count = PyVectorcall_NARGS(nargsf);
    if (recorder.recording)
        activation_continue(g->handle); /* made in an earlier recording, by another thread */
    if (recorder.recording && PyCFunction_Check(g->callee) && PyCFunction_GET_SELF(g->callee) != NULL)
        output_direct(PyCFunction_GET_SELF(g->callee), ((PyCFunctionObject *)g->callee)->m_ml->ml_name, args,
                      count, (Where){g->site, g->handle->call});
    if (g->quiet) {
        Py_ssize_t total = count + (names == NULL ? 0 : PyTuple_GET_SIZE(names));
        for (Py_ssize_t i = 0; i < total && recorder.recording; i++)
            watch_callable(args[i]);
        return PyObject_Vectorcall(g->callee, args, nargsf, names);
    }
    uint8_t awaiting = guard_begin(g);
    bool slot = recorder.recording && is_dunder_call(g->callee);
    Py_ssize_t was = slot ? dunder_before(g->callee, args, count) : 0;
    guard_depth++;
    PyObject *result = PyObject_Vectorcall(g->callee, args, nargsf, names);
    guard_depth--;
    if (!recorder.recording)
        return result;
    guard_restore(g, awaiting);
    if (g->creates != NULL) {
        if (result != NULL)
            activation_created(g->creates, result, is_over(g->handle) ? NULL : g->handle, g->site,
                               PyMethod_Check(g->callee) ? PASSING_BOUND : PASSING_PLAIN);
    }
    else if (g->harmless)
        return result;
    else if (slot) {
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        dunder_after(g->callee, args, count, was, result == NULL, (Where){g->site, g->handle->call});
        PyErr_Restore(type, value, traceback);
        note_vars(g->callee, args, count, result);
    }
    else
        guard_look(g, args, count, names, result);
    return result;
}

/* The interpreter names the callee in errors about its arguments. */
static PyObject *guard_getattro(PyObject *self, PyObject *name)
{
    return PyObject_GetAttr(((Guard *)self)->callee, name);
}

PyTypeObject Guard_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "wrongcall.guard",
    .tp_doc = "Calls foreign code and looks afterwards what it changed.",
    .tp_basicsize = sizeof(Guard),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_vectorcall_offset = offsetof(Guard, vectorcall),
    .tp_call = PyVectorcall_Call,
    .tp_getattro = guard_getattro,
    .tp_dealloc = guard_dealloc,
};

static Guard *guard_new(Handle *h, Site *site, PyObject *callee, Func *creates)
{
    Guard *g = recorder.spare.guards;
    if (g != NULL) {
        recorder.spare.guards = g->next;
        compat_new_again((PyObject *)g);
    }
    else if (allocation_fails() || (g = PyObject_New(Guard, &Guard_Type)) == NULL) {
        allocation_failed();
        PyErr_Clear();
        return NULL;
    }
    g->vectorcall = guard_call;
    g->callee = Py_NewRef(callee);
    g->handle = (Handle *)Py_NewRef((PyObject *)h);
    g->site = site->id;
    g->creates = creates;
    g->quiet = g->harmless = false;
    return g;
}

/* -- verdicts --------------------------------------------------------------------------------------------------- */

/* PASS_OUT: harmless, not instrumented; KEEP: harmless, but keeps what it is given to call it later;
   HARMLESS: changes nothing, but may call a function of the program */
enum verdict { UNKNOWN, PASS, PASS_OUT, LOOK, CREATE, KEEP, HARMLESS };

static enum verdict judge_function(PyObject *f, Func **creates)
{
    Func *func = func_of_function(f);
    if (func == NULL)
        return LOOK;
    if (func->has_free)
        activation_expect(func, object_node(f)->oid);
    if (!func->is_generator)
        return PASS;
    *creates = func;
    return CREATE;
}

/* Types of C whose construction takes its arguments and changes none of them. What an iterator that
   they consume does is seen where it happens. */
static bool is_harmless_type(PyTypeObject *t)
{
    static const char *const modules[] = {"itertools.", "collections.", "functools.", NULL};
    if (!(t->tp_flags & Py_TPFLAGS_HEAPTYPE) && strchr(t->tp_name, '.') == NULL)
        return true; /* builtins */
    for (int i = 0; modules[i] != NULL; i++) {
        if (strncmp(t->tp_name, modules[i], strlen(modules[i])) == 0)
            return t->tp_itemsize == 0 && t->tp_dealloc != PyBaseObject_Type.tp_dealloc;
    }
    return false;
}

/* map, filter, functools.partial and the iterators of itertools that take a function. */
static bool calls_later(PyTypeObject *t)
{
    return t == &PyMap_Type || t == &PyFilter_Type || strcmp(t->tp_name, "functools.partial") == 0 ||
           strncmp(t->tp_name, "itertools.", 10) == 0;
}

static bool runs_foreign_init(PyTypeObject *t)
{
    PyObject *found = compat_type_lookup(t, recorder.names.init);
    if (found != NULL && PyFunction_Check(found) && func_of_function(found) == NULL)
        return true;
    found = compat_type_lookup(t, recorder.names.new);
    if (found != NULL && Py_IS_TYPE(found, &PyStaticMethod_Type))
        return false; /* its own __new__: instrumented or generated */
    return Py_TYPE(t)->tp_call != PyType_Type.tp_call;
}

/* Calling a class of the program runs its own __init__; a library's class is foreign. */
static enum verdict judge_class(PyTypeObject *t)
{
    if (is_harmless_type(t))
        return calls_later(t) ? KEEP : PASS;
    PyObject *dict = namespace_of((PyObject *)t);
    bool own = dict != NULL;
    Py_XDECREF(dict);
    return own && !runs_foreign_init(t) ? PASS : LOOK;
}

/* The function that functools.lru_cache keeps the results of, as its decorator left it; borrowed or NULL. */
static PyObject *cached_function(PyObject *o)
{
    static PyTypeObject *known;
    if (Py_TYPE(o) != known) {
        if (strcmp(Py_TYPE(o)->tp_name, "functools._lru_cache_wrapper") != 0)
            return NULL;
        known = Py_TYPE(o); /* of the standard library: lives as long as the process */
    }
    Py_ssize_t hint = -1;
    return instance_get(o, recorder.names.wrapped, &hint);
}

/* It keeps results and calls a function of the program for them, which is seen where it happens. */
static bool caches_own_function(PyObject *o)
{
    PyObject *f = cached_function(o);
    if (f == NULL || !PyFunction_Check(f))
        return false;
    Func *func = func_of_function(f);
    return func != NULL && !func->is_generator;
}

static enum verdict judge_object(PyObject *o)
{
    if (caches_own_function(o))
        return HARMLESS;
    PyObject *found = compat_type_lookup(Py_TYPE(o), recorder.names.call);
    if (found != NULL && PyFunction_Check(found)) {
        Func *func = func_of_function(found);
        return func != NULL && !func->is_generator ? PASS : LOOK;
    }
    return LOOK;
}

/* A method of a built-in type: it changes nothing, or reports its changes itself. */
static bool is_quiet_descriptor(PyObject *descriptor)
{
    PyTypeObject *owner = PyDescr_TYPE(descriptor);
    const char *name = ((PyMethodDescrObject *)descriptor)->d_method->ml_name;
    return name[0] != '_' && type_is_quiet(owner);
}

static enum verdict judge(PyObject *callee, Func **creates)
{
    PyTypeObject *t = Py_TYPE(callee);
    if (t == &PyFunction_Type)
        return judge_function(callee, creates);
    if (t == &PyMethod_Type && PyFunction_Check(PyMethod_GET_FUNCTION(callee)))
        return judge_function(PyMethod_GET_FUNCTION(callee), creates);
    if (PyCFunction_Check(callee))
        return callee_is_pure(callee) ? PASS : LOOK;
    if (PyType_Check(callee))
        return judge_class((PyTypeObject *)callee);
    if (t == &PyMethodDescr_Type)
        return is_quiet_descriptor(callee) ? PASS : LOOK;
    if (is_dunder_call(callee))
        return dunder_only_reads(callee) ? PASS : LOOK;
    return judge_object(callee);
}

PyObject *callee_filter(Handle *h, Site *site, PyObject *callee)
{
    Func *creates = NULL;
    enum verdict verdict = judge(callee, &creates);
    if (verdict == PASS)
        return Py_NewRef(callee);
    Guard *g = guard_new(h, site, callee, creates);
    if (g == NULL)
        return Py_NewRef(callee);
    g->quiet = verdict == KEEP;
    g->harmless = verdict == HARMLESS;
    if (UNLIKELY(guard_depth >= GUARD_DEPTH) && verdict == LOOK && site->trampoline != NULL)
        return trampoline_for(g, site);
    return (PyObject *)g;
}

/* The function of the program that a class has under a name; NULL: another one, or none. */
static Func *own_method(PyTypeObject *t, PyObject *name)
{
    PyObject *found = compat_type_lookup(t, name);
    if (found != NULL && Py_IS_TYPE(found, &PyStaticMethod_Type) && name == recorder.names.new) {
        found = PyStaticMethod_Type.tp_descr_get(found, Py_None, (PyObject *)t);
        Py_XDECREF(found); /* the static method holds it */
    }
    drop_error();
    return found != NULL && PyFunction_Check(found) ? func_of_function(found) : NULL;
}

/* A class hands its arguments to __new__ and to __init__, unless its metaclass or a __new__ of a
   library does something else. */
static Pending entered_by_class(PyTypeObject *t, uint32_t site)
{
    Func *init = own_method(t, recorder.names.init), *new = own_method(t, recorder.names.new);
    bool known =
        Py_TYPE(t)->tp_call == PyType_Type.tp_call && (new != NULL || t->tp_new == PyBaseObject_Type.tp_new);
    Pending call = {init, NULL, site, known ? PASSING_BOUND : PASSING_UNKNOWN};
    if (new != NULL && !new->is_generator) {
        call.first = init == NULL ? NULL : new;
        call.func = init == NULL ? new : init;
    }
    return call;
}

/* What calling this enters first; false: nothing that is recorded (it may call back). */
static bool enters(PyObject *callee, uint32_t site, Pending *call)
{
    *call = (Pending){NULL, NULL, site, PASSING_UNKNOWN};
    if (PyType_Check(callee)) {
        *call = entered_by_class((PyTypeObject *)callee, site);
        return call->func != NULL;
    }
    if (PyFunction_Check(callee))
        *call = (Pending){func_of_function(callee), NULL, site, PASSING_PLAIN};
    else if (PyMethod_Check(callee) && PyFunction_Check(PyMethod_GET_FUNCTION(callee)))
        *call = (Pending){func_of_function(PyMethod_GET_FUNCTION(callee)), NULL, site, PASSING_BOUND};
    else if (!PyMethod_Check(callee) &&
             (call->func = own_method(Py_TYPE(callee), recorder.names.call)) != NULL)
        call->passing = PASSING_BOUND;
    return !PyCFunction_Check(callee) && !Py_IS_TYPE(callee, &PyMethodDescr_Type);
}

/* Builtins that call a key function many times, all from the same place. */
static bool calls_key(PyObject *callee)
{
    if (!PyCFunction_Check(callee))
        return false;
    const char *name = ((PyCFunctionObject *)callee)->m_ml->ml_name;
    return strcmp(name, "sorted") == 0 || strcmp(name, "min") == 0 || strcmp(name, "max") == 0;
}

/* The callee as it came is instrumented or harmless, a guard is foreign. */
static PyObject *filtered(Handle *h, Site *site, PyObject *callee)
{
    PyObject *result = callee_filter(h, site, callee);
    Pending call;
    if (result == callee && enters(callee, site->id, &call))
        call_pending(h, call);
    else if (result == callee && calls_key(callee))
        call_out(h, site->id);
    else {
        h->site = site->id;
        h->calls_out = false;
    }
    return result;
}

PyObject *hook_callee(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (UNLIKELY(!recorder.recording))
        return Py_NewRef(args[1]);
    Site *site = (Site *)self;
    Handle *h = handle_of(args[0]);
    current_set(h);
    PyObject *callee = args[1];
    if (LIKELY(Py_IS_TYPE(callee, &PyFunction_Type))) {
        Func *func = func_of_function(callee);
        if (func != NULL && !func->is_generator && !func->has_free) {
            call_pending(h, (Pending){func, NULL, site->id, PASSING_PLAIN});
            return Py_NewRef(callee);
        }
    }
    return filtered(h, site, callee);
}

/* A decorator: it is called later, by the interpreter. */
PyObject *hook_decorator(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (UNLIKELY(!recorder.recording))
        return Py_NewRef(args[1]);
    return callee_filter(handle_of(args[0]), (Site *)self, args[1]);
}

/* -- receivers -------------------------------------------------------------------------------------------------------- */

typedef struct Receiver {
    PyObject_HEAD
    PyObject *object; /* owned */
    Handle *handle;   /* owned */
    Site *site;       /* owned */
    struct Receiver *next;
} Receiver;

static void receiver_dealloc(PyObject *o)
{
    Receiver *r = (Receiver *)o;
    Py_CLEAR(r->object);
    Py_CLEAR(r->handle);
    Py_CLEAR(r->site);
    r->next = recorder.spare.receivers;
    recorder.spare.receivers = r;
}

static PyObject *receiver_getattro(PyObject *self, PyObject *name)
{
    Receiver *r = (Receiver *)self;
    PyObject *callee = PyObject_GetAttr(r->object, name);
    if (callee == NULL || !recorder.recording)
        return callee;
    current_set(r->handle); /* a property may have run */
    PyObject *result = filtered(r->handle, r->site, callee);
    Py_DECREF(callee);
    return result;
}

PyTypeObject Receiver_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "wrongcall.receiver",
    .tp_doc = "Stands for the receiver of one method call whose method may be foreign.",
    .tp_basicsize = sizeof(Receiver),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_getattro = receiver_getattro,
    .tp_dealloc = receiver_dealloc,
};

static PyObject *receiver_new(Handle *h, Site *site, PyObject *o)
{
    Receiver *r = recorder.spare.receivers;
    if (r != NULL) {
        recorder.spare.receivers = r->next;
        compat_new_again((PyObject *)r);
    }
    else if (allocation_fails() || (r = PyObject_New(Receiver, &Receiver_Type)) == NULL) {
        allocation_failed();
        PyErr_Clear();
        return Py_NewRef(o);
    }
    r->object = Py_NewRef(o);
    r->handle = (Handle *)Py_NewRef((PyObject *)h);
    r->site = (Site *)Py_NewRef((PyObject *)site);
    return (PyObject *)r;
}

/* Is the method that this type has under the site's name instrumented, or one that reports itself? */
static enum verdict judge_method(PyTypeObject *t, Site *site)
{
    if (t->tp_getattro != PyObject_GenericGetAttr)
        return LOOK; /* modules, classes, __getattr__: find out each time */
    PyObject *found = compat_type_lookup(t, site->name);
    if (found == NULL)
        return LOOK; /* an attribute of the instance */
    if (shape_of(t)->shadows)
        return LOOK;
    if (Py_IS_TYPE(found, &PyMethodDescr_Type))
        return is_quiet_descriptor(found) ? PASS_OUT : LOOK;
    if (PyFunction_Check(found)) {
        Func *func = site->func = func_of_function(found);
        return func != NULL && !func->is_generator && !func->has_free ? PASS : LOOK;
    }
    return LOOK;
}

PyObject *hook_receiver(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (UNLIKELY(!recorder.recording))
        return Py_NewRef(args[1]);
    Site *site = (Site *)self;
    Handle *h = handle_of(args[0]);
    PyObject *o = args[1];
    PyTypeObject *t = Py_TYPE(o);
    current_set(h);
    if (UNLIKELY(site->type != t || site->version != t->tp_version_tag ||
                 site->epoch != recorder.shapes.epoch || site->version == 0)) {
        site->verdict = (int)judge_method(t, site);
        site->type = t;
        site->version = t->tp_version_tag;
        site->epoch = recorder.shapes.epoch;
    }
    if (LIKELY(site->verdict == PASS)) {
        call_pending(h, (Pending){site->func, NULL, site->id, PASSING_BOUND});
        return Py_NewRef(o);
    }
    if (site->verdict == PASS_OUT) {
        h->site = site->id;
        h->calls_out = PyList_Check(o) && PyUnicode_CompareWithASCIIString(site->name, "sort") == 0;
        return Py_NewRef(o);
    }
    h->site = site->id;
    return receiver_new(h, site, o);
}
