/* Processes that the program starts. What they do is not recorded, so the trace says that they were started, by which
   call, and what they run as far as that is known.

   An audit hook of the C API sees fork, posix_spawn, system and exec; nothing in Python shows that it is there. The
   function by which subprocess and multiprocessing start a program has no audit event of its own: it is replaced in
   its method definition, as soon as its module is there. */
#include "core.h"

enum { FORKED = 1, COMMAND = 2, REPLACED = 3 }; /* as in events.py */
enum { MAX_WORDS = 8, MAX_WORD = 100 };

static PyMethodDef *fork_exec_def;
static PyCFunction fork_exec_original;

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
    if (recording)
        emit(EV_PROCESS, where_exactly(), 0, INT_VALUE(how), encode(text == NULL ? Py_None : text));
    Py_XDECREF(text);
}

static PyObject *watched_fast(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    PyObject *result = ((PyObject *(*)(PyObject *, PyObject *const *, Py_ssize_t))(void (*)(void))fork_exec_original)(
        self, args, n);
    if (result != NULL && recording && n > 0)
        started(COMMAND, args[0]);
    return result;
}

static PyObject *watched_tuple(PyObject *self, PyObject *args)
{
    PyObject *result = fork_exec_original(self, args);
    if (result != NULL && recording && PyTuple_GET_SIZE(args) > 0)
        started(COMMAND, PyTuple_GET_ITEM(args, 0));
    return result;
}

/* Watch fork_exec, if its module has been loaded. */
static void watch_fork_exec(void)
{
    PyObject *modules = PyImport_GetModuleDict(); /* borrowed */
    if (fork_exec_def != NULL || modules == NULL || !PyDict_CheckExact(modules))
        return;
    PyObject *module = PyDict_GetItemString(modules, "_posixsubprocess");
    PyObject *found = module == NULL || !PyModule_CheckExact(module)
                          ? NULL
                          : PyDict_GetItemString(PyModule_GetDict(module), "fork_exec");
    if (found == NULL || !PyCFunction_CheckExact(found))
        return;
    PyMethodDef *def = ((PyCFunctionObject *)found)->m_ml;
    if (def->ml_flags != METH_FASTCALL && def->ml_flags != METH_VARARGS)
        return;
    fork_exec_def = def;
    fork_exec_original = def->ml_meth;
    def->ml_meth = def->ml_flags == METH_FASTCALL ? (PyCFunction)(void (*)(void))watched_fast : watched_tuple;
}

static PyObject *argument(PyObject *args, Py_ssize_t i)
{
    return args != NULL && PyTuple_CheckExact(args) && i < PyTuple_GET_SIZE(args) ? PyTuple_GET_ITEM(args, i) : NULL;
}

static int heard(const char *event, PyObject *args, void *unused)
{
    if (!recording)
        return 0;
    if (event[0] == 'o' && event[1] == 's' && event[2] == '.') {
        const char *what = event + 3;
        if (strcmp(what, "fork") == 0 || strcmp(what, "forkpty") == 0)
            started(FORKED, NULL);
        else if (strcmp(what, "posix_spawn") == 0)
            started(COMMAND, argument(args, 1));
        else if (strcmp(what, "system") == 0)
            started(COMMAND, argument(args, 0));
        else if (strcmp(what, "exec") == 0)
            started(REPLACED, argument(args, 1));
    } else if (strcmp(event, "import") == 0 || strcmp(event, "subprocess.Popen") == 0) {
        watch_fork_exec();
    }
    return 0;
}

int processes_install(void)
{
    return PySys_AddAuditHook(heard, NULL);
}

void processes_remove(void)
{
    if (fork_exec_def != NULL)
        fork_exec_def->ml_meth = fork_exec_original;
    fork_exec_def = NULL;
}
