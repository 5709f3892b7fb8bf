/* Foreign code that runs without a call expression of the program: operators, properties, iteration
   and `with` on objects of libraries, and functions that something quiet (map, partial) calls later.

   A function object says by which C function it is called (`vectorcall`). For a foreign function that may
   be reached in such a way the recorder puts its own there, calls the original, and looks afterwards at
   what the function was given: only if the program itself is what called, since whatever the code of a
   library does on the way is looked at by who called the library. Nothing of this can be seen from Python.

   What the standard library's own classes do to be read changes nothing and is not watched. */
#include "base/compat.h"
#include "foreign/watch.h"
#include "base/allocate.h"
#include "base/function_names.h"
#include "capture/activation.h"
#include "compare/reach.h"
#include "compare/trust.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "emit/ring.h"
#include "foreign/dunder_calls.h"
#include "foreign/quiet_callees.h"
#include "recorder.h"
#include <string.h>

static const char *stdlib; /* the folder; NULL: unknown */
static size_t stdlib_length;
static vectorcallfunc plain_function; /* how every function of Python is called; not public from 3.13 on */

/* -- who is calling ------------------------------------------------------------------------------------------ */

/* Is the running frame one of the program's? (A comprehension's, before 3.12, counts as its function's.) */
bool called_by_program(void)
{
    PyFrameObject *frame = PyThreadState_GetFrame(PyThreadState_Get());
    bool result = false, comprehension = true;
    while (frame != NULL && comprehension && !result) {
        PyCodeObject *code = PyFrame_GetCode(frame);
        result = func_of_code((PyObject *)code) != NULL;
        Py_UCS4 first = PyUnicode_GET_LENGTH(code->co_name) > 0 ? PyUnicode_READ_CHAR(code->co_name, 0) : 0;
        comprehension = first == '<';
        Py_DECREF(code);
        PyFrameObject *back = PyFrame_GetBack(frame);
        Py_DECREF(frame);
        frame = back;
    }
    Py_XDECREF(frame);
    return result;
}

static void look_after(PyObject *callee, PyObject *self, PyObject *const *args, Py_ssize_t total)
{
    ring_foreign();
    Handle *h = current_settle();
    if (h == NULL || !called_by_program())
        return;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    Where at = {SITE_OF_FRAME, h->call};
    Look look = look_begin(callee, at);
    if (self != NULL && !PyModule_Check(self))
        look_deep(self, &look);
    for (Py_ssize_t i = 0; i < total; i++)
        look_deep(args[i], &look);
    look_end(&look);
    PyErr_Restore(type, value, traceback);
}

static Py_ssize_t argument_count(size_t nargsf, PyObject *names)
{
    return PyVectorcall_NARGS(nargsf) + (names == NULL ? 0 : PyTuple_GET_SIZE(names));
}

/* How many arguments may be looked at after the call. The interpreter owns them while it calls, with one
   exception: the traceback that it hands to `__exit__` may be gone when that is over. Ask before the call. */
static Py_ssize_t lasting_count(PyObject *const *args, size_t nargsf, PyObject *names)
{
    Py_ssize_t count = argument_count(nargsf, names);
    return count > 0 && PyTraceBack_Check(args[count - 1]) ? count - 1 : count;
}

/* -- functions of Python --------------------------------------------------------------------------------------- */

static void set_vectorcall(PyFunctionObject *function, vectorcallfunc how)
{
#if PY_VERSION_HEX >= 0x030C0000
    PyFunction_SetVectorcall(function, how);
#else
    function->func_version = 0; /* so that no specialised instruction goes around it */
    function->vectorcall = how;
#endif
}

static PyObject *watched_function(PyObject *f, PyObject *const *args, size_t nargsf, PyObject *names);

bool watch_suspend(PyObject *callable)
{
    if (PyMethod_Check(callable))
        callable = PyMethod_GET_FUNCTION(callable);
    if (!PyFunction_Check(callable) || ((PyFunctionObject *)callable)->vectorcall != watched_function)
        return false;
    set_vectorcall((PyFunctionObject *)callable, plain_function);
    return true;
}

void watch_resume(PyObject *callable)
{
    if (PyMethod_Check(callable))
        callable = PyMethod_GET_FUNCTION(callable);
    set_vectorcall((PyFunctionObject *)callable, watched_function);
}

/* The interpreter calls a watched function from C, where it would call others without. Code of libraries that calls
   one again and again within itself (copy.deepcopy) soon gets the plain one: only calls of the program are looked at. */
#define WATCH_DEPTH 16
static __thread int watch_depth;

static PyObject *watched_function(PyObject *f, PyObject *const *args, size_t nargsf, PyObject *names)
{
    Py_ssize_t count = lasting_count(args, nargsf, names);
    bool suspended = watch_depth >= WATCH_DEPTH && !called_by_program() && watch_suspend(f);
    watch_depth++;
    PyObject *result = plain_function(f, args, nargsf, names);
    watch_depth--;
    if (suspended)
        watch_resume(f);
    if (recorder.recording)
        look_after(f, NULL, args, count);
    return result;
}

static bool is_foreign(PyObject *f)
{
    return PyFunction_Check(f) && func_of_function(f) == NULL;
}

static void watch_function(PyObject *f)
{
    PyFunctionObject *function = (PyFunctionObject *)f;
    if (plain_function == NULL || !is_foreign(f) || function->vectorcall != plain_function)
        return;
    set_vectorcall(function, watched_function);
}

/* -- functions of C -------------------------------------------------------------------------------------------- */

/* By calling convention; the original of each is found in the first function that is watched. */
#define CONVENTIONS 6
static vectorcallfunc originals[CONVENTIONS];

static PyObject *watched_builtin(int n, PyObject *f, PyObject *const *args, size_t nargsf, PyObject *names)
{
    PyObject *result;
    Py_ssize_t lasting = lasting_count(args, nargsf, names);
    if (originals[n] != NULL)
        result = originals[n](f, args, nargsf, names);
    else { /* METH_VARARGS */
        PyObject *tuple = PyTuple_New(PyVectorcall_NARGS(nargsf)), *dict = NULL;
        if (tuple == NULL || (names != NULL && (dict = PyDict_New()) == NULL))
            result = NULL;
        else {
            Py_ssize_t count = PyVectorcall_NARGS(nargsf);
            for (Py_ssize_t i = 0; i < count; i++)
                PyTuple_SET_ITEM(tuple, i, Py_NewRef(args[i]));
            int bad = 0;
            for (Py_ssize_t i = 0; names != NULL && i < PyTuple_GET_SIZE(names); i++)
                bad |= PyDict_SetItem(dict, PyTuple_GET_ITEM(names, i), args[count + i]);
            result = bad ? NULL : Py_TYPE(f)->tp_call(f, tuple, dict);
        }
        Py_XDECREF(tuple);
        Py_XDECREF(dict);
    }
    if (recorder.recording)
        look_after(f, PyCFunction_GET_SELF(f), args, lasting);
    return result;
}

#define WATCHED(n)                                                                                           \
    static PyObject *watched_##n(PyObject *f, PyObject *const *args, size_t nargsf, PyObject *names)         \
    {                                                                                                        \
        return watched_builtin(n, f, args, nargsf, names);                                                   \
    }
/* clang-format off */
WATCHED(0) WATCHED(1) WATCHED(2) WATCHED(3) WATCHED(4) WATCHED(5)

static const vectorcallfunc wrappers[CONVENTIONS] = {watched_0, watched_1, watched_2,
                                                     watched_3, watched_4, watched_5};
/* clang-format on */

static int convention_of(int flags)
{
    switch (flags & (METH_VARARGS | METH_FASTCALL | METH_NOARGS | METH_O | METH_KEYWORDS | METH_METHOD)) {
    case METH_NOARGS:
        return 0;
    case METH_O:
        return 1;
    case METH_FASTCALL:
        return 2;
    case METH_FASTCALL | METH_KEYWORDS:
        return 3;
    case METH_METHOD | METH_FASTCALL | METH_KEYWORDS:
        return 4;
    case METH_VARARGS:
    case METH_VARARGS | METH_KEYWORDS:
        return 5;
    default:
        return -1;
    }
}

static void watch_builtin(PyObject *f)
{
    PyCFunctionObject *function = (PyCFunctionObject *)f;
    int n = convention_of(function->m_ml->ml_flags);
    if (n < 0 || callee_is_pure(f) || function->vectorcall == wrappers[n])
        return;
    originals[n] = function->vectorcall;
    function->vectorcall = wrappers[n];
}

/* -- what may be called later ------------------------------------------------------------------------------------ */

void watch_callable(PyObject *o)
{
    if (PyMethod_Check(o))
        watch_callable(PyMethod_GET_FUNCTION(o));
    else if (PyFunction_Check(o))
        watch_function(o);
    else if (PyCFunction_CheckExact(o))
        watch_builtin(o);
    else if (Py_IS_TYPE(o, recorder.types.bound_dunder))
        dunder_watch();
    else if (strcmp(Py_TYPE(o)->tp_name, "functools.partial") == 0) {
        PyObject *inner = PyObject_GetAttrString(o, "func"); /* a member of C */
        if (inner != NULL)
            watch_callable(inner);
        else
            drop_error();
        Py_XDECREF(inner);
    }
}

/* -- classes of libraries ------------------------------------------------------------------------------------------ */

/* Whether two objects are equal, what they are called: asked often, and nothing is changed by it. */
static bool only_tells(const char *name)
{
    static const char *const names[] = {"__init__",
                                        "__new__",
                                        "__init_subclass__",
                                        "__repr__",
                                        "__str__",
                                        "__eq__",
                                        "__ne__",
                                        "__lt__",
                                        "__le__",
                                        "__gt__",
                                        "__ge__",
                                        "__hash__",
                                        "__format__",
                                        "__class_getitem__",
                                        "__subclasshook__",
                                        "__instancecheck__",
                                        "__sizeof__",
                                        "__reduce__",
                                        "__reduce_ex__",
                                        "__getstate__",
                                        "__setattr__",
                                        "__delattr__",
                                        "__set_name__",
                                        "__dir__",
                                        "__copy__",
                                        "__deepcopy__",
                                        "__fspath__",
                                        "__prepare__",
                                        NULL};
    return one_of(name, names);
}

static bool changes_by_name(const char *name)
{
    static const char *const names[] = {"__enter__",   "__exit__",    "__next__", "__call__",
                                        "__setitem__", "__delitem__", NULL};
    return one_of(name, names) || is_in_place(name);
}

static bool in_stdlib(PyObject *f)
{
    PyObject *file = ((PyCodeObject *)PyFunction_GET_CODE(f))->co_filename;
    const char *path = PyUnicode_AsUTF8(file);
    if (path == NULL) {
        drop_error();
        return false;
    }
    if (strncmp(path, "<frozen ", 8) == 0)
        return true;
    return stdlib != NULL && strncmp(path, stdlib, stdlib_length) == 0 && path[stdlib_length] == '/' &&
           strstr(path, "site-packages") == NULL && strstr(path, "dist-packages") == NULL;
}

static void watch_special(PyObject *f, const char *name)
{
    size_t length = strlen(name);
    if (!is_foreign(f) || length < 5 || strncmp(name, "__", 2) != 0 || strcmp(name + length - 2, "__") != 0 ||
        only_tells(name))
        return;
    if (changes_by_name(name) || !in_stdlib(f))
        watch_function(f);
}

/* property's getters and setters: the first members of its struct, as all versions have had them. */
typedef struct {
    PyObject_HEAD
    PyObject *get, *set, *delete;
} Property;

static void watch_property(PyObject *o)
{
    Property *p = (Property *)o;
    PyObject *parts[] = {p->get, p->set, p->delete};
    for (int i = 0; i < 3; i++) {
        if (parts[i] != NULL && is_foreign(parts[i]) && !in_stdlib(parts[i]))
            watch_function(parts[i]);
    }
}

static void watch_namespace(PyObject *dict)
{
    PyObject *name, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(dict, &at, &name, &value)) {
        if (Py_IS_TYPE(value, &PyProperty_Type))
            watch_property(value);
        else if (PyFunction_Check(value) && PyUnicode_CheckExact(name) && PyUnicode_IS_ASCII(name))
            watch_special(value, (const char *)PyUnicode_1BYTE_DATA(name));
    }
}

void watch_class(PyTypeObject *type)
{
    PyObject *mro = type->tp_mro;
    for (Py_ssize_t i = 0; mro != NULL && i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *t = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        PyObject *dict = t->tp_flags & Py_TPFLAGS_HEAPTYPE ? compat_type_dict(t) : NULL;
        if (dict != NULL)
            watch_namespace(dict);
        Py_XDECREF(dict);
    }
}

static void find_plain_function(void)
{
    PyObject *os = PyImport_ImportModule("os");
    PyObject *getenv = os == NULL ? NULL : PyObject_GetAttrString(os, "getenv");
    if (getenv != NULL && PyFunction_Check(getenv))
        plain_function = ((PyFunctionObject *)getenv)->vectorcall;
    Py_XDECREF(getenv);
    Py_XDECREF(os);
    drop_error();
}

void watch_setup(void)
{
    find_plain_function();
    PyObject *folder = PySys_GetObject("_stdlib_dir"); /* borrowed, lives as long as sys */
    if (folder == NULL || !PyUnicode_CheckExact(folder))
        return;
    const char *path = PyUnicode_AsUTF8(folder);
    if (path == NULL)
        drop_error();
    else if ((stdlib = strdup(path)) != NULL)
        stdlib_length = strlen(stdlib);
}
