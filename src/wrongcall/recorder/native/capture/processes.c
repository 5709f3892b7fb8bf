/* Processes that the program starts. What they do is not recorded, so the trace says that they were started, by which
   call, and what they run as far as that is known.

   The functions of C that start a process are replaced in their method definitions, which nothing in Python shows.
   (An audit hook would hear of them, too. But where there is one the interpreter makes a tuple for each audit event, and a
   program that has used up its memory would get a MemoryError from calls that need none.) The module by which subprocess and
   multiprocessing start programs is loaded when it is needed: the functions that load modules of C tell. */
#include "base/compat.h"
#include "capture/processes.h"
#include "base/allocate.h"
#include "capture/activation.h"
#include "emit/emit.h"
#include "emit/events.h"
#include "recorder.h"
#include "shadow/encode.h"
#include <string.h>

enum { FORKED = 1, COMMAND = 2, REPLACED = 3 }; /* as in events.py */
enum { MAX_WORDS = 8, MAX_WORD = 100 };

/* clang-format off */
enum {
    FORK, FORKPTY, SPAWN, SPAWNP, SYSTEM, EXECV, EXECVE, /* of posix */
    FORK_EXEC, FORK_EXEC_TUPLE,                          /* of _posixsubprocess, as it is called by different versions */
    CREATE_DYNAMIC, CREATE_BUILTIN,                      /* of _imp */
    WATCHED
};
/* clang-format on */

/* What the functions did before they were replaced; NULL: they were not. */
static struct {
    PyMethodDef *def;
    PyCFunction original;
} watched[WATCHED];

typedef PyObject *(*FastFunction)(PyObject *, PyObject *const *, Py_ssize_t);
typedef PyObject *(*KeywordFunction)(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);

/* A word of a command, or NULL; only exact types are read. New reference. */
static PyObject *word_of(PyObject *o)
{
    PyObject *text = NULL;
    if (PyUnicode_CheckExact(o))
        text = Py_NewRef(o);
    else if (PyBytes_CheckExact(o))
        text = PyUnicode_DecodeUTF8(PyBytes_AS_STRING(o), PyBytes_GET_SIZE(o), "replace");
    if (text != NULL && PyUnicode_GET_LENGTH(text) > MAX_WORD)
        Py_SETREF(text, PyUnicode_Substring(text, 0, MAX_WORD));
    return text;
}

/* The first words of a command, or NULL. New reference. */
static PyObject *words_of(PyObject *args)
{
    if (!PyList_CheckExact(args) && !PyTuple_CheckExact(args))
        return word_of(args);
    PyObject *words = PyList_New(0);
    for (Py_ssize_t i = 0; words != NULL && i < PySequence_Fast_GET_SIZE(args) && i < MAX_WORDS; i++) {
        PyObject *word = word_of(PySequence_Fast_GET_ITEM(args, i));
        if (word != NULL && PyList_Append(words, word) < 0)
            Py_CLEAR(words);
        Py_XDECREF(word);
    }
    PyObject *space = words == NULL ? NULL : PyUnicode_FromString(" ");
    PyObject *text = space == NULL ? NULL : PyUnicode_Join(space, words);
    Py_XDECREF(space);
    Py_XDECREF(words);
    return text;
}

static void started(int how, PyObject *command)
{
    PyObject *text = command == NULL ? NULL : words_of(command);
    drop_error();
    if (recorder.recording)
        emit(EV_PROCESS, where_exactly(), 0, INT_VALUE(how), encode(text == NULL ? Py_None : text));
    Py_XDECREF(text);
}

/* -- functions that start a process --------------------------------------------------------------------------- */

static PyObject *call_original(int which, PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    return ((FastFunction)(void (*)(void))watched[which].original)(self, args, n);
}

/* An argument given by its position or its name; borrowed or NULL. */
static PyObject *argument(PyObject *const *args, Py_ssize_t n, PyObject *names, Py_ssize_t position,
                          const char *name)
{
    if (position < n)
        return args[position];
    for (Py_ssize_t i = 0; names != NULL && i < PyTuple_GET_SIZE(names); i++) {
        if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, i), name) == 0)
            return args[n + i];
    }
    return NULL;
}

/* One that takes keywords: its command is the argument at a position, or of a name. */
static PyObject *call_noted(int which, int how, Py_ssize_t position, const char *name, PyObject *self,
                            PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    PyObject *command = recorder.recording ? argument(args, n, names, position, name) : NULL;
    if (command != NULL)
        started(how, command);
    return ((KeywordFunction)(void (*)(void))watched[which].original)(self, args, n, names);
}

static PyObject *fork_noted(PyObject *self, PyObject *unused)
{
    if (recorder.recording)
        started(FORKED, NULL);
    return watched[FORK].original(self, unused);
}

static PyObject *forkpty_noted(PyObject *self, PyObject *unused)
{
    if (recorder.recording)
        started(FORKED, NULL);
    return watched[FORKPTY].original(self, unused);
}

static PyObject *spawn_noted(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    return call_noted(SPAWN, COMMAND, 1, "argv", self, args, n, names);
}

static PyObject *spawnp_noted(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    return call_noted(SPAWNP, COMMAND, 1, "argv", self, args, n, names);
}

static PyObject *system_noted(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    return call_noted(SYSTEM, COMMAND, 0, "command", self, args, n, names);
}

static PyObject *execv_noted(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (recorder.recording && n > 1)
        started(REPLACED, args[1]);
    return call_original(EXECV, self, args, n);
}

static PyObject *execve_noted(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    return call_noted(EXECVE, REPLACED, 1, "argv", self, args, n, names);
}

static PyObject *fork_exec_noted(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    PyObject *result = call_original(FORK_EXEC, self, args, n);
    if (result != NULL && recorder.recording && n > 0)
        started(COMMAND, args[0]);
    return result;
}

static PyObject *fork_exec_tuple_noted(PyObject *self, PyObject *args)
{
    PyObject *result = watched[FORK_EXEC_TUPLE].original(self, args);
    if (result != NULL && recorder.recording && PyTuple_GET_SIZE(args) > 0)
        started(COMMAND, PyTuple_GET_ITEM(args, 0));
    return result;
}

/* -- functions that load a module of C ------------------------------------------------------------------------ */

static void watch_module(PyObject *module);

static PyObject *create_dynamic_noted(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    PyObject *module = call_original(CREATE_DYNAMIC, self, args, n);
    if (module != NULL && recorder.recording)
        watch_module(module);
    return module;
}

static PyObject *create_builtin_noted(PyObject *self, PyObject *spec)
{
    PyObject *module = watched[CREATE_BUILTIN].original(self, spec);
    if (module != NULL && recorder.recording)
        watch_module(module);
    return module;
}

/* -- replacing them --------------------------------------------------------------------------------------------- */

#define FUNCTION(f) ((PyCFunction)(void (*)(void))(f))

/* A function that is called in another way than here is one that nobody knows: it is left alone. */
static const struct {
    const char *module, *name;
    int flags;
    PyCFunction noted;
} replacements[WATCHED] = {
    [FORK] = {"posix", "fork", METH_NOARGS, fork_noted},
    [FORKPTY] = {"posix", "forkpty", METH_NOARGS, forkpty_noted},
    [SPAWN] = {"posix", "posix_spawn", METH_FASTCALL | METH_KEYWORDS, FUNCTION(spawn_noted)},
    [SPAWNP] = {"posix", "posix_spawnp", METH_FASTCALL | METH_KEYWORDS, FUNCTION(spawnp_noted)},
    [SYSTEM] = {"posix", "system", METH_FASTCALL | METH_KEYWORDS, FUNCTION(system_noted)},
    [EXECV] = {"posix", "execv", METH_FASTCALL, FUNCTION(execv_noted)},
    [EXECVE] = {"posix", "execve", METH_FASTCALL | METH_KEYWORDS, FUNCTION(execve_noted)},
    [FORK_EXEC] = {"_posixsubprocess", "fork_exec", METH_FASTCALL, FUNCTION(fork_exec_noted)},
    [FORK_EXEC_TUPLE] = {"_posixsubprocess", "fork_exec", METH_VARARGS, fork_exec_tuple_noted},
    [CREATE_DYNAMIC] = {"_imp", "create_dynamic", METH_FASTCALL, FUNCTION(create_dynamic_noted)},
    [CREATE_BUILTIN] = {"_imp", "create_builtin", METH_O, create_builtin_noted},
};

static void replace(int which, PyObject *module)
{
    PyObject *found = PyDict_GetItemString(PyModule_GetDict(module), replacements[which].name);
    if (watched[which].def != NULL || found == NULL || !PyCFunction_CheckExact(found))
        return;
    PyMethodDef *def = ((PyCFunctionObject *)found)->m_ml;
    if (def->ml_flags != replacements[which].flags)
        return;
    watched[which].def = def;
    watched[which].original = def->ml_meth;
    def->ml_meth = replacements[which].noted;
}

/* Watches the functions of a module that was loaded. */
static void watch_module(PyObject *module)
{
    PyModuleDef *definition = PyModule_Check(module) ? PyModule_GetDef(module) : NULL;
    for (int i = 0; definition != NULL && i < WATCHED; i++) {
        if (strcmp(definition->m_name, replacements[i].module) == 0)
            replace(i, module);
    }
    drop_error();
}

int processes_install(void)
{
    static const char *const names[] = {"posix", "_imp", "_posixsubprocess", NULL};
    PyObject *modules = PyImport_GetModuleDict(); /* borrowed */
    for (int i = 0; names[i] != NULL; i++) {
        PyObject *module = PyDict_GetItemString(modules, names[i]);
        if (module != NULL)
            watch_module(module);
    }
    return 0;
}

void processes_remove(void)
{
    for (int i = 0; i < WATCHED; i++) {
        if (watched[i].def != NULL)
            watched[i].def->ml_meth = watched[i].original;
        watched[i].def = NULL;
    }
}
