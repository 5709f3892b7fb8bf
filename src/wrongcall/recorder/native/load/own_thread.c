/* Where instrumenting runs: apart from the program.

   The program may import deep in its recursion, have set a low recursion limit, or have a small stack.
   Rewriting and compiling therefore run in a thread of their own, with a large stack and limits that are
   lifted in its thread state, which the program cannot see. Its memory is touched only as far as it is used. */
#include "base/compat.h"
#include "base/lookup.h"
#include "load/own_thread.h"
#include <string.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static const size_t stack_sizes[] = {(size_t)512 << 20, (size_t)64 << 20, (size_t)16 << 20};

typedef struct {
    PyInterpreterState *interpreter;
    bool ran;              /* false: the thread got no state */
    PyObject *const *args; /* borrowed: a callable and its arguments */
    Py_ssize_t n;
    size_t stack;
    PyObject *result;                   /* owned; NULL: */
    PyObject *type, *error, *traceback; /* owned */
} Job;

/* The thread makes its state itself: on 3.11 it would not be known as this thread's otherwise. */
static void *job_run(void *pointer)
{
    Job *job = pointer;
    PyThreadState *ts = PyThreadState_New(job->interpreter); /* needs no GIL */
    if (ts == NULL)
        return NULL;
    job->ran = true;
    PyEval_RestoreThread(ts);
    compat_lift_limits(ts, job->stack);
    job->result = PyObject_Vectorcall(job->args[0], job->args + 1, (size_t)job->n - 1, NULL);
    if (job->result == NULL)
        PyErr_Fetch(&job->type, &job->error, &job->traceback);
    PyThreadState_Clear(ts);
    PyThreadState_DeleteCurrent();
    return NULL;
}

/* Signals are the program's: none is delivered to the thread. */
static bool job_start(Job *job, pthread_t *thread)
{
    pthread_attr_t attributes;
    sigset_t every, before;
    bool started = false;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    for (size_t i = 0; !started && i < sizeof stack_sizes / sizeof *stack_sizes; i++) {
        job->stack = stack_sizes[i];
        started = pthread_attr_setstacksize(&attributes, job->stack) == 0 &&
                  pthread_create(thread, &attributes, job_run, job) == 0;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

/* Without a thread: in this one, with its own stack, but however deep the program is in its recursion. */
static PyObject *call_here(PyObject *const *args, Py_ssize_t n)
{
    PyThreadState *ts = PyThreadState_Get();
    CompatLimits before = compat_limits(ts);
    compat_lift_limits(ts, 0);
    PyObject *result = PyObject_Vectorcall(args[0], args + 1, (size_t)n - 1, NULL);
    compat_restore_limits(ts, before);
    return result;
}

/* One file after the other: functions and sites are numbered while it is rewritten. The one that has it needs
   nothing of other threads. While the interpreter ends nobody takes it: who had it may have been stopped. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static void let_go_in_child(void)
{
    pthread_mutex_init(&one_at_a_time, NULL);
}

/* apart(callable, *args): call it in a thread with a large stack; what it returns or raises. The collector
   rests meanwhile, or it would run the program's finalizers there. */
PyObject *apart(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    Job job = {.interpreter = PyInterpreterState_Get(), .args = args, .n = n};
    pthread_t thread;
    bool alone = compat_finalizing();
    if (!alone) {
        Py_BEGIN_ALLOW_THREADS
        pthread_mutex_lock(&one_at_a_time);
        Py_END_ALLOW_THREADS
    }
    int collects = PyGC_Disable();
    if (!alone && job_start(&job, &thread)) {
        Py_BEGIN_ALLOW_THREADS
        pthread_join(thread, NULL);
        Py_END_ALLOW_THREADS
    }
    if (!alone) /* before anything of the program can run in this thread */
        pthread_mutex_unlock(&one_at_a_time);
    if (!job.ran)
        job.result = call_here(args, n);
    else if (job.result == NULL)
        PyErr_Restore(job.type, job.error, job.traceback);
    if (collects)
        PyGC_Enable();
    return job.result;
}

/* -- compiling ------------------------------------------------------------------------------------------------- */

static PyObject *builtin_compile; /* owned */
static PyObject *default_filters; /* owned: what counts where the module `warnings` is not loaded */
static PyObject *ignore_all;      /* owned: a filter */

/* The list of warning filters that is in use; borrowed or NULL. */
static PyObject *filters_now(void)
{
    PyObject *modules = PyImport_GetModuleDict();
    PyObject *warnings = PyDict_CheckExact(modules) ? dict_find(modules, "warnings") : NULL;
    PyObject *filters = warnings == NULL           ? default_filters
                        : PyModule_Check(warnings) ? dict_find(PyModule_GetDict(warnings), "filters")
                                                   : NULL;
    return filters != NULL && PyList_CheckExact(filters) ? filters : NULL;
}

static void filter_out(PyObject *filters)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(filters); i++) {
        if (PyList_GET_ITEM(filters, i) == ignore_all) {
            PyList_SetSlice(filters, i, i + 1, NULL);
            return;
        }
    }
}

/* compile(source, path, flags, optimize): as the builtin of the interpreter, whatever the program put
   there, without warnings, which the user has seen, and without a limit of depth that the program set.
   Other threads do not run meanwhile. (The filters' version stays: what was warned of once is not again.) */
PyObject *quiet_compile(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    PyObject *mode = PyUnicode_InternFromString("exec");
    PyObject *all[6] = {args[0], args[1], mode, args[2], Py_True, args[3]};
    PyObject *filters = Py_XNewRef(filters_now());
    if (mode == NULL || (filters != NULL && PyList_Insert(filters, 0, ignore_all) < 0)) {
        Py_XDECREF(filters);
        Py_XDECREF(mode);
        return NULL;
    }
    PyThreadState *ts = PyThreadState_Get();
    CompatLimits before = compat_limits(ts);
    int limit = compat_lift_compiler();
    PyObject *result = PyObject_Vectorcall(builtin_compile, all, 6, NULL);
    compat_restore_compiler(limit);
    compat_restore_limits(ts, before);
    if (filters != NULL) {
        PyObject *type, *error, *traceback;
        PyErr_Fetch(&type, &error, &traceback);
        filter_out(filters);
        PyErr_Restore(type, error, traceback);
        Py_DECREF(filters);
    }
    Py_DECREF(mode);
    return result;
}

/* realpath(path): the system's own, whatever the program made of os.path; of a path into an archive,
   which is no path of the system, the part that is one is resolved. */
PyObject *real_path(PyObject *module, PyObject *path)
{
    PyObject *bytes = NULL;
    if (!PyUnicode_FSConverter(path, &bytes))
        return NULL;
    char *text = strdup(PyBytes_AS_STRING(bytes)), *found = NULL;
    Py_ssize_t length = PyBytes_GET_SIZE(bytes), end = length;
    PyObject *result = NULL;
    if (text == NULL) {
        Py_DECREF(bytes);
        return PyErr_NoMemory();
    }
    while ((found = realpath(end == 0 ? "/" : text, NULL)) == NULL && end > 0) {
        while (end > 0 && text[end - 1] != '/')
            end--;
        end -= end > 0;
        text[end] = '\0';
        if (end == 0 &&
            PyBytes_AS_STRING(bytes)[0] != '/') { /* a relative path: below the folder we are in */
            found = realpath(".", NULL);
            break;
        }
    }
    if (found != NULL) {
        const char *rest = PyBytes_AS_STRING(bytes) + end;
        bool slash = end < length && *rest != '/' && strcmp(found, "/") != 0;
        PyObject *joined = PyBytes_FromFormat("%s%s%s", strcmp(found, "/") == 0 && *rest == '/' ? "" : found,
                                              slash ? "/" : "", rest);
        result = joined == NULL
                     ? NULL
                     : PyUnicode_DecodeFSDefaultAndSize(PyBytes_AS_STRING(joined), PyBytes_GET_SIZE(joined));
        Py_XDECREF(joined);
    }
    else
        result = Py_NewRef(path);
    free(found);
    free(text);
    Py_DECREF(bytes);
    return result;
}

/* Before the program begins. */
int apart_setup(void)
{
    pthread_atfork(NULL, NULL, let_go_in_child);
    PyObject *warnings = PyImport_ImportModule("_warnings");
    builtin_compile = Py_XNewRef(dict_find(PyEval_GetBuiltins(), "compile"));
    default_filters = warnings == NULL ? NULL : PyObject_GetAttrString(warnings, "filters");
    ignore_all = Py_BuildValue("(sOOOi)", "ignore", Py_None, PyExc_Warning, Py_None, 0);
    Py_XDECREF(warnings);
    return builtin_compile == NULL || default_filters == NULL || ignore_all == NULL ? -1 : 0;
}
