/* Processes that the program starts. The trace says that they were started, by which call, and what they run as far as
   that is known. A process that will be recorded gets a number first, by which its own events are known.

   A forked child begins anew: with a ring of its own, in which every object is seen for the first time. Forks by code
   of C that does not go through os.fork are not recorded.

   The functions of C that start a process are replaced in their method definitions, which nothing in Python shows.
   (An audit hook would hear of them, too. But where there is one the interpreter makes a tuple for each audit event, and a
   program that has used up its memory would get a MemoryError from calls that need none.) The module by which subprocess and
   multiprocessing start programs is loaded when it is needed: the functions that load modules of C tell. */
#include "base/compat.h"
#include "capture/processes.h"
#include "base/allocate.h"
#include "base/lookup.h"
#include "capture/activation.h"
#include "capture/site.h"
#include "emit/content.h"
#include "emit/emit.h"
#include "emit/events.h"
#include "emit/ring.h"
#include "emit/shared_folder.h"
#include "recorder.h"
#include "shadow/encode.h"
#include "load/own_thread.h"
#include "shadow/identity.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FORKED = 1, COMMAND = 2, REPLACED = 3, BEGUN = 4, ENDED = 5 }; /* as in events.py */
enum { MAX_WORDS = 8, MAX_WORD = 100, MOST_ARGUMENTS = 32 };

/* clang-format off */
enum {
    FORK, FORKPTY, SPAWN, SPAWNP, SYSTEM, EXECV, EXECVE, /* of posix */
    WAITPID, WAIT,
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

static Value said(int how)
{
    return INT_VALUE((uint64_t)how | recorder.transport.process << 32);
}

/* Records that a process is started. number: its number in the trace; 0: it will not be recorded. */
static void started(int how, PyObject *command, uint64_t number)
{
    PyObject *text = command == NULL ? NULL : words_of(command);
    drop_error();
    if (recorder.recording)
        emit(EV_PROCESS, where_exactly(), number, said(how), encode(text == NULL ? Py_None : text));
    Py_XDECREF(text);
}

/* Records the process id of a recorded process; 0: it could not be started. */
static void begun(uint64_t number, long pid)
{
    if (recorder.recording && number != 0)
        emit(EV_PROCESS, where_now(), number, said(BEGUN), INT_VALUE(pid));
}

void process_has_module(PyObject *name, uint64_t oid)
{
    Value key = NAME_VALUE(name_id(name));
    emit(EV_PROCESS, (Where){0, 0}, recorder.transport.process, key, OBJ_VALUE(oid));
}

/* -- forks ---------------------------------------------------------------------------------------------------- */

static uint64_t forking; /* the number of the child that os.fork is making; 0: none that will be recorded */
static bool newborn;     /* this is that child, and it has not looked around yet */

/* Runs in any forked child, before anything of Python's. */
static void after_fork_in_child(void)
{
    uint64_t number = forking;
    forking = 0;
    ring_leave();
    activation_child_after_fork();
    if (number == 0)
        return;
    recorder.transport.process = number;
    content_process(number);
    identity_drop();
    ring_open_later();
    newborn = true;
}

static long pid_of(PyObject *result)
{
    PyObject *pid = result != NULL && PyTuple_Check(result) ? PyTuple_GET_ITEM(result, 0) : result;
    return pid == NULL || !PyLong_Check(pid) ? 0 : PyLong_AsLong(pid);
}

static PyObject *fork_noted_as(int which, PyObject *self, PyObject *unused)
{
    uint64_t number = folder_new_process();
    if (recorder.recording)
        started(FORKED, NULL, number);
    forking = recorder.recording ? number : 0;
    PyObject *result = watched[which].original(self, unused);
    forking = 0;
    if (newborn) {
        newborn = false;
        modules_seen();
    }
    else {
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        begun(number, pid_of(result));
        PyErr_Restore(type, value, traceback);
    }
    return result;
}

static PyObject *fork_noted(PyObject *self, PyObject *unused)
{
    return fork_noted_as(FORK, self, unused);
}

static PyObject *forkpty_noted(PyObject *self, PyObject *unused)
{
    return fork_noted_as(FORKPTY, self, unused);
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

/* -- commands ------------------------------------------------------------------------------------------------- */

static PyObject *recorded_command; /* owned: child_command.recorded; NULL: commands stay as they are */

PyObject *processes_ask(PyObject *module, PyObject *function)
{
    Py_XSETREF(recorded_command, Py_NewRef(function));
    Py_RETURN_NONE;
}

/* A list of the paths among some objects, as text; only exact types are read. New reference or NULL. */
static PyObject *paths_of(PyObject *o)
{
    PyObject *paths = PyList_New(0);
    bool several = PyList_CheckExact(o) || PyTuple_CheckExact(o);
    Py_ssize_t n = several ? PySequence_Fast_GET_SIZE(o) : 1;
    for (Py_ssize_t i = 0; paths != NULL && i < n; i++) {
        PyObject *path = several ? PySequence_Fast_GET_ITEM(o, i) : o, *text = NULL;
        if (PyBytes_CheckExact(path))
            text = PyUnicode_DecodeFSDefaultAndSize(PyBytes_AS_STRING(path), PyBytes_GET_SIZE(path));
        else if (PyUnicode_CheckExact(path))
            text = Py_NewRef(path);
        if (text != NULL && PyList_Append(paths, text) < 0)
            Py_CLEAR(paths);
        Py_XDECREF(text);
    }
    return paths;
}

/* The process's PATH: of a list of `NAME=VALUE`, or (any other object) of the environment. */
static PyObject *search_path(PyObject *environment)
{
    const char *found = getenv("PATH");
    if (environment != NULL && (PyList_CheckExact(environment) || PyTuple_CheckExact(environment))) {
        found = NULL;
        for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(environment); i++) {
            PyObject *entry = PySequence_Fast_GET_ITEM(environment, i);
            if (PyBytes_CheckExact(entry) && strncmp(PyBytes_AS_STRING(entry), "PATH=", 5) == 0)
                found = PyBytes_AS_STRING(entry) + 5;
        }
    }
    return PyUnicode_DecodeFSDefault(found == NULL ? "" : found);
}

/* A command that is about to be executed, and what is executed instead. */
typedef struct {
    uint64_t number;        /* of the process, if it will be recorded; else 0 */
    PyObject *path, *words; /* owned: what to execute instead; NULL: as it is */
    PyObject *paths;        /* owned: a tuple with the path, as fork_exec takes it */
} Command;

static void command_end(Command *command)
{
    Py_CLEAR(command->path);
    Py_CLEAR(command->words);
    Py_CLEAR(command->paths);
}

static PyObject *asked(PyObject *paths, PyObject *words, PyObject *environment, uint64_t number)
{
    PyObject *all = PySequence_List(words), *where = paths_of(paths), *search = search_path(environment);
    PyObject *n = PyLong_FromUnsignedLongLong(number), *result = NULL;
    if (all != NULL && where != NULL && search != NULL && n != NULL) {
        PyObject *args[5] = {recorded_command, all, where, search, n};
        result = apart(NULL, args, 5);
    }
    Py_XDECREF(all);
    Py_XDECREF(where);
    Py_XDECREF(search);
    Py_XDECREF(n);
    if (result == NULL || !PyTuple_CheckExact(result) || PyTuple_GET_SIZE(result) != 2)
        Py_CLEAR(result);
    drop_error();
    return result;
}

/* Tells of a command, and changes it if its process can be recorded. Numbers of processes are given in the order
   of starts, so first it is asked whether there is one. */
static Command command_begin(int how, PyObject *paths, PyObject *words, PyObject *environment)
{
    Command command = {0, NULL, NULL, NULL};
    bool plain = words != NULL && (PyList_CheckExact(words) || PyTuple_CheckExact(words));
    if (!recorder.recording || recorded_command == NULL || recorder.transport.control == NULL || !plain)
        return command;
    PyObject *found = asked(paths, words, environment, 0);
    if (found == NULL)
        return command;
    Py_DECREF(found);
    command.number = folder_new_process();
    found = command.number == 0 ? NULL : asked(paths, words, environment, command.number);
    if (found != NULL) {
        command.path = PyUnicode_EncodeFSDefault(PyTuple_GET_ITEM(found, 0));
        command.words = Py_NewRef(PyTuple_GET_ITEM(found, 1));
        command.paths = command.path == NULL ? NULL : PyTuple_Pack(1, command.path);
        Py_DECREF(found);
    }
    if (command.paths == NULL) {
        command_end(&command);
        command.number = 0;
    }
    drop_error();
    if (command.number != 0)
        started(how, words, command.number);
    return command;
}

/* After the command was started, or failed to start. */
static void command_started(Command *command, int how, PyObject *words, PyObject *result)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (command->number != 0)
        begun(command->number, pid_of(result));
    else if (recorder.recording && result != NULL && words != NULL)
        started(how, words, 0);
    command_end(command);
    PyErr_Restore(type, value, traceback);
}

/* A program that replaces this one does not return: everything is recorded before. */
static void exec_begins(Command *command, PyObject *words)
{
    if (command->number == 0)
        started(REPLACED, words, 0);
    else
        begun(command->number, getpid());
}

static void exec_failed(Command *command)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    begun(command->number, 0);
    command_end(command);
    PyErr_Restore(type, value, traceback);
}

/* posix_spawn, posix_spawnp, execve: path, words, environment. */
static PyObject *call_changed(int which, int how, PyObject *self, PyObject *const *args, Py_ssize_t n,
                              PyObject *names)
{
    KeywordFunction original = (KeywordFunction)(void (*)(void))watched[which].original;
    PyObject *path = argument(args, n, names, 0, "path"), *words = argument(args, n, names, 1, "argv");
    PyObject *all[MOST_ARGUMENTS];
    Py_ssize_t total = n + (names == NULL ? 0 : PyTuple_GET_SIZE(names));
    if (!recorder.recording || path == NULL || words == NULL || total > MOST_ARGUMENTS)
        return original(self, args, n, names);
    Command command = command_begin(how, path, words, NULL);
    for (Py_ssize_t i = 0; i < total; i++)
        all[i] = command.number != 0 && args[i] == path    ? command.path
                 : command.number != 0 && args[i] == words ? command.words
                                                           : args[i];
    if (how == REPLACED)
        exec_begins(&command, words);
    PyObject *result = original(self, all, n, names);
    if (how == REPLACED)
        exec_failed(&command);
    else
        command_started(&command, how, words, result);
    return result;
}

static PyObject *spawn_noted(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    return call_changed(SPAWN, COMMAND, self, args, n, names);
}

static PyObject *spawnp_noted(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    return call_changed(SPAWNP, COMMAND, self, args, n, names);
}

static PyObject *execve_noted(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    return call_changed(EXECVE, REPLACED, self, args, n, names);
}

static PyObject *system_noted(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    PyObject *command = recorder.recording ? argument(args, n, names, 0, "command") : NULL;
    if (command != NULL)
        started(COMMAND, command, 0);
    return ((KeywordFunction)(void (*)(void))watched[SYSTEM].original)(self, args, n, names);
}

static PyObject *execv_noted(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    if (!recorder.recording || n != 2)
        return call_original(EXECV, self, args, n);
    Command command = command_begin(REPLACED, args[0], args[1], NULL);
    PyObject *all[2] = {command.number != 0 ? command.path : args[0],
                        command.number != 0 ? command.words : args[1]};
    exec_begins(&command, args[1]);
    PyObject *result = call_original(EXECV, self, all, 2);
    exec_failed(&command);
    return result;
}

static PyObject *fork_exec_noted(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    PyObject *all[MOST_ARGUMENTS];
    if (!recorder.recording || n < 6 || n > MOST_ARGUMENTS)
        return call_original(FORK_EXEC, self, args, n);
    Command command = command_begin(COMMAND, args[1], args[0], args[5]);
    memcpy(all, args, (size_t)n * sizeof *all);
    if (command.number != 0) {
        all[0] = command.words;
        all[1] = command.paths;
    }
    PyObject *result = call_original(FORK_EXEC, self, all, n);
    command_started(&command, COMMAND, args[0], result);
    return result;
}

static PyObject *fork_exec_tuple_noted(PyObject *self, PyObject *args)
{
    Py_ssize_t n = PyTuple_GET_SIZE(args);
    if (!recorder.recording || n < 6)
        return watched[FORK_EXEC_TUPLE].original(self, args);
    PyObject *words = PyTuple_GET_ITEM(args, 0);
    Command command = command_begin(COMMAND, PyTuple_GET_ITEM(args, 1), words, PyTuple_GET_ITEM(args, 5));
    PyObject *all = command.number == 0 ? Py_NewRef(args) : PyTuple_New(n);
    for (Py_ssize_t i = 0; command.number != 0 && all != NULL && i < n; i++)
        PyTuple_SET_ITEM(all, i,
                         Py_NewRef(i == 0   ? command.words
                                   : i == 1 ? command.paths
                                            : PyTuple_GET_ITEM(args, i)));
    PyObject *result = all == NULL ? NULL : watched[FORK_EXEC_TUPLE].original(self, all);
    Py_XDECREF(all);
    command_started(&command, COMMAND, words, result);
    return result;
}

/* -- functions that wait for a process -------------------------------------------------------------------------- */

/* Records how a process ended, from the result of waiting for it. */
static PyObject *waited(PyObject *result)
{
    if (result == NULL || !recorder.recording || recorder.transport.control == NULL ||
        !PyTuple_CheckExact(result) || PyTuple_GET_SIZE(result) != 2)
        return result;
    PyObject *status = PyTuple_GET_ITEM(result, 1);
    long pid = pid_of(result), how = PyLong_Check(status) ? PyLong_AsLong(status) : -1;
    if (pid > 0 && how >= 0)
        emit(EV_PROCESS, where_now(), 0, said(ENDED), INT_VALUE((uint64_t)pid | (uint64_t)how << 32));
    return result;
}

static PyObject *waitpid_noted(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    return waited(call_original(WAITPID, self, args, n));
}

static PyObject *wait_noted(PyObject *self, PyObject *unused)
{
    return waited(watched[WAIT].original(self, unused));
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
    [WAITPID] = {"posix", "waitpid", METH_FASTCALL, FUNCTION(waitpid_noted)},
    [WAIT] = {"posix", "wait", METH_NOARGS, wait_noted},
    [FORK_EXEC] = {"_posixsubprocess", "fork_exec", METH_FASTCALL, FUNCTION(fork_exec_noted)},
    [FORK_EXEC_TUPLE] = {"_posixsubprocess", "fork_exec", METH_VARARGS, fork_exec_tuple_noted},
    [CREATE_DYNAMIC] = {"_imp", "create_dynamic", METH_FASTCALL, FUNCTION(create_dynamic_noted)},
    [CREATE_BUILTIN] = {"_imp", "create_builtin", METH_O, create_builtin_noted},
};

static void replace(int which, PyObject *module)
{
    PyObject *found = dict_find(PyModule_GetDict(module), replacements[which].name);
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
    static bool told;
    if (!told)
        pthread_atfork(NULL, NULL, after_fork_in_child);
    told = true;
    static const char *const names[] = {"posix", "_imp", "_posixsubprocess", NULL};
    PyObject *modules = PyImport_GetModuleDict(); /* borrowed */
    for (int i = 0; names[i] != NULL; i++) {
        PyObject *module = dict_find(modules, names[i]);
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
