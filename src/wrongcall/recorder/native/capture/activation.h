/* Calls: handles, and which one is current in a thread. */
#ifndef WRONGCALL_ACTIVATION_H
#define WRONGCALL_ACTIVATION_H

#include "base/compat.h"
#include "base/branches.h"
#include "emit/event.h"
#include "recorder.h"
#include "shadow/nodes.h"
#include <stdbool.h>
#include <stdint.h>

/* One function of the program (one code object): the constant that marks instrumented code. */
typedef struct {
    PyObject_HEAD
    uint32_t id, entry_site, first_param;
    uint32_t return_site; /* of the `return` that is `h[value]` (tell.c); 0: there is none */
    bool is_generator;    /* or coroutine, or async generator */
    bool is_namespace;    /* the body of a module or class: its handle is not a local */
    bool is_module;
    bool implicit; /* may be called by the interpreter without a call expression */
    bool has_free;
    PyObject *free_names; /* owned: tuple of str */
    PyObject *lines;      /* owned: dict, line -> a site on it */
} Func;

enum {
    ACT_EXITED = 1,
    ACT_HAS_RESULT = 2,
    ACT_GENERATOR = 4,
    ACT_NAMESPACE = 8,
    ACT_NEEDS_CLOSURE = 16,
    ACT_ALIAS = 32, /* stands for another handle's call: a generator expression run elsewhere */
};

#define PENDING 7 /* of calls as arguments of calls, nested deeper, only the line is known */
#define MOST_PENDING UINT8_MAX

/* A call expression whose arguments are being evaluated, and the function it will enter. */
typedef struct {
    Func *func;  /* borrowed, only compared; NULL: not known */
    Func *first; /* borrowed, only compared: the __new__ that runs before func, its __init__; mostly NULL */
    uint32_t site;
    uint8_t passing; /* how the arguments get to the parameters: PASSING_... */
} Pending;

/* A call that is running: what the hidden local variable holds. */
typedef struct Handle {
    PyObject_HEAD
    uint64_t call;
    Func *func;          /* owned */
    struct Handle *prev; /* owned: current before this one began or was resumed */
    PyObject *generator; /* borrowed: it owns the frame that owns this handle */
    PyObject *globals;   /* borrowed; bodies of modules only */
    Value result;        /* ACT_HAS_RESULT: what it is about to return */
    uint32_t site;       /* the last site that was reached in it */
    uint32_t generation; /* of the recording and process that `call` belongs to; 0: it began unrecorded */
    uint8_t flags;
    bool calls_out;   /* `site` calls code that is not instrumented and may call back */
    uint8_t awaiting; /* how many calls are pending: those beyond PENDING are only counted */
    Pending pending[PENDING];
} Handle;

extern PyTypeObject Func_Type, Handle_Type;
extern PyMappingMethods handle_subscripts, func_subscripts; /* tell.c */
extern __thread Handle *current_handle;                     /* owned */

uint64_t thread_of_ident(unsigned long ident); /* a thread's number in the trace; 0: not known */
Handle *current_settle(void);                  /* the call that is really running; borrowed, may be NULL */
void current_set_slow(Handle *h);
Handle *handle_of_func(Func *func);
Handle *activation_enter(Func *func);
Handle *activation_unrecorded(Func *func); /* new reference; NULL: there is no memory */
void activation_forget(void);              /* the recording is over: no call of it is known any more */
void activation_exit(Handle *h, int kind, Value value, uint64_t key, uint32_t site);
void activation_created(Func *func, PyObject *object, Handle *parent, uint32_t site, uint8_t passing);
void activation_returned(PyObject *object, Handle *parent, uint32_t site); /* by foreign code */
void activation_seen(PyObject *object, PlainNode *node);                   /* for the first time */
void activation_pause(Handle *h);
void activation_on_behalf(Handle *h);             /* code of h's call runs, though h is not the top */
void activation_expect(Func *func, uint64_t oid); /* a call site is about to call this closure */
void activation_child_after_fork(void);
void activation_continue_slow(Handle *h);
PyObject *current_globals(void);
int raised_line(PyObject *exc);
Func *func_of_code(PyObject *code); /* borrowed or NULL */
static inline Func *func_of_function(PyObject *f)
{
    return func_of_code(((PyFunctionObject *)f)->func_code);
}

/* A call that was running before the fork, or before recording began, continues as a new one. */
static inline void activation_continue(Handle *h)
{
    if (UNLIKELY(h->generation != recorder.calls.generation))
        activation_continue_slow(h);
}

static inline void current_set(Handle *h)
{
    if (UNLIKELY(current_handle != h || h->generation != recorder.calls.generation))
        current_set_slow(h);
}

static inline Handle *handle_of(PyObject *o)
{
    if (LIKELY(Py_IS_TYPE(o, &Handle_Type)))
        return (Handle *)o;
    return handle_of_func((Func *)o);
}

/* A call of instrumented code is about to be made here, after its arguments are evaluated. */
static inline void call_pending(Handle *h, Pending call)
{
    h->site = call.site;
    h->calls_out = false;
    if (LIKELY(h->awaiting < PENDING))
        h->pending[h->awaiting] = call;
    h->awaiting += h->awaiting < MOST_PENDING;
}

/* Foreign code is about to be called here. */
static inline void call_out(Handle *h, uint32_t site)
{
    h->site = site;
    h->calls_out = true;
}

/* Something else than a call was reached: no call is pending (one that was, failed). */
static inline void reach_site(Handle *h, uint32_t site)
{
    h->site = site;
    h->calls_out = false;
    h->awaiting = 0;
}

static inline Where where_of(Handle *h)
{
    return h == NULL ? (Where){0, 0} : (Where){h->site, h->call};
}

static inline Where where_now(void)
{
    return where_of(current_settle());
}

/* The same where no hook said that its line was reached: found from the frame. For rare events. */
Where where_exactly(void);

#endif
