/* Import: what loaders compile.

   A loader makes the code of a module in its own way: it may read the source from anywhere, transform the
   syntax tree, keep a cache. All that stays as it is. The function `get_code` that all loaders of source files
   share is called by our C function (as in watch.c, which cannot be seen from Python): it lets
   the original run, with the same frames (before 3.12 it stands in for the method), and notes what the builtin `compile` is given meanwhile. If the
   code that the loader returns is one of those that were compiled, it is known what it was made from, and the
   same is compiled once more with hooks. The loader itself never gets hold of that code. */
#include "base/compat.h"
#include "base/lookup.h"
#include "load/watch_loaders.h"
#include "recorder.h"

/* A module that is being loaded in this thread. */
typedef struct Loading {
    PyObject *load; /* borrowed: Python's `loader.Load` */
    struct Loading *outer;
} Loading;

static __thread Loading *innermost;

static PyObject *begin, *noted, *finish, *executed; /* owned: functions of loader.py */
static vectorcallfunc plain_get_code;               /* how functions of Python are called */
static PyCFunction original_compile;

typedef PyObject *(*fast_keywords)(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);

/* Calls one of our functions, however deep the program is in its recursion; NULL: it failed, without an error. */
static PyObject *ask(PyObject *function, PyObject *const *args, size_t n)
{
    PyThreadState *ts = PyThreadState_Get();
    CompatLimits before = compat_limits(ts);
    compat_lift_limits(ts, 0);
    PyObject *result = PyObject_Vectorcall(function, args, n, NULL);
    compat_restore_limits(ts, before);
    if (result == NULL)
        PyErr_Clear(); /* they say themselves what went wrong */
    return result;
}

static PyObject *loaded(PyObject *f, PyObject *const *args, size_t nargsf, PyObject *names)
{
    bool instruments = recorder.recording || recorder.restarts;
    PyObject *load =
        instruments && PyVectorcall_NARGS(nargsf) == 2 && names == NULL ? ask(begin, args, 2) : NULL;
    if (load == NULL || load == Py_None) {
        Py_XDECREF(load);
        return plain_get_code(f, args, nargsf, names);
    }
    Loading loading = {load, innermost};
    PyObject *variant = PyTuple_GET_ITEM(load, 0); /* the same code with other globals, or None */
    innermost = &loading;
    PyObject *code = plain_get_code(variant == Py_None ? f : variant, args,
                                    nargsf & ~PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
    innermost = loading.outer;
    if (code != NULL) {
        PyObject *both[2] = {load, code};
        PyObject *made = ask(finish, both, 2);
        if (made != NULL)
            Py_SETREF(code, made);
    }
    Py_DECREF(load);
    return code;
}

/* An argument of compile by its position or name; borrowed or NULL. */
static PyObject *argument(PyObject *const *args, Py_ssize_t n, PyObject *names, Py_ssize_t at,
                          const char *name)
{
    if (n > at)
        return args[at];
    for (Py_ssize_t i = 0; names != NULL && i < PyTuple_GET_SIZE(names); i++) {
        if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, i), name) == 0)
            return args[n + i];
    }
    return NULL;
}

/* Does runpy compile a file that it is about to run? */
static bool called_by_runpy(void)
{
    PyFrameObject *frame = PyThreadState_GetFrame(PyThreadState_Get());
    PyCodeObject *code = frame == NULL ? NULL : PyFrame_GetCode(frame);
    bool found = code != NULL && PyUnicode_CompareWithASCIIString(code->co_name, "_get_code_from_file") == 0;
    Py_XDECREF(code);
    Py_XDECREF(frame);
    return found;
}

static PyObject *compiled_by_runpy(PyObject *source, PyObject *code, PyObject *path)
{
    PyObject *all[3] = {source, code, path};
    PyObject *made = ask(executed, all, 3);
    if (made != NULL)
        Py_SETREF(code, made);
    return code;
}

static PyObject *noting_compile(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    PyObject *result = ((fast_keywords)(void (*)(void))original_compile)(module, args, n, names);
    PyObject *source = argument(args, n, names, 0, "source");
    PyObject *path = argument(args, n, names, 1, "filename");
    if (result != NULL && innermost == NULL && source != NULL && path != NULL && recorder.recording &&
        called_by_runpy())
        return compiled_by_runpy(source, result, path);
    if (result == NULL || innermost == NULL || source == NULL)
        return result;
    PyObject *optimize = argument(args, n, names, 5, "optimize");
    PyObject *all[4] = {innermost->load, source, result, optimize == NULL ? Py_None : optimize};
    Py_XDECREF(ask(noted, all, 4));
    return result;
}

#if PY_VERSION_HEX < 0x030C0000
static PyObject *plain_function; /* owned: get_code */

static PyObject *get_code(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    return loaded(plain_function, args, (size_t)n, NULL);
}

static PyMethodDef get_code_def = {"get_code", (PyCFunction)(void (*)(void))get_code, METH_FASTCALL, NULL};

/* The interpreter does not ask how a function is called: what stands for it, as a method. */
static PyObject *replacement(PyFunctionObject *function)
{
    plain_function = Py_NewRef(function);
    PyObject *made = PyCFunction_New(&get_code_def, NULL);
    PyObject *method = made == NULL ? NULL : PyInstanceMethod_New(made);
    Py_XDECREF(made);
    return method;
}
#else
static PyObject *replacement(PyFunctionObject *function)
{
    PyFunction_SetVectorcall(function, loaded);
    Py_RETURN_NONE;
}
#endif

/* intercept(get_code, begin, noted, finish, executed): from now on the function is called as described above. What
   it returns, if it is not None, is to take the function's place in its class. */
PyObject *intercept(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    PyFunctionObject *function = (PyFunctionObject *)args[0];
    PyObject *compile = dict_find(PyEval_GetBuiltins(), "compile");
    if (n != 5 || !PyFunction_Check(args[0]) || compile == NULL || !PyCFunction_Check(compile)) {
        PyErr_SetString(PyExc_TypeError, "intercept(function, begin, noted, finish, executed)");
        return NULL;
    }
    begin = Py_NewRef(args[1]);
    noted = Py_NewRef(args[2]);
    finish = Py_NewRef(args[3]);
    executed = Py_NewRef(args[4]);
    plain_get_code = function->vectorcall;
    PyMethodDef *def = ((PyCFunctionObject *)compile)->m_ml;
    if ((def->ml_flags & ~METH_COEXIST) == (METH_FASTCALL | METH_KEYWORDS)) {
        original_compile = def->ml_meth;
        def->ml_meth = (PyCFunction)(void (*)(void))noting_compile;
    }
    return replacement(function);
}
