/* What instrumented code calls: one bound C function per site, the site being its `self`. Some kinds are told by
   a store or a deletion instead (capture/tell.c): their work is done by the functions tell_...

   Every hook takes the handle of the running call first (the body of a module or class passes its
   Func instead, a comprehension None: see handle_of). After the end of recording hooks do nothing. */
#include "base/compat.h"
#include "base/allocate.h"
#include "base/branches.h"
#include "base/instance.h"
#include "base/lookup.h"
#include "buffers/buffers.h"
#include "capture/activation.h"
#include "capture/follow.h"
#include "capture/lazy_imports.h"
#include "capture/processes.h"
#include "capture/site.h"
#include "capture/subscripts.h"
#include "compare/resync.h"
#include "emit/content.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "emit/events.h"
#include "recorder.h"
#include "shadow/attributes.h"
#include "shadow/dict_alias.h"
#include "shadow/encode.h"
#include "shadow/first_sight.h"
#include "shadow/identity.h"
#include "shadow/nodes.h"
#include "shadow/program.h"
#include "shadow/shape.h"
#include "shadow/slot.h"
#include <opcode.h> /* IMPORT_NAME, IMPORT_FROM */

static inline void reach(Handle *h, Site *site)
{
    look_at_followed();
    current_set(h);
    reach_site(h, site->id);
}

static inline Handle *begin(PyObject *self, PyObject *const *args)
{
    Handle *h = handle_of(args[0]);
    reach(h, (Site *)self);
    return h;
}

static inline Where reached(Handle *h, Site *site)
{
    return (Where){site->id, h->call};
}

static inline Where here(PyObject *self, Handle *h)
{
    return reached(h, (Site *)self);
}

/* -- calls --------------------------------------------------------------------------------------------------- */

static void enter_module(Handle *h);

/* What stands for a handle: the other hooks do not look, unless recording begins before the call ends. */
static PyObject *enter_unrecorded(Func *func)
{
    Handle *h = NULL;
    if (recorder.restarts && func->is_module)
        program_module(PyEval_GetGlobals());
    else if (recorder.restarts && !func->is_namespace)
        h = activation_unrecorded(func);
    return h == NULL ? Py_NewRef((PyObject *)func) : (PyObject *)h;
}

/* self: the Func; args: the parameters. Returns the handle. */
PyObject *hook_enter(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    Func *func = (Func *)self;
    if (UNLIKELY(!recorder.recording))
        return enter_unrecorded(func);
    look_at_followed();
    Handle *h = activation_enter(func);
    if (h == NULL) {
        drop_error();
        return Py_NewRef(self);
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        Value value = encode(args[i]);
        emit(EV_LOCAL, (Where){func->first_param + (uint32_t)i, h->call}, 0, NO_VALUE, value);
    }
    if (func->is_module)
        enter_module(h);
    return (PyObject *)h;
}

void call_returns(Handle *h, PyObject *value, uint32_t site)
{
    look_at_followed();
    Value encoded = encode(value);
    activation_exit(h, EV_RETURN, encoded, 0, site);
}

static PyObject *hook_return(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (LIKELY(recorder.recording))
        call_returns(handle_of(args[0]), args[1], ((Site *)self)->id);
    return Py_NewRef(args[1]);
}

/* The end of the body was reached. */
static void tell_return(Handle *h, Site *site, PyObject *unused)
{
    look_at_followed();
    activation_exit(h, EV_RETURN, (Value){TAG_CONST, CONST_NONE}, 0, site->id);
}

/* A return inside `with` or `try`: the call ends after what they do. */
static PyObject *hook_result(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (LIKELY(recorder.recording)) {
        Handle *h = begin(self, args);
        h->result = encode(args[1]);
        h->flags |= ACT_HAS_RESULT;
        emit(EV_BLOCK, here(self, h), 0, NO_VALUE, NO_VALUE);
    }
    return Py_NewRef(args[1]);
}

static PyObject *hook_finish(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (LIKELY(recorder.recording)) {
        Handle *h = handle_of(args[0]);
        if (!(h->flags & ACT_EXITED)) {
            look_at_followed();
            Value value = h->flags & ACT_HAS_RESULT ? h->result : (Value){TAG_CONST, CONST_NONE};
            activation_exit(h, EV_RETURN, value, 0, 0);
        }
    }
    Py_RETURN_NONE;
}

/* In the `except BaseException` around a body: the call ends with this exception. */
static PyObject *hook_raised(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    PyObject *exc = PyErr_GetHandledException();
    if (exc != NULL && UNLIKELY(Py_IS_TYPE(exc, (PyTypeObject *)PyExc_MemoryError)))
        return_memory();
    if (LIKELY(recorder.recording)) {
        Handle *h = handle_of(args[0]);
        if (exc != NULL && !(h->flags & ACT_EXITED)) {
            look_at_followed();
            current_set(h);
            resync(exc, here(self, h)); /* `raise ... from ...` */
            Value value = encode(exc);
            activation_exit(h, EV_RAISE, value, (uint64_t)raised_line(exc), ((Site *)self)->id);
        }
    }
    Py_XDECREF(exc);
    Py_RETURN_NONE;
}

/* `except*` puts a group around a single exception: that one; else NULL. Borrowed. */
static PyObject *wrapped_exception(PyObject *exc)
{
    if (!PyObject_TypeCheck(exc, (PyTypeObject *)PyExc_BaseExceptionGroup) ||
        !made_by_except_star(((PyBaseExceptionObject *)exc)->traceback))
        return NULL;
    PyObject *inside = ((PyBaseExceptionGroupObject *)exc)->excs;
    return inside == NULL || PyTuple_GET_SIZE(inside) != 1 ? NULL : PyTuple_GET_ITEM(inside, 0);
}

/* At the beginning of an `except` clause. */
static PyObject *hook_caught(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (LIKELY(recorder.recording)) {
        Handle *h = begin(self, args);
        PyObject *exc = PyErr_GetHandledException();
        if (exc != NULL) {
            resync(exc, here(self, h));
            PyObject *inside = wrapped_exception(exc);
            if (inside != NULL)
                emit(EV_BLOCK, here(self, h), 0, INT_VALUE(raised_line(inside)), encode(inside));
            emit(EV_CAUGHT, here(self, h), 0, INT_VALUE(raised_line(exc)), encode(exc));
        }
        Py_XDECREF(exc);
    }
    Py_RETURN_NONE;
}

/* Did the exception that is being handled pass through the running frame? Then where; else 0. */
static int left_line(PyObject *exc)
{
    PyTracebackObject *tb = (PyTracebackObject *)((PyBaseExceptionObject *)exc)->traceback;
    PyFrameObject *frame = PyThreadState_GetFrame(PyThreadState_Get());
    int line =
        tb != NULL && PyTraceBack_Check((PyObject *)tb) && tb->tb_frame == frame ? raised_line(exc) : 0;
    Py_XDECREF(frame);
    return line;
}

/* An exception leaves the body of a `with`, or leads to a `finally`: the block ended there. (In a
   generator it may have been thrown in: then it is the running call again.) */
static PyObject *hook_left(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (LIKELY(recorder.recording)) {
        Handle *h = begin(self, args);
        PyObject *exc = PyErr_GetHandledException();
        int line = exc == NULL ? 0 : left_line(exc);
        if (line != 0)
            emit(EV_BLOCK, here(self, h), 0, INT_VALUE(line), encode(exc));
        Py_XDECREF(exc);
    }
    Py_RETURN_NONE;
}

/* A statement that may change something without any other hook: its line. */
static void tell_reach(Handle *h, Site *site, PyObject *unused)
{
    reach(h, site);
}

static PyObject *hook_reach(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (LIKELY(recorder.recording))
        begin(self, args);
    Py_RETURN_NONE;
}

static PyObject *hook_yield(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (LIKELY(recorder.recording)) {
        Handle *h = begin(self, args);
        emit(EV_YIELD, here(self, h), 0, NO_VALUE, encode(args[1]));
        activation_pause(h);
    }
    return Py_NewRef(args[1]);
}

static PyObject *hook_resume(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (LIKELY(recorder.recording)) {
        Handle *h = begin(self, args);
        emit(EV_RESUME, here(self, h), 0, NO_VALUE, encode(args[1]));
    }
    return Py_NewRef(args[1]);
}

static void tell_block(Handle *h, Site *site, PyObject *unused)
{
    reach(h, site);
    emit(EV_BLOCK, reached(h, site), 0, NO_VALUE, NO_VALUE);
}

static PyObject *hook_block(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (LIKELY(recorder.recording))
        tell_block(handle_of(args[0]), (Site *)self, NULL);
    Py_RETURN_NONE;
}

/* The branch of `a if c else b` that was taken. */
static PyObject *hook_arm(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (LIKELY(recorder.recording)) {
        Handle *h = handle_of(args[0]);
        activation_continue(h);
        emit(EV_BLOCK, here(self, h), 0, NO_VALUE, NO_VALUE);
    }
    return Py_NewRef(args[1]);
}

/* -- names ------------------------------------------------------------------------------------------------------ */

static void tell_local(Handle *h, Site *site, PyObject *value)
{
    reach(h, site);
    emit(EV_LOCAL, reached(h, site), 0, NO_VALUE, encode(value));
}

/* `(x := local(h, v))` */
static PyObject *hook_local(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (LIKELY(recorder.recording))
        tell_local(handle_of(args[0]), (Site *)self, args[1]);
    return Py_NewRef(args[1]);
}

/* After a statement that bound several names: their values. */
static PyObject *hook_locals(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (LIKELY(recorder.recording)) {
        Handle *h = begin(self, args);
        for (Py_ssize_t i = 1; i < n; i++) {
            Value value = encode(args[i]);
            emit(EV_LOCAL, (Where){((Site *)self)->id + (uint32_t)i - 1, h->call}, 0, NO_VALUE, value);
        }
    }
    Py_RETURN_NONE;
}

/* In a comprehension: its variables; true, because it stands as a condition. */
static PyObject *hook_comprehension(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (LIKELY(recorder.recording)) {
        Handle *h = handle_of(args[0]);
        activation_on_behalf(h);
        for (Py_ssize_t i = 1; i < n; i++) {
            Value value = encode(args[i]);
            emit(EV_LOCAL, (Where){((Site *)self)->id + (uint32_t)i - 1, h->call}, 0, NO_VALUE, value);
        }
    }
    Py_RETURN_TRUE;
}

/* After `x += v`: what x holds may have been changed in place. */
static PyObject *hook_augmented(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (LIKELY(recorder.recording)) {
        Handle *h = begin(self, args);
        Value value;
        if (!encode_quick(args[1], &value)) {
            resync_grown(args[1], here(self, h));
            value = encode(args[1]);
        }
        emit(EV_LOCAL, here(self, h), 0, NO_VALUE, value);
    }
    Py_RETURN_NONE;
}

/* After `del x`, or where `except e as x` unbinds it: by then the call may have returned. */
static PyObject *hook_local_deleted(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (LIKELY(recorder.recording) && !(handle_of(args[0])->flags & ACT_EXITED)) {
        Handle *h = begin(self, args);
        emit(EV_LOCAL_DEL, here(self, h), 0, NO_VALUE, NO_VALUE);
    }
    Py_RETURN_NONE;
}

/* In the body of a class, after a statement that bound names: their values. Nothing is read from a
   namespace that is not a plain dict (a metaclass's __prepare__ may give any object). */
static PyObject *hook_namespace(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    Site *site = (Site *)self;
    if (UNLIKELY(!recorder.recording))
        Py_RETURN_NONE;
    Handle *h = begin(self, args);
    PyObject *namespace = running_namespace();
    bool told = false;
    for (Py_ssize_t i = 0; namespace != NULL && i < PyTuple_GET_SIZE(site->names); i++) {
        PyObject *value = PyDict_GetItemWithError(namespace, PyTuple_GET_ITEM(site->names, i));
        if (value == NULL)
            continue;
        Where at = {site->id + (uint32_t)i, h->call};
        if (n > 1 && !is_atom(value)) /* after `x += v` */
            resync_grown(value, at);
        Value encoded = encode(value);
        emit(EV_LOCAL, at, 0, NO_VALUE, encoded);
        told = true;
    }
    if (!told)
        emit(EV_BLOCK, here(self, h), 0, NO_VALUE, NO_VALUE);
    drop_error();
    Py_RETURN_NONE;
}

/* -- statements that failed: what they did before that --------------------------------------------------------------- */

/* Where in the running code the exception that is being handled was raised, or came back to it;
   new reference to the code or NULL. */
static PyCodeObject *raised_in(int *lasti)
{
    PyObject *exc = PyErr_GetHandledException();
    PyTracebackObject *tb =
        exc == NULL ? NULL : (PyTracebackObject *)((PyBaseExceptionObject *)exc)->traceback;
    PyFrameObject *frame = PyThreadState_GetFrame(PyThreadState_Get());
    PyCodeObject *code = NULL;
    if (tb != NULL && PyTraceBack_Check((PyObject *)tb) && tb->tb_frame == frame) {
        code = PyFrame_GetCode(frame);
        *lasti = tb->tb_lasti;
    }
    Py_XDECREF(frame);
    Py_XDECREF(exc);
    return code;
}

typedef struct {
    int line, column, end_line, end_column;
} Range;

/* The place of the syntax node that raised. */
static bool raised_at(Range *found)
{
    int lasti;
    PyCodeObject *code = raised_in(&lasti);
    bool known = code != NULL && PyCode_Addr2Location(code, lasti, &found->line, &found->column,
                                                      &found->end_line, &found->end_column);
    Py_XDECREF(code);
    return known && found->column >= 0; /* the interpreter may have been told to keep no columns */
}

static int number_at(PyObject *self, int i)
{
    return (int)PyLong_AsLong(PyTuple_GET_ITEM(((Site *)self)->names, i));
}

static bool before(int line, int column, int other_line, int other_column)
{
    return line < other_line || (line == other_line && column < other_column);
}

/* Was it raised behind a name and before the end of the targets? Then the name was bound. */
static PyObject *hook_bound(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    Range at;
    return PyBool_FromLong(recorder.recording && raised_at(&at) &&
                           !before(at.line, at.column, number_at(self, 0), number_at(self, 1)) &&
                           before(at.line, at.column, number_at(self, 2), number_at(self, 3)));
}

/* Was it raised by one of these nodes itself, not by what they are made of? */
static PyObject *hook_stopped(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    Range at;
    bool found = false;
    if (recorder.recording && raised_at(&at)) {
        for (int i = 0; i + 4 <= PyTuple_GET_SIZE(((Site *)self)->names); i += 4)
            found |= at.line == number_at(self, i) && at.column == number_at(self, i + 1) &&
                     at.end_line == number_at(self, i + 2) && at.end_column == number_at(self, i + 3);
    }
    return PyBool_FromLong(found);
}

/* `from m import a, b, ...`: had more than so many been bound? All have the place of the statement, so
   the instructions are counted: each name is asked for by one of its own, after the import. */
static PyObject *hook_imported(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    int lasti, count = 0;
    PyCodeObject *code = recorder.recording ? raised_in(&lasti) : NULL;
    PyObject *text = code == NULL ? NULL : PyCode_GetCode(code);
    if (text != NULL) {
        const unsigned char *bytes = (unsigned char *)PyBytes_AS_STRING(text);
        for (int i = lasti; i >= 0 && i < PyBytes_GET_SIZE(text) && bytes[i] != IMPORT_NAME; i -= 2)
            count += bytes[i] == IMPORT_FROM;
    }
    Py_XDECREF(text);
    Py_XDECREF(code);
    drop_error();
    return PyBool_FromLong(count - 1 > number_at(self, 0));
}

/* -- globals: attributes of the module --------------------------------------------------------------------------- */

static Node *module_node(PyObject *globals)
{
    Node *node = node_find(globals);
    PyObject *owner;
    if (node == NULL || !(node->flags & NODE_ATTRS_OF))
        return NULL;
    return (Node *)table_owner((TableNode *)node, &owner);
}

/* The module whose namespace this is: usually the one that sys.modules has under its name. */
static PyObject *module_of(PyObject *globals)
{
    PyObject *name = dict_find(globals, "__name__");
    PyObject *modules = PyImport_GetModuleDict();
    PyObject *module = name == NULL || !PyUnicode_CheckExact(name) || !PyDict_CheckExact(modules)
                           ? NULL
                           : PyDict_GetItemWithError(modules, name);
    drop_error();
    return module != NULL && PyModule_CheckExact(module) && PyModule_GetDict(module) == globals ? module
                                                                                                : NULL;
}

static void enter_module(Handle *h)
{
    PyObject *globals = PyEval_GetGlobals();
    PyObject *module = module_of(globals);
    h->globals = globals;
    program_module(globals);
    if (module == NULL)
        return;
    PyObject *args[3] = {(PyObject *)h, module, globals};
    Py_DECREF(hook_dict_of(NULL, args, 3));
    object_node(globals);
}

static void global_written(Site *site, Handle *h, PyObject *name, PyObject *value, uint32_t id)
{
    PyObject *globals = PyEval_GetGlobals();
    Node *node = module_node(globals);
    Where at = {id, h->call};
    if (node != NULL)
        attr_write(NULL, node, name, value, at, EV_ATTR);
    else /* a namespace without a module, as with runpy or exec: a plain dict */
        written_subscript(globals, name, value, PyDict_GET_SIZE(globals) - 1, at);
}

/* In a forked child, and when recording begins in a running process: what the program's modules hold now. */
void modules_seen(void)
{
    PyObject *modules = PyImport_GetModuleDict(), *name, *iterator;
    iterator = recorder.program_names == NULL ? NULL : PyObject_GetIter(recorder.program_names);
    while (iterator != NULL && (name = PyIter_Next(iterator)) != NULL) {
        PyObject *module = PyDict_CheckExact(modules) ? PyDict_GetItemWithError(modules, name) : NULL;
        if (module != NULL && PyModule_CheckExact(module)) {
            note_alias(module, PyModule_GetDict(module));
            object_node(PyModule_GetDict(module));
            process_has_module(name, object_node(module)->oid);
        }
        Py_DECREF(name);
    }
    Py_XDECREF(iterator);
    drop_error();
}

/* `x = global(h, v)` */
static PyObject *hook_global(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    Site *site = (Site *)self;
    if (LIKELY(recorder.recording)) {
        Handle *h = begin(self, args);
        global_written(site, h, site->name, args[1], site->id);
    }
    return Py_NewRef(args[1]);
}

/* After a statement that bound names: what they hold now. One that is gone was deleted by code that the
   statement ran, which said so itself. A second argument: after `x += v`. */
static PyObject *hook_globals(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    Site *site = (Site *)self;
    if (UNLIKELY(!recorder.recording))
        Py_RETURN_NONE;
    Handle *h = begin(self, args);
    PyObject *globals = PyEval_GetGlobals();
    bool told = false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(site->names); i++) {
        PyObject *name = PyTuple_GET_ITEM(site->names, i);
        PyObject *value = Py_XNewRef(PyDict_GetItemWithError(globals, name));
        if (value == NULL)
            continue;
        if (n > 1 && !is_atom(value))
            resync_grown(value, here(self, h));
        global_written(site, h, name, value, site->id + (uint32_t)i);
        lazy_import_bound(globals, value);
        Py_DECREF(value);
        told = true;
    }
    if (!told)
        emit(EV_BLOCK, here(self, h), 0, NO_VALUE, NO_VALUE);
    drop_error();
    Py_RETURN_NONE;
}

static PyObject *hook_global_deleted(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    Site *site = (Site *)self;
    if (LIKELY(recorder.recording)) {
        Handle *h = begin(self, args);
        global_written(site, h, site->name, NULL, site->id);
    }
    Py_RETURN_NONE;
}

/* After `from m import *`: which names are there now? */
static PyObject *hook_globals_changed(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (LIKELY(recorder.recording)) {
        Handle *h = begin(self, args);
        resync(PyEval_GetGlobals(), here(self, h));
    }
    Py_RETURN_NONE;
}

/* -- closures -------------------------------------------------------------------------------------------------------- */

/* The cells of a throw-away lambda that names the variables wanted: cell i and its variable's name. */
static PyObject *cells_of(PyObject *lambda, PyObject **names)
{
    PyObject *closure = PyFunction_Check(lambda) ? PyFunction_GetClosure(lambda) : NULL;
    *names = closure == NULL ? NULL : PyCode_GetFreevars((PyCodeObject *)PyFunction_GetCode(lambda));
    if (*names == NULL)
        drop_error();
    return *names == NULL ? NULL : closure;
}

static void cell_owned(PyObject *cell, uint64_t call)
{
    void *base = object_base(cell);
    PlainNode *node = (PlainNode *)node_find_base(base);
    if (node == NULL)
        node = (PlainNode *)node_new(base, shape_of(Py_TYPE(cell)), LAYOUT_ACTIVATION, PLAIN_SIZE);
    node->head.flags |= NODE_UNWRITTEN | NODE_STARTED;
    node->fingerprint = call;
}

/* At the beginning of a function whose variables inner functions use: these cells are its own. */
static PyObject *hook_cells(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    PyObject *names, *closure;
    if (LIKELY(recorder.recording) && (closure = cells_of(args[1], &names)) != NULL) {
        Handle *h = handle_of(args[0]);
        activation_continue(h);
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(closure); i++)
            cell_owned(PyTuple_GET_ITEM(closure, i), h->call);
        Py_DECREF(names);
    }
    Py_RETURN_NONE;
}

static uint64_t cell_owner(PyObject *cell)
{
    Node *node = node_find(cell);
    return node == NULL || node->layout != LAYOUT_ACTIVATION ? 0 : ((PlainNode *)node)->fingerprint;
}

/* Was the call made in a way that does not tell which closure this is? */
static PyObject *hook_closure_wanted(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    return PyBool_FromLong(recorder.recording && (handle_of(args[0])->flags & ACT_NEEDS_CLOSURE) != 0);
}

static PyObject *hook_closure(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    PyObject *names, *closure;
    if (LIKELY(recorder.recording) && (closure = cells_of(args[1], &names)) != NULL) {
        Handle *h = handle_of(args[0]);
        activation_continue(h);
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(closure); i++) {
            uint64_t owner = cell_owner(PyTuple_GET_ITEM(closure, i));
            if (owner != 0)
                emit(EV_CLOSURE, here(self, h), owner, NAME_VALUE(name_id(PyTuple_GET_ITEM(names, i))),
                     NO_VALUE);
        }
        Py_DECREF(names);
    }
    Py_RETURN_NONE;
}

/* After a nonlocal name was bound (args: handle, lambda, what to return) or unbound (handle, lambda).
   Its value is in the cell: reading the name could run code, where a class has its own namespace. */
static PyObject *hook_nonlocal(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    PyObject *names, *closure;
    if (LIKELY(recorder.recording) && (closure = cells_of(args[1], &names)) != NULL) {
        Handle *h = begin(self, args);
        uint64_t owner = cell_owner(PyTuple_GET_ITEM(closure, 0));
        PyObject *now = PyCell_GET(PyTuple_GET_ITEM(closure, 0));
        if (n > 2 && now != NULL) {
            if (!is_atom(now))
                resync(now, here(self, h));
            Value value = encode(now);
            emit(EV_LOCAL, here(self, h), owner, NO_VALUE, value);
        }
        else
            emit(EV_LOCAL_DEL, here(self, h), owner, NO_VALUE, NO_VALUE);
        Py_DECREF(names);
    }
    return Py_NewRef(n > 2 ? args[2] : Py_None);
}

/* What the one variable that a throw-away lambda names holds; new reference, NULL if it is unbound. */
static PyObject *cell_value(PyObject *lambda)
{
    PyObject *names, *closure = cells_of(lambda, &names);
    PyObject *value = closure == NULL ? NULL : Py_XNewRef(PyCell_GET(PyTuple_GET_ITEM(closure, 0)));
    if (closure != NULL)
        Py_DECREF(names);
    return value;
}

/* After a statement bound a variable of the running function that inner functions bind or delete, too
   (args: handle, lambda; and something after `x += v`). One that is gone was deleted by code that the
   statement ran, which said so itself. */
static PyObject *hook_cell(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (UNLIKELY(!recorder.recording))
        Py_RETURN_NONE;
    Handle *h = begin(self, args);
    PyObject *now = cell_value(args[1]);
    if (now == NULL) {
        emit(EV_BLOCK, here(self, h), 0, NO_VALUE, NO_VALUE);
        Py_RETURN_NONE;
    }
    if (n > 2 && !is_atom(now))
        resync_grown(now, here(self, h));
    Value value = encode(now);
    emit(EV_LOCAL, here(self, h), 0, NO_VALUE, value);
    Py_DECREF(now);
    Py_RETURN_NONE;
}

/* `x += v` failed: it may have changed what x holds. x: a global, a name of the class body that is running
   (args: handle, name) or a variable that functions share (args: handle, lambda). */
static void name_half_done(PyObject *self, PyObject *const *args, PyObject *x)
{
    if (x == NULL)
        return;
    PyObject *known[2] = {args[0], x};
    Py_DECREF(hook_half_done(self, known, 2));
    Py_DECREF(x);
}

static PyObject *hook_half_done_global(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (LIKELY(recorder.recording))
        name_half_done(self, args, Py_XNewRef(PyDict_GetItemWithError(PyEval_GetGlobals(), args[1])));
    drop_error();
    Py_RETURN_NONE;
}

static PyObject *hook_half_done_namespace(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    PyObject *namespace = recorder.recording ? running_namespace() : NULL;
    if (namespace != NULL)
        name_half_done(self, args, Py_XNewRef(PyDict_GetItemWithError(namespace, args[1])));
    drop_error();
    Py_RETURN_NONE;
}

static PyObject *hook_half_done_cell(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (LIKELY(recorder.recording))
        name_half_done(self, args, cell_value(args[1]));
    Py_RETURN_NONE;
}

/* May this be resized in place? */
static PyObject *hook_is_array(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    return PyBool_FromLong(ndarray_base(Py_TYPE(args[1])) == Py_TYPE(args[1]));
}

/* -- the table --------------------------------------------------------------------------------------------------------------- */

#define HOOK(name) {#name, (PyCFunction)(void (*)(void))hook_##name, METH_FASTCALL, NULL}

/* clang-format off */
PyMethodDef hook_methods[] = {
    HOOK(enter), HOOK(return), HOOK(result), HOOK(finish), HOOK(raised), HOOK(caught), HOOK(left),
    HOOK(reach), HOOK(yield), HOOK(resume), HOOK(block), HOOK(arm), HOOK(local), HOOK(locals),
    HOOK(comprehension), HOOK(augmented), HOOK(local_deleted), HOOK(global), HOOK(globals),
    HOOK(global_deleted), HOOK(globals_changed), HOOK(namespace), HOOK(bound), HOOK(stopped),
    HOOK(imported), HOOK(half_done), HOOK(half_done_global), HOOK(half_done_namespace),
    HOOK(half_done_cell), HOOK(cell), HOOK(cells), HOOK(closure_wanted), HOOK(closure),
    HOOK(nonlocal), HOOK(callee), HOOK(decorator), HOOK(receiver), HOOK(attr_written),
    HOOK(attr_store), HOOK(item_store), HOOK(first_item_store), HOOK(item_written), HOOK(target),
    HOOK(dict_of), HOOK(delegate), HOOK(is_array), {NULL}};

const TellMethod tell_methods[] = {
    {"block", tell_block}, {"reach", tell_reach}, {"local", tell_local},
    {"attr_written", tell_attr_written}, {"return", tell_return}, {NULL, NULL}};
/* clang-format on */
