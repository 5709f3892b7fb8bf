/* Calls: their handles, and which of them is running in a thread.

   Each activation of instrumented code holds a Handle in a hidden local and passes it to every hook,
   so an event never has to guess its call. `current_handle` answers one question only: whose child is
   a call that begins now? It is the top of a chain through `prev`. Every hook puts its own
   handle on top; what lay above it is over (it raised) or suspended.

   A handle that nobody but the chain refers to belongs to a frame that is gone: a lambda that raised,
   an abandoned activation. It ends with DROP. */
#include "base/compat.h"
#include "capture/activation.h"
#include "base/allocate.h"
#include "base/branches.h"
#include "base/instance.h"
#include "capture/follow.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "emit/events.h"
#include "recorder.h"
#include "shadow/identity.h"
#include "shadow/nodes.h"
#include "shadow/shape.h"
#include <string.h>

__thread Handle *current_handle;
static __thread uint64_t thread_number;
static __thread uint32_t thread_generation; /* that the number and the chain belong to */
static __thread Func *pending_func;         /* the closure that a call site is about to call */
static __thread uint64_t pending_oid;

/* -- the chain ----------------------------------------------------------------------------------------- */

static void handle_end_without_exit(Handle *h)
{
    if (h->flags & (ACT_EXITED))
        return;
    h->flags |= ACT_EXITED;
    if (UNLIKELY(h->generation != recorder.calls.generation))
        return; /* it is the parent's, who tells how it ends, or of a recording that is over */
    if (UNLIKELY(recorder.following.count != 0))
        follow_look_for(h->prev); /* since it raised, its caller may have gone on */
    emit(EV_DROP, where_of(h), 0, NO_VALUE, NO_VALUE);
}

/* Takes the top off the chain. */
static void pop(void)
{
    Handle *top = current_handle;
    current_handle = top->prev; /* its reference moves */
    top->prev = NULL;
    Py_DECREF(top);
}

/* Forgets what this thread was doing in an earlier recording. */
static void thread_renew(void)
{
    thread_generation = recorder.calls.generation;
    thread_number = 0;
    pending_func = NULL;
    while (current_handle != NULL && current_handle->generation != recorder.calls.generation)
        pop();
    Py_CLEAR(current_handle); /* a generator that another thread has gone on with */
}

static bool is_suspended(Handle *h)
{
    return (h->flags & ACT_GENERATOR) && h->generator != NULL && !generator_runs(h->generator);
}

Handle *current_settle(void)
{
    if (UNLIKELY(thread_generation != recorder.calls.generation))
        thread_renew();
    while (current_handle != NULL) {
        Handle *top = current_handle;
        if (Py_REFCNT(top) == 1 && !(top->flags & ACT_NAMESPACE)) {
            handle_end_without_exit(top);
            pop();
        }
        else if (UNLIKELY(top->flags & ACT_GENERATOR) && is_suspended(top))
            pop();
        else
            break;
    }
    return current_handle;
}

static bool in_chain(Handle *h)
{
    for (Handle *at = current_handle; at != NULL; at = at->prev) {
        if (at == h)
            return true;
    }
    return false;
}

/* Ends the calls above h: plain calls raised, generators are suspended. */
static void pop_down_to(Handle *h)
{
    while (current_handle != h) {
        if (!(current_handle->flags & ACT_GENERATOR))
            handle_end_without_exit(current_handle);
        pop();
    }
}

static void push(Handle *h)
{
    Py_XDECREF(h->prev);
    h->prev = current_handle;
    current_handle = (Handle *)Py_NewRef((PyObject *)h);
}

void current_set_slow(Handle *h)
{
    activation_continue(h);
    bool resumed = (h->flags & ACT_GENERATOR) && h->prev == NULL && current_handle != NULL;
    if (!resumed && in_chain(h))
        pop_down_to(h);
    else {
        current_settle();
        push(h);
    }
}

void activation_pause(Handle *h)
{
    if (current_handle == h || in_chain(h)) {
        pop_down_to(h);
        pop();
    }
}

/* -- handles -------------------------------------------------------------------------------------------------- */

static Handle *handle_new(Func *func)
{
    Handle *h = recorder.calls.spare;
    if (h != NULL) {
        recorder.calls.spare = h->prev;
        compat_new_again((PyObject *)h);
    }
    else {
        h = allocation_fails() ? NULL : PyObject_New(Handle, &Handle_Type);
        if (h == NULL) {
            allocation_failed();
            PyErr_Clear();
            return NULL;
        }
    }
    h->func = (Func *)Py_NewRef((PyObject *)func);
    h->prev = NULL;
    h->generator = h->globals = NULL;
    h->site = func->entry_site;
    h->generation = recorder.calls.generation;
    h->flags = 0;
    h->calls_out = false;
    h->awaiting = 0;
    return h;
}

static void handle_dealloc(PyObject *o)
{
    Handle *h = (Handle *)o;
    if (!(h->flags & ACT_EXITED) && recorder.recording)
        handle_end_without_exit(h);
    Handle *prev = h->prev;
    Py_DECREF(h->func);
    h->prev = recorder.calls.spare;
    recorder.calls.spare = h;
    Py_XDECREF(prev);
}

PyTypeObject Handle_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "wrongcall.call",
    .tp_doc = "A call that is being recorded.",
    .tp_basicsize = sizeof(Handle),
    .tp_as_mapping = &handle_subscripts,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_dealloc = handle_dealloc,
};

/* The running body of a module or class; code that runs outside of any call gets a handle of no call. */
static Handle nobody = {PyObject_HEAD_INIT(&Handle_Type)};

Handle *handle_of_func(Func *func)
{
    if ((PyObject *)func != Py_None) {
        for (Handle *h = current_handle; h != NULL; h = h->prev) {
            if (h->func == func && !(h->flags & ACT_EXITED))
                return h;
        }
    }
    for (size_t i = 0; i < recorder.calls.body_count; i++) {
        if (recorder.calls.bodies[i]->func == func && !(recorder.calls.bodies[i]->flags & ACT_EXITED))
            return recorder.calls.bodies[i];
    }
    Handle *h = current_settle();
    if (h != NULL)
        return h;
    Py_SET_REFCNT((PyObject *)&nobody, 1 << 20);
    nobody.flags = ACT_EXITED | ACT_NAMESPACE;
    nobody.generation = recorder.calls.generation;
    return &nobody;
}

void activation_on_behalf(Handle *h)
{
    activation_continue(h);
    Handle *top = current_settle();
    if (top == NULL || top == h || h->call == 0 || top->call == h->call)
        return;
    Handle *alias = handle_new(h->func);
    if (alias == NULL) {
        drop_error();
        return;
    }
    alias->call = h->call;
    alias->flags = ACT_ALIAS | ACT_EXITED | ACT_NAMESPACE;
    push(alias);
    Py_DECREF(alias); /* the chain keeps it until the next hook of another call */
}

uint64_t thread_of_ident(unsigned long ident)
{
    uint64_t found = 0;
    for (size_t i = 0; i < Py_ARRAY_LENGTH(recorder.calls.recent_threads); i++) {
        if (recorder.calls.recent_threads[i].ident == ident &&
            recorder.calls.recent_threads[i].number > found)
            found = recorder.calls.recent_threads[i].number;
    }
    return found;
}

static void thread_begin(void)
{
    thread_number = ++recorder.calls.last_thread;
    size_t place = recorder.calls.last_thread % Py_ARRAY_LENGTH(recorder.calls.recent_threads);
    recorder.calls.recent_threads[place].ident = PyThread_get_thread_ident();
    recorder.calls.recent_threads[place].number = recorder.calls.last_thread;
    emit(EV_THREAD, (Where){0, 0}, recorder.transport.process, (Value){TAG_INT, PyThread_get_thread_ident()},
         INT_VALUE(thread_number));
}

/* The thread has a number in this recording. */
static void thread_ready(void)
{
    if (UNLIKELY(thread_generation != recorder.calls.generation))
        thread_renew();
    if (UNLIKELY(thread_number == 0))
        thread_begin();
}

/* -- entering --------------------------------------------------------------------------------------------------- */

void activation_expect(Func *func, uint64_t oid)
{
    pending_func = func;
    pending_oid = oid;
}

/* The line in the nearest frame of a function, or (NULL) of any of the program, from this one on;
   takes the reference over. Other frames in between are passed over. 0: not found. */
static uint32_t line_from(PyFrameObject *frame, Func *wanted)
{
    uint32_t line = 0;
    for (int i = 0; frame != NULL && i < 64 && line == 0; i++) {
        PyCodeObject *code = PyFrame_GetCode(frame);
        Func *func = func_of_code((PyObject *)code);
        if (func != NULL && (wanted == NULL || func == wanted))
            line = (uint32_t)PyFrame_GetLineNumber(frame);
        Py_DECREF(code);
        PyFrameObject *back = PyFrame_GetBack(frame);
        Py_DECREF(frame);
        frame = back;
    }
    Py_XDECREF(frame);
    return line;
}

/* Where in the caller the interpreter called without a call expression: operators, properties,
   classes, imports. */
static uint32_t implicit_line(void)
{
    PyFrameObject *frame = PyThreadState_GetFrame(PyThreadState_Get());
    PyFrameObject *back = frame == NULL ? NULL : PyFrame_GetBack(frame);
    Py_XDECREF(frame);
    return line_from(back, NULL);
}

uint32_t line_of_frame(void)
{
    uint32_t line = line_from(PyThreadState_GetFrame(PyThreadState_Get()), NULL);
    return line == 0 ? 0 : line | SITE_LINE;
}

typedef struct {
    uint32_t site;
    uint8_t passing;
} Caller;

/* Where a function is called from: the innermost pending call, if it is to enter this function, or the
   foreign code that calls back; if neither, the interpreter called without a call expression (for an
   argument of the pending call, say), and bit 31 marks a line. */
static Caller caller_of(Handle *parent, Func *func)
{
    if (parent == NULL)
        return (Caller){0, PASSING_UNKNOWN};
    if (LIKELY(parent->awaiting > 0 && parent->awaiting <= PENDING)) {
        Pending *top = &parent->pending[parent->awaiting - 1];
        if (LIKELY(top->func == func || top->func == NULL)) {
            parent->awaiting--;
            return (Caller){top->site, top->passing};
        }
        if (top->first == func) /* then comes __init__, with the same arguments */
            return (Caller){top->site, top->passing};
    }
    else if (parent->awaiting > PENDING)
        parent->awaiting--;
    return (Caller){parent->calls_out ? parent->site : implicit_line() | SITE_LINE, PASSING_UNKNOWN};
}

static Value closure_value(Func *func, Handle *h)
{
    Func *expected = pending_func;
    pending_func = NULL;
    if (!func->has_free)
        return NO_VALUE;
    if (expected == func)
        return OBJ_VALUE(pending_oid);
    h->flags |= ACT_NEEDS_CLOSURE;
    return NO_VALUE;
}

static uint64_t emit_begin(int kind, Func *func, Handle *parent, uint64_t call, Caller caller, Value closure)
{
    Where at = {func->entry_site, call};
    Value key = {caller.passing, caller.site | thread_number << 32};
    emit(kind, at, parent == NULL ? 0 : parent->call, key, closure);
    return call;
}

void activation_created(Func *func, PyObject *object, Handle *parent, uint32_t site, uint8_t passing)
{
    Shape *shape = shape_of(Py_TYPE(object));
    if (shape->layout != LAYOUT_ACTIVATION)
        return;
    thread_ready();
    uint64_t call = ++recorder.calls.last_call;
    Value closure = pending_func == func && func->has_free ? OBJ_VALUE(pending_oid) : NO_VALUE;
    pending_func = NULL;
    PlainNode *node = (PlainNode *)node_new(object_base(object), shape, LAYOUT_ACTIVATION, PLAIN_SIZE);
    node->head.flags |= NODE_UNWRITTEN;
    node->fingerprint = call;
    Caller caller = {parent == NULL ? 0 : site, passing};
    emit_begin(EV_CREATE, func, parent, call, caller, closure);
}

/* The function of a generator that C code created and nobody has run yet; NULL: it is none. */
static Func *created_unseen(PyObject *o)
{
    if (!(PyGen_CheckExact(o) || PyCoro_CheckExact(o) || PyAsyncGen_CheckExact(o)) || !generator_is_new(o))
        return NULL;
    PyObject *code = compat_generator_code(o);
    Func *func = code == NULL || !PyCode_Check(code) ? NULL : func_of_code(code);
    Py_XDECREF(code); /* the generator holds it */
    return func;
}

void activation_returned(PyObject *object, Handle *parent, uint32_t site)
{
    Func *func = created_unseen(object);
    if (func != NULL && node_find(object) == NULL)
        activation_created(func, object, parent, site, PASSING_UNKNOWN);
}

void activation_seen(PyObject *object, PlainNode *node)
{
    Func *func = created_unseen(object);
    if (func == NULL)
        return;
    Handle *parent = current_settle();
    thread_ready();
    node->fingerprint = ++recorder.calls.last_call;
    Caller caller = {parent == NULL ? 0 : line_of_frame(), PASSING_UNKNOWN};
    emit_begin(EV_CREATE, func, parent, node->fingerprint, caller, NO_VALUE);
}

/* A generator's body runs for the first time: finds its call. */
static void start_generator(Func *func, Handle *h, Handle *parent)
{
    PyFrameObject *frame = PyThreadState_GetFrame(PyThreadState_Get());
    PyObject *generator = frame == NULL ? NULL : PyFrame_GetGenerator(frame);
    Py_XDECREF(frame);
    h->flags |= ACT_GENERATOR;
    h->generator = generator;
    Py_XDECREF(generator); /* it owns the frame that owns the handle */
    PlainNode *node = generator == NULL ? NULL : (PlainNode *)node_find(generator);
    if (node != NULL && node->fingerprint != 0) {
        h->call = node->fingerprint;
        if (func->has_free)
            h->flags |= ACT_NEEDS_CLOSURE;
    }
    else {
        h->call = emit_begin(EV_CREATE, func, parent, ++recorder.calls.last_call, caller_of(parent, func),
                             closure_value(func, h));
        if (node == NULL && generator != NULL) {
            node = (PlainNode *)node_new(object_base(generator), shape_of(Py_TYPE(generator)),
                                         LAYOUT_ACTIVATION, PLAIN_SIZE);
            node->head.flags |= NODE_UNWRITTEN;
        }
        else if (node != NULL)
            emit(EV_ACTIVATION, (Where){0, h->call}, node->head.oid, NO_VALUE, NO_VALUE);
        if (node != NULL)
            node->fingerprint = h->call;
    }
    if (node != NULL)
        node->head.flags |= NODE_STARTED;
    emit(EV_START, (Where){func->entry_site, h->call}, 0, NO_VALUE, NO_VALUE);
}

Handle *activation_enter(Func *func)
{
    Handle *parent = current_settle();
    Handle *h = handle_new(func);
    if (h == NULL)
        return NULL;
    thread_ready();
    if (func->is_generator)
        start_generator(func, h, parent);
    else
        h->call = emit_begin(EV_ENTER, func, parent, ++recorder.calls.last_call, caller_of(parent, func),
                             closure_value(func, h));
    if (func->is_namespace)
        h->flags |= ACT_NAMESPACE;
    push(h);
    return h;
}

/* A call that begins while nothing is recorded: if recording begins before it ends, it continues as a new one. */
Handle *activation_unrecorded(Func *func)
{
    Handle *h = handle_new(func);
    if (h == NULL)
        return NULL;
    h->call = 0;
    h->generation = 0;
    h->result = NO_VALUE;
    if (func->is_generator)
        h->flags |= ACT_GENERATOR;
    return h;
}

/* -- leaving -------------------------------------------------------------------------------------------------------- */

void activation_exit(Handle *h, int kind, Value value, uint64_t key, uint32_t site)
{
    activation_continue(h);
    emit(kind, (Where){site, h->call}, 0, (Value){TAG_INT, key}, value);
    h->flags |= ACT_EXITED;
    if (LIKELY(current_handle == h))
        pop();
    else if (in_chain(h)) {
        pop_down_to(h);
        pop();
    }
}

/* The line at which the exception being handled left the running frame. */
int raised_line(PyObject *exc)
{
    PyTracebackObject *tb = (PyTracebackObject *)((PyBaseExceptionObject *)exc)->traceback;
    if (tb == NULL || !PyTraceBack_Check((PyObject *)tb))
        return 0;
    if (tb->tb_lineno > 0)
        return tb->tb_lineno;
    PyCodeObject *code = PyFrame_GetCode(tb->tb_frame);
    int line = PyCode_Addr2Line(code, tb->tb_lasti);
    Py_DECREF(code);
    return line > 0 ? line : 0;
}

/* -- in a forked child, and in another recording ---------------------------------------------------------------------------------------------- */

/* The parent's calls that are running are not this process's; those in the chain are kept alive for good. Bodies of modules
   and classes are found through it, so they are noted. */
void activation_child_after_fork(void)
{
    thread_number = 0;
    pending_func = NULL;
    thread_generation = ++recorder.calls.generation;
    recorder.calls.body_count = 0;
    size_t count = 0;
    for (Handle *h = current_handle; h != NULL; h = h->prev)
        count += (h->flags & (ACT_NAMESPACE | ACT_EXITED)) == ACT_NAMESPACE;
    recorder.calls.bodies = count == 0 ? NULL : allocate(count, sizeof *recorder.calls.bodies);
    for (Handle *h = current_handle; h != NULL && recorder.calls.bodies != NULL; h = h->prev) {
        if ((h->flags & (ACT_NAMESPACE | ACT_EXITED)) == ACT_NAMESPACE)
            recorder.calls.bodies[recorder.calls.body_count++] = (Handle *)Py_NewRef((PyObject *)h);
    }
    current_handle = NULL;
}

/* The generator whose body calls a hook; borrowed, NULL: it is not this function's. */
static PyObject *running_generator(Func *func)
{
    PyFrameObject *frame = PyThreadState_GetFrame(PyThreadState_Get());
    PyCodeObject *code = frame == NULL ? NULL : PyFrame_GetCode(frame);
    bool own = code != NULL && func_of_code((PyObject *)code) == func;
    PyObject *generator = own ? PyFrame_GetGenerator(frame) : NULL;
    Py_XDECREF(code);
    Py_XDECREF(frame);
    Py_XDECREF(generator); /* it owns the frame that owns the handle */
    return generator;
}

/* A call of the parent's, or one that began before the recording, goes on here: it is a new call, which begins now. */
void activation_continue_slow(Handle *h)
{
    h->generation = recorder.calls.generation;
    if (h->flags & ACT_EXITED) {
        h->call = 0;
        return;
    }
    thread_ready();
    h->call = ++recorder.calls.last_call;
    if ((h->flags & ACT_GENERATOR) && h->generator == NULL)
        h->generator = running_generator(h->func);
    h->awaiting = 0;
    h->result = NO_VALUE;
    Caller caller = {0, PASSING_CONTINUED};
    bool generator = h->flags & ACT_GENERATOR;
    emit_begin(generator ? EV_CREATE : EV_ENTER, h->func, NULL, h->call, caller, NO_VALUE);
    if (generator)
        emit(EV_START, (Where){h->func->entry_site, h->call}, 0, NO_VALUE, NO_VALUE);
}

/* Calls that are still running have handles of a generation that is over. */
void activation_forget(void)
{
    recorder.calls.generation++;
    recorder.calls.last_call = recorder.calls.last_thread = 0;
    memset(recorder.calls.recent_threads, 0, sizeof recorder.calls.recent_threads);
}

PyObject *current_globals(void)
{
    return PyEval_GetGlobals();
}

/* The line that a call has reached, as a number of Python's; 0: not found. */
static PyObject *reached_line(Func *func)
{
    return PyLong_FromLong(line_from(PyThreadState_GetFrame(PyThreadState_Get()), func));
}

Where where_exactly(void)
{
    Handle *h = current_settle();
    Where at = where_of(h);
    PyObject *line = h == NULL || h->func == NULL ? NULL : reached_line(h->func);
    PyObject *site = line == NULL ? NULL : PyDict_GetItemWithError(h->func->lines, line);
    if (site != NULL)
        at.site = (uint32_t)PyLong_AsUnsignedLong(site);
    Py_XDECREF(line);
    drop_error();
    return at;
}

/* -- functions of the program ------------------------------------------------------------------------------------------ */

Func *func_of_code(PyObject *code)
{
    PyObject *constants = ((PyCodeObject *)code)->co_consts;
    Py_ssize_t n = PyTuple_GET_SIZE(constants);
    PyObject *last = n == 0 ? NULL : PyTuple_GET_ITEM(constants, n - 1);
    return last != NULL && Py_IS_TYPE(last, &Func_Type) ? (Func *)last : NULL;
}

static void func_dealloc(PyObject *o)
{
    Py_XDECREF(((Func *)o)->free_names);
    Py_XDECREF(((Func *)o)->lines);
    PyObject_Free(o);
}

PyTypeObject Func_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "wrongcall.function",
    .tp_doc = "A function of the program: a constant of its instrumented code.",
    .tp_basicsize = sizeof(Func),
    .tp_as_mapping = &func_subscripts,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_dealloc = func_dealloc,
};
