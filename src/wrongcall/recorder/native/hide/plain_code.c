/* Whoever reads the code of a function from Python finds the code that the function has without recording.

   The constants of instrumented code are hooks, which no compiler (numba), pickler (cloudpickle) or marshal can
   use. So each instrumented code object is paired with the plain one, which was compiled anyway:

       f.__code__              the plain code; what runs is the instrumented one
       f.__code__ = plain      the instrumented one is put there, as with FunctionType(plain, ...)
       plain.replace(...)      the copy is paired, too, when it is put into a function, if only names, the file,
                               the first line or flags were replaced (types.coroutine does that)
       ==, hash                of instrumented code are those of the plain one, so frame.f_code == f.__code__
       marshal                 writes the plain code for the instrumented one (of a frame, of a loader)
       sys.monitoring          events set for plain code are set for the instrumented one

   Frames and generators show the instrumented code: f_lasti and tb_lasti are positions in it.

   Ownership: the pairs are kept in the code objects themselves (their "extra"). Instrumented code owns its plain
   code; plain code has a weak reference to the instrumented one. Copies by code.replace() have no extra. */
#include "base/compat.h"
#include "hide/plain_code.h"
#include "base/function_names.h"
#include "base/lookup.h"
#include "recorder.h"
#include <string.h>

typedef PyObject *(*fast_function)(PyObject *, PyObject *const *, Py_ssize_t);
typedef PyObject *(*fast_keywords)(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
#define ANY(f) ((PyCFunction)(void (*)(void))(f))

static Py_ssize_t pair_index = -1;
static PyInterpreterState *home; /* the index means nothing in another interpreter */

static void release_partner(void *extra)
{
    Py_XDECREF((PyObject *)extra);
}

/* What was kept with a code object: borrowed or NULL. */
static PyObject *partner(PyObject *code)
{
    void *extra = NULL;
    if (pair_index < 0 || !PyCode_Check(code) || PyInterpreterState_Get() != home)
        return NULL;
    if (compat_code_extra(code, pair_index, &extra) < 0)
        PyErr_Clear();
    return extra;
}

/* The plain code of an instrumented one: borrowed or NULL. */
static PyObject *plain_of(PyObject *code)
{
    PyObject *found = partner(code);
    return found != NULL && PyCode_Check(found) ? found : NULL;
}

static PyObject *plain_or_itself(PyObject *code)
{
    PyObject *plain = plain_of(code);
    return plain == NULL ? code : plain;
}

static bool is_alike(PyCodeObject *a, PyCodeObject *b)
{
    if (a->co_argcount != b->co_argcount || a->co_kwonlyargcount != b->co_kwonlyargcount ||
        a->co_nfreevars != b->co_nfreevars)
        return false;
    PyObject *mine = PyCode_GetFreevars(a), *theirs = PyCode_GetFreevars(b);
    int same =
        mine == NULL || theirs == NULL ? -1 : PyObject_RichCompareBool(mine, theirs, Py_EQ); /* of str */
    Py_XDECREF(mine);
    Py_XDECREF(theirs);
    if (same < 0)
        PyErr_Clear();
    return same > 0;
}

static int remember_weakly(PyObject *plain, PyObject *instrumented)
{
    PyObject *reference = PyWeakref_NewRef(instrumented, NULL);
    if (reference == NULL || compat_set_code_extra(plain, pair_index, reference) < 0) {
        Py_XDECREF(reference);
        return -1;
    }
    return 0;
}

static int make_pair(PyObject *instrumented, PyObject *plain)
{
    if (compat_set_code_extra(instrumented, pair_index, Py_NewRef(plain)) < 0) {
        Py_DECREF(plain);
        return -1;
    }
    return remember_weakly(plain, instrumented);
}

/* pair(instrumented, plain): two code objects of the same function */
PyObject *plain_code_pair(PyObject *module, PyObject *args)
{
    PyObject *instrumented, *plain;
    if (!PyArg_ParseTuple(args, "O!O!", &PyCode_Type, &instrumented, &PyCode_Type, &plain))
        return NULL;
    if (pair_index >= 0 && instrumented != plain &&
        is_alike((PyCodeObject *)instrumented, (PyCodeObject *)plain) && make_pair(instrumented, plain) < 0)
        return NULL;
    Py_RETURN_NONE;
}

/* -- from plain to instrumented code ------------------------------------------------------------------------------ */

static PyCFunction original_replace;

/* A copy of instrumented code that is to this copy of its plain code as they are to each other; new or NULL. */
static PyObject *copy_like(PyObject *instrumented, PyObject *plain, PyObject *copy)
{
    PyCodeObject *code = (PyCodeObject *)copy;
    int flags = ((PyCodeObject *)instrumented)->co_flags ^ ((PyCodeObject *)plain)->co_flags ^ code->co_flags;
    PyObject *names =
        Py_BuildValue("(sssss)", "co_name", "co_qualname", "co_filename", "co_firstlineno", "co_flags");
    PyObject *values = Py_BuildValue("(OOOii)", code->co_name, code->co_qualname, code->co_filename,
                                     code->co_firstlineno, flags);
    PyObject *made = NULL;
    if (names != NULL && values != NULL)
        made =
            ((fast_keywords)(void (*)(void))original_replace)(instrumented,
                                                              ((PyTupleObject *)values)->ob_item, 0, names);
    Py_XDECREF(names);
    Py_XDECREF(values);
    if (made != NULL && make_pair(made, copy) < 0)
        Py_CLEAR(made);
    return made;
}

/* What to run where the program says that this code is to run: a new reference. */
static PyObject *code_to_run(PyObject *code)
{
    PyObject *reference = partner(code);
    PyObject *found = NULL;
    if (reference == NULL || !PyWeakref_CheckRef(reference) ||
        (found = compat_weakly_referred(reference)) == NULL)
        return Py_NewRef(code);
    PyObject *plain = plain_of(found);
    if (plain == NULL)
        Py_SETREF(found, Py_NewRef(code));
    else if (plain != code)
        Py_SETREF(found, copy_like(found, plain, code));
    if (found == NULL) {
        PyErr_Clear();
        return Py_NewRef(code);
    }
    return found;
}

/* -- functions ----------------------------------------------------------------------------------------------------- */

static getter original_get;
static setter original_set;
static newfunc original_new;

static PyObject *get_code(PyObject *f, void *closure)
{
    PyObject *code = original_get(f, closure);
    if (code != NULL)
        Py_SETREF(code, Py_NewRef(plain_or_itself(code)));
    return code;
}

static int set_code(PyObject *f, PyObject *value, void *closure)
{
    if (value == NULL || !PyCode_Check(value))
        return original_set(f, value, closure);
    PyObject *code = code_to_run(value);
    int failed = original_set(f, code, closure);
    Py_DECREF(code);
    return failed;
}

static PyObject *with_first(PyObject *args, PyObject *first)
{
    PyObject *copy = PyTuple_New(PyTuple_GET_SIZE(args));
    for (Py_ssize_t i = 0; copy != NULL && i < PyTuple_GET_SIZE(args); i++)
        PyTuple_SET_ITEM(copy, i, Py_NewRef(i == 0 ? first : PyTuple_GET_ITEM(args, i)));
    return copy;
}

static PyObject *new_function(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    bool by_name = PyTuple_GET_SIZE(args) == 0;
    PyObject *given = !by_name         ? PyTuple_GET_ITEM(args, 0)
                      : kwargs == NULL ? NULL
                                       : dict_find(kwargs, "code");
    if (given == NULL || partner(given) == NULL)
        return original_new(type, args, kwargs);
    PyObject *code = code_to_run(given);
    PyObject *all = by_name ? Py_NewRef(args) : with_first(args, code);
    PyObject *named = kwargs == NULL ? NULL : PyDict_Copy(kwargs);
    bool ready = all != NULL && (kwargs == NULL || named != NULL) &&
                 (!by_name || PyDict_SetItemString(named, "code", code) == 0);
    PyObject *result = ready ? original_new(type, all, named) : NULL;
    Py_XDECREF(all);
    Py_XDECREF(named);
    Py_DECREF(code);
    return result;
}

/* -- code objects ---------------------------------------------------------------------------------------------------- */

static richcmpfunc original_compare;
static hashfunc original_hash;

static PyObject *compare_code(PyObject *a, PyObject *b, int op)
{
    return original_compare(plain_or_itself(a), plain_or_itself(b), op);
}

static Py_hash_t hash_code(PyObject *code)
{
    return original_hash(plain_or_itself(code));
}

/* Is only replaced what can be replaced in the instrumented code as well? */
static bool leaves_instructions(PyObject *names)
{
    static const char *const harmless[] = {"co_name",        "co_qualname", "co_filename",
                                           "co_firstlineno", "co_flags",    NULL};
    for (Py_ssize_t i = 0; names != NULL && i < PyTuple_GET_SIZE(names); i++) {
        const char *name = PyUnicode_AsUTF8(PyTuple_GET_ITEM(names, i));
        if (name == NULL)
            PyErr_Clear();
        if (name == NULL || !one_of(name, harmless))
            return false;
    }
    return true;
}

static PyObject *replace_code(PyObject *code, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    PyObject *copy = ((fast_keywords)(void (*)(void))original_replace)(code, args, n, names);
    PyObject *reference = copy == NULL || !leaves_instructions(names) ? NULL : partner(code);
    if (reference != NULL && PyWeakref_CheckRef(reference) &&
        compat_set_code_extra(copy, pair_index, Py_NewRef(reference)) < 0) {
        Py_DECREF(reference);
        Py_CLEAR(copy);
    }
    return copy;
}

/* -- functions that are given code ---------------------------------------------------------------------------------- */

static void replace_function(PyObject *module, const char *name, int flags, PyCFunction *original,
                             PyCFunction wrapper)
{
    PyObject *found = PyObject_GetAttrString(module, name);
    if (found != NULL && PyCFunction_CheckExact(found)) {
        PyMethodDef *def = ((PyCFunctionObject *)found)->m_ml;
        if (def->ml_flags == flags && *original == NULL) {
            *original = def->ml_meth;
            def->ml_meth = wrapper;
        }
    }
    Py_XDECREF(found);
    PyErr_Clear();
}

static PyCFunction original_dump, original_dumps;

/* marshal.dump and dumps, in the two calling conventions that they have had */
static PyObject *write_plain(PyCFunction original, PyObject *module, PyObject *const *args, Py_ssize_t n,
                             PyObject *names, bool takes_names)
{
    PyObject *all[8];
    Py_ssize_t total = n + (names == NULL ? 0 : PyTuple_GET_SIZE(names));
    PyObject *plain = n == 0 || total > 8 ? NULL : plain_of(args[0]); /* lives as long as the other */
    if (plain != NULL) {
        memcpy(all, args, (size_t)total * sizeof *args);
        all[0] = plain;
        args = all;
    }
    return takes_names ? ((fast_keywords)(void (*)(void))original)(module, args, n, names)
                       : ((fast_function)(void (*)(void))original)(module, args, n);
}

static PyObject *dump_plain(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    return write_plain(original_dump, module, args, n, NULL, false);
}

static PyObject *dump_plain_names(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    return write_plain(original_dump, module, args, n, names, true);
}

static PyObject *dumps_plain(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    return write_plain(original_dumps, module, args, n, NULL, false);
}

static PyObject *dumps_plain_names(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    return write_plain(original_dumps, module, args, n, names, true);
}

static void replace_marshal(void)
{
    PyObject *module = PyImport_ImportModule("marshal"); /* the interpreter has it already */
    if (module == NULL) {
        PyErr_Clear();
        return;
    }
    replace_function(module, "dump", METH_FASTCALL, &original_dump, ANY(dump_plain));
    replace_function(module, "dump", METH_FASTCALL | METH_KEYWORDS, &original_dump, ANY(dump_plain_names));
    replace_function(module, "dumps", METH_FASTCALL, &original_dumps, ANY(dumps_plain));
    replace_function(module, "dumps", METH_FASTCALL | METH_KEYWORDS, &original_dumps, ANY(dumps_plain_names));
    Py_DECREF(module);
}

#if PY_VERSION_HEX >= 0x030C0000
static PyCFunction original_set_events, original_get_events;

/* (tool, code, ...) with the code that runs */
static PyObject *of_running_code(PyCFunction original, PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    PyObject *all[3] = {NULL};
    if (n < 2 || n > 3 || partner(args[1]) == NULL)
        return ((fast_function)(void (*)(void))original)(module, args, n);
    memcpy(all, args, (size_t)n * sizeof *args);
    all[1] = code_to_run(args[1]);
    PyObject *result = ((fast_function)(void (*)(void))original)(module, all, n);
    Py_DECREF(all[1]);
    return result;
}

static PyObject *set_events(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    return of_running_code(original_set_events, module, args, n);
}

static PyObject *get_events(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    return of_running_code(original_get_events, module, args, n);
}

static void replace_monitoring(void)
{
    PyObject *module = PySys_GetObject("monitoring"); /* borrowed */
    if (module == NULL)
        return;
    replace_function(module, "set_local_events", METH_FASTCALL, &original_set_events, ANY(set_events));
    replace_function(module, "get_local_events", METH_FASTCALL, &original_get_events, ANY(get_events));
}
#endif

/* -- putting it in place ----------------------------------------------------------------------------------------------- */

static void replace_attribute(void)
{
    for (PyGetSetDef *def = PyFunction_Type.tp_getset; def != NULL && def->name != NULL; def++) {
        if (strcmp(def->name, "__code__") == 0) {
            original_get = def->get;
            original_set = def->set;
            def->get = get_code;
            def->set = set_code;
        }
    }
}

static void replace_methods(void)
{
    for (PyMethodDef *def = PyCode_Type.tp_methods; def != NULL && def->ml_name != NULL; def++) {
        bool known = strcmp(def->ml_name, "replace") == 0 || strcmp(def->ml_name, "__replace__") == 0;
        if (known && def->ml_flags == (METH_FASTCALL | METH_KEYWORDS) &&
            (original_replace == NULL || original_replace == def->ml_meth)) {
            original_replace = def->ml_meth;
            def->ml_meth = (PyCFunction)(void (*)(void))replace_code;
        }
    }
}

int plain_code_install(void)
{
    if (pair_index >= 0)
        return 0;
    replace_methods();
    if (original_replace == NULL || PyCode_Type.tp_richcompare == NULL || PyCode_Type.tp_hash == NULL)
        return 0; /* not the code objects that are known here */
    home = PyInterpreterState_Get();
    pair_index = compat_code_extra_index(release_partner);
    original_compare = PyCode_Type.tp_richcompare;
    original_hash = PyCode_Type.tp_hash;
    original_new = PyFunction_Type.tp_new;
    PyCode_Type.tp_richcompare = compare_code;
    PyCode_Type.tp_hash = hash_code;
    PyFunction_Type.tp_new = new_function;
    replace_attribute();
    replace_marshal();
#if PY_VERSION_HEX >= 0x030C0000
    replace_monitoring();
#endif
    return 0;
}
