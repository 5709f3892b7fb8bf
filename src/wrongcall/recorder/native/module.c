/* The Python face of the native core: start and stop, make hooks, run the program. */
#include "base/compat.h"
#include "base/allocate.h"
#include "base/instance.h"
#include "capture/activation.h"
#include "capture/frame_writes.h"
#include "capture/lazy_imports.h"
#include "capture/mutators.h"
#include "capture/output.h"
#include "capture/processes.h"
#include "capture/site.h"
#include "compare/watches.h"
#include "emit/content.h"
#include "emit/emit.h"
#include "emit/events.h"
#include "emit/ring.h"
#include "emit/shared_folder.h"
#include "foreign/dunder_calls.h"
#include "foreign/trampoline.h"
#include "foreign/watch.h"
#include "hide/hide_handle.h"
#include "hide/hide_modules.h"
#include "hide/plain_code.h"
#include "load/code_entry.h"
#include "load/own_thread.h"
#include "load/watch_loaders.h"
#include "recorder.h"
#include "shadow/dict_order.h"
#include "shadow/identity.h"
#include "shadow/lifetime.h"
#include "shadow/shape.h"
#include <string.h>
#include <signal.h>
#include <unistd.h>

/* -- sites -------------------------------------------------------------------------------------------------- */

static void site_dealloc(PyObject *o)
{
    Site *site = (Site *)o;
    Py_XDECREF(site->name);
    Py_XDECREF(site->names);
    Py_XDECREF(site->trampoline);
    PyObject_Free(o);
}

PyTypeObject Site_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "wrongcall.site",
    .tp_doc = "A place in the program's source where something is recorded.",
    .tp_basicsize = sizeof(Site),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_dealloc = site_dealloc,
};

static PyMethodDef *hook_named(const char *name)
{
    for (PyMethodDef *def = hook_methods; def->ml_name != NULL; def++) {
        if (strcmp(def->ml_name, name) == 0)
            return def;
    }
    PyErr_Format(PyExc_ValueError, "no hook is named %s", name);
    return NULL;
}

static Site *site_new(unsigned int id, PyObject *name)
{
    Site *site = PyObject_New(Site, &Site_Type);
    if (site == NULL)
        return NULL;
    memset((char *)site + sizeof(PyObject), 0, sizeof *site - sizeof(PyObject));
    site->id = id;
    if (name != Py_None) {
        site->name = Py_NewRef(name);
        PyUnicode_InternInPlace(&site->name);
    }
    return site;
}

/* site(kind, site, name=None) -> what `h[site] = value` or `del h[site]` tells */
static PyObject *make_site(PyObject *module, PyObject *args)
{
    const char *kind;
    unsigned int id;
    PyObject *name = Py_None;
    if (!PyArg_ParseTuple(args, "sI|O", &kind, &id, &name))
        return NULL;
    for (const TellMethod *method = tell_methods; method->name != NULL; method++) {
        if (strcmp(method->name, kind) == 0) {
            Site *site = site_new(id, name);
            if (site != NULL)
                site->tell = method->tell;
            return (PyObject *)site;
        }
    }
    PyErr_Format(PyExc_ValueError, "%s is not told", kind);
    return NULL;
}

/* hook(kind, site, name=None, names=None, trampoline=None) -> callable */
static PyObject *make_hook(PyObject *module, PyObject *args)
{
    const char *kind;
    unsigned int id;
    PyObject *name = Py_None, *names = Py_None, *trampoline = Py_None;
    if (!PyArg_ParseTuple(args, "sI|OOO", &kind, &id, &name, &names, &trampoline))
        return NULL;
    PyMethodDef *def = hook_named(kind);
    if (def == NULL)
        return NULL;
    Site *site = site_new(id, name);
    if (site == NULL)
        return NULL;
    if (names != Py_None)
        site->names = Py_NewRef(names);
    if (trampoline != Py_None)
        site->trampoline = Py_NewRef(trampoline);
    PyObject *hook = PyCFunction_New(def, (PyObject *)site);
    Py_DECREF(site);
    return hook;
}

static PyObject *entry_new(Func *func)
{
    Entry *entry = PyObject_New(Entry, &Entry_Type);
    if (entry != NULL)
        entry->func = (Func *)Py_NewRef((PyObject *)func);
    return (PyObject *)entry;
}

/* function(id, entry_site, first_param, return_site, kind, called, free_names) -> (marker, enter hook) */
static PyObject *make_function(PyObject *module, PyObject *args)
{
    unsigned int id, entry, first_param, return_site;
    int is_generator, is_namespace, is_module, implicit, called;
    PyObject *free_names, *lines;
    if (!PyArg_ParseTuple(args, "IIIIpppppO!O!", &id, &entry, &first_param, &return_site, &is_generator,
                          &is_namespace, &is_module, &implicit, &called, &PyTuple_Type, &free_names,
                          &PyDict_Type, &lines))
        return NULL;
    Func *func = PyObject_New(Func, &Func_Type);
    if (func == NULL)
        return NULL;
    func->id = id;
    func->entry_site = entry;
    func->first_param = first_param;
    func->return_site = return_site;
    func->is_generator = is_generator;
    func->is_namespace = is_namespace;
    func->is_module = is_module;
    func->implicit = implicit;
    func->has_free = PyTuple_GET_SIZE(free_names) > 0;
    func->free_names = Py_NewRef(free_names);
    func->lines = Py_NewRef(lines);
    PyObject *enter = called ? PyCFunction_New(hook_named("enter"), (PyObject *)func) : entry_new(func);
    PyObject *pair = enter == NULL ? NULL : PyTuple_Pack(2, (PyObject *)func, enter);
    Py_DECREF(func);
    Py_XDECREF(enter);
    return pair;
}

/* -- recording ------------------------------------------------------------------------------------------------- */

/* join(folder, number): this is a process of a recording of several */
static PyObject *join(PyObject *module, PyObject *args)
{
    PyObject *folder;
    unsigned long long number;
    if (!PyArg_ParseTuple(args, "O&K", PyUnicode_FSConverter, &folder, &number))
        return NULL;
    int failed = folder_join(PyBytes_AS_STRING(folder), number);
    Py_DECREF(folder);
    content_process(number == 1 ? 0 : number);
    return failed < 0 ? NULL : Py_NewRef(Py_None);
}

/* What start(fd) does with -1: a process that makes its ring itself. */
static int start_joined(void)
{
    if (ring_make())
        return 0;
    PyErr_SetString(PyExc_OSError, "no ring can be made in the shared folder");
    return -1;
}

/* What hides instrumented code from the program, for the rest of the process's life. */
static int hide(void)
{
    static bool hidden;
    if (hidden)
        return 0;
    hidden = true;
    return frame_writes_install() < 0 || hide_handle_install() < 0 || plain_code_install() < 0 ||
                   trampoline_install() < 0 || hide_modules_install() < 0
               ? -1
               : 0;
}

static PyObject *told; /* owned: list of str, the META events so far, if recording may begin again */

/* prepare(): instrumented code may run before recording begins, and recording may begin again. */
static PyObject *prepare(PyObject *module, PyObject *unused)
{
    recorder.restarts = true;
    if (told == NULL && (told = PyList_New(0)) == NULL)
        return NULL;
    return hide() < 0 ? NULL : Py_NewRef(Py_None);
}

/* What the trace has to know that was told before it began: files, names, the modules of the program. */
static void tell_again(void)
{
    for (Py_ssize_t i = 0; told != NULL && i < PyList_GET_SIZE(told); i++) {
        Py_ssize_t size;
        const char *text =
            PyUnicode_AsUTF8AndSize(PyList_GET_ITEM(told, i), &size); /* kept in it: never fails */
        emit_text(EV_META, NO_VALUE, NO_VALUE, text, (size_t)size);
    }
    names_again();
    modules_seen();
}

static bool installed; /* what is replaced in the interpreter while it is recorded */

/* start(fd, drain=0) */
static PyObject *start(PyObject *module, PyObject *args)
{
    int fd, drain = 0;
    if (!PyArg_ParseTuple(args, "i|i", &fd, &drain))
        return NULL;
    if (recorder.restarts)
        activation_forget(); /* what began meanwhile */
    if ((fd < 0 ? start_joined() : ring_open(fd, drain)) < 0)
        return NULL;
    if (fd >= 0)
        close(fd);
    hold_memory();
    installed = true;
    if (hide() < 0 || output_install() < 0 || mutators_install() < 0 || lifetime_install() < 0 ||
        processes_install() < 0)
        return NULL;
    if (recorder.restarts)
        tell_again();
    Py_RETURN_NONE;
}

/* The next recording begins as if nothing had been seen. */
static void forget(void)
{
    activation_forget();
    identity_clear();
    shapes_clear();
    contents_clear();
    ring_close();
}

static void end(int state)
{
    if (!recorder.recording && !(recorder.restarts && installed))
        return;
    installed = false;
    if (recorder.recording) /* else the ring says why it is not */
        ring_stop(state);
    output_remove();
    processes_remove();
    mutators_remove();
    lifetime_remove();
    if (recorder.restarts)
        forget();
}

static PyObject *stop(PyObject *module, PyObject *unused)
{
    end(2);
    ring_tell();
    Py_RETURN_NONE;
}

static PyObject *is_recording(PyObject *module, PyObject *unused)
{
    return PyBool_FromLong(recorder.recording);
}

static PyObject *printed_elsewhere(PyObject *module, PyObject *args)
{
    int stream;
    PyObject *text;
    if (!PyArg_ParseTuple(args, "iU", &stream, &text))
        return NULL;
    output_elsewhere(stream, text);
    Py_RETURN_NONE;
}

static PyObject *withdraw(PyObject *module, PyObject *unused)
{
    end(0);
    Py_RETURN_NONE;
}

/* meta(json, more=b""): the text of a META event, and bytes that follow it after a zero. */
static PyObject *meta(PyObject *module, PyObject *args)
{
    PyObject *text, *more = NULL;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(args, "U|S", &text, &more))
        return NULL;
    const char *utf8 = PyUnicode_AsUTF8AndSize(text, &size);
    if (utf8 == NULL)
        return NULL;
    if (told != NULL && PyList_Append(told, text) < 0)
        return NULL;
    if (!recorder.recording)
        Py_RETURN_NONE;
    if (more == NULL || PyBytes_GET_SIZE(more) == 0) {
        emit_text(EV_META, NO_VALUE, NO_VALUE, utf8, (size_t)size);
        Py_RETURN_NONE;
    }
    PyObject *all = PyBytes_FromStringAndSize(NULL, size + 1 + PyBytes_GET_SIZE(more));
    if (all == NULL)
        return NULL;
    memcpy(PyBytes_AS_STRING(all), utf8, (size_t)size + 1);
    memcpy(PyBytes_AS_STRING(all) + size + 1, PyBytes_AS_STRING(more), (size_t)PyBytes_GET_SIZE(more));
    emit_text(EV_META, NO_VALUE, NO_VALUE, PyBytes_AS_STRING(all), (size_t)PyBytes_GET_SIZE(all));
    Py_DECREF(all);
    Py_RETURN_NONE;
}

/* -- running the program ------------------------------------------------------------------------------------------ */

/* As the interpreter ends on Ctrl-C: clean up, then die of the signal so that the shell knows. */
static void end_interrupted(void)
{
    PyErr_Print();
    Py_FinalizeEx();
    signal(SIGINT, SIG_DFL);
    kill(getpid(), SIGINT);
    _exit(130);
}

/* Nobody but the module refers to its namespace when the code has ended: sys.exit() ends the process below our
   frames, and the objects in the namespace must die then. */
static PyObject *run_main(PyObject *code)
{
    PyObject *main_module = PyImport_AddModule("__main__"); /* borrowed */
    if (main_module == NULL)
        return NULL;
    PyObject *namespace = Py_NewRef(PyModule_GetDict(main_module));
    PyObject *result = PyEval_EvalCode(code, namespace, namespace);
    Py_DECREF(namespace);
    return result;
}

/* run(code), in __main__, or run(callable, *args): calls it with no frame below, and ends as `python` would if it raises. */
static PyObject *run(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    PyThreadState *ts = PyThreadState_Get();
    void *frame = compat_hide_frames(ts);
    compat_refund_recursion(ts);
    PyObject *result = PyCode_Check(args[0]) ? run_main(args[0])
                                             : PyObject_Vectorcall(args[0], args + 1, (size_t)n - 1, NULL);
    if (result == NULL) {
        if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt))
            end_interrupted();
        PyErr_Print(); /* SystemExit ends the process here */
        compat_show_frames(ts, frame);
        return PyLong_FromLong(1);
    }
    compat_show_frames(ts, frame);
    Py_DECREF(result);
    return PyLong_FromLong(0);
}

static PyObject *first_path(PyObject *module, PyObject *folder)
{
    if (set_first_path(folder) < 0)
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    Py_RETURN_NONE;
}

static PyObject *unmonitored(PyObject *module, PyObject *code)
{
    if (!PyCode_Check(code)) {
        PyErr_SetString(PyExc_TypeError, "not a code object");
        return NULL;
    }
    return make_unmonitored(code) < 0 ? PyErr_NoMemory() : Py_NewRef(code);
}

static PyObject *known_objects(PyObject *module, PyObject *unused)
{
    return PyLong_FromSize_t(identity_count());
}

static PyObject *fail(PyObject *module, PyObject *after)
{
    long n = PyLong_AsLong(after);
    if (n == -1 && PyErr_Occurred())
        return NULL;
    fail_allocation(n);
    Py_RETURN_NONE;
}

/* -- the module ------------------------------------------------------------------------------------------------------ */

static PyMethodDef methods[] = {
    {"hook", make_hook, METH_VARARGS,
     "hook(kind, site, name=None, names=None, trampoline=None): what code calls at a site"},
    {"site", make_site, METH_VARARGS, "site(kind, site, name=None): what a store or a deletion tells"},
    {"function", make_function, METH_VARARGS,
     "function(id, entry site, first parameter's site, is_generator, is_namespace, is_module, "
     "implicit, free names, sites by line): the marker of its code and its enter hook"},
    {"pair", plain_code_pair, METH_VARARGS,
     "pair(instrumented, plain): two code objects of the same function"},
    {"join", join, METH_VARARGS, "join(folder, number): this process is one of several that are recorded"},
    {"prepare", prepare, METH_NOARGS, "prepare(): recording may begin later, and more than once"},
    {"start", start, METH_VARARGS,
     "start(fd, drain=0): record into the ring behind this descriptor, which that process reads; "
     "-1: into a new one in the joined folder"},
    {"recording", is_recording, METH_NOARGS, "recording(): whether anything is recorded now"},
    {"printed", printed_elsewhere, METH_VARARGS, "printed(stream, text): what stands for a stream was given"},
    {"stop", stop, METH_NOARGS, "stop(): end the recording"},
    {"withdraw", withdraw, METH_NOARGS, "withdraw(): nothing is recorded after all"},
    {"meta", meta, METH_VARARGS, "meta(json, more=b''): describe an instrumented file"},
    {"late_sites", late_sites, METH_O, "late_sites(function): what makes a site when it is needed"},
    {"run", (PyCFunction)(void (*)(void))run, METH_FASTCALL,
     "run(code), in __main__, or run(callable, *args): run the program; 1 if it raised"},
    {"first_path", first_path, METH_O,
     "first_path(folder or None): what the interpreter is to believe that it put first on sys.path"},
    {"unmonitored", unmonitored, METH_O,
     "unmonitored(code): the same code, which has no RESUME; no tool watches it"},
    {"fail_allocation", fail, METH_O,
     "fail_allocation(n): the recorder finds no memory from its n-th allocation on (for tests)"},
    {"apart", (PyCFunction)(void (*)(void))apart, METH_FASTCALL,
     "apart(callable, *args): call it in a thread with a large stack"},
    {"compile", (PyCFunction)(void (*)(void))quiet_compile, METH_FASTCALL,
     "compile(source, path, flags, optimize): without warnings, however deep"},
    {"private_file", private_file, METH_O,
     "private_file(path): the content of a file of the user's own, or None"},
    {"marshal", write_marshal, METH_O, "marshal(value): its bytes"},
    {"unmarshal", read_marshal, METH_O, "unmarshal(bytes): the value"},
    {"realpath", real_path, METH_O, "realpath(path): without links"},
    {"intercept", (PyCFunction)(void (*)(void))intercept, METH_FASTCALL,
     "intercept(function, begin, noted, finish, executed): see watch_loaders.c"},
    {"child_command", processes_ask, METH_O,
     "child_command(function): what changes commands so that their processes are recorded"},
    {"known_objects", known_objects, METH_NOARGS, "How many live objects are known."},
    {NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "wrongcall.recorder._native",
    .m_doc = "The native core of the recorder.",
    .m_size = -1,
    .m_methods = methods,
};

static int add_numbers(PyObject *module, const char *name, const char *const *names, const int *numbers,
                       int n)
{
    PyObject *dict = PyDict_New();
    for (int i = 0; dict != NULL && i < n; i++) {
        PyObject *number = PyLong_FromLong(numbers[i]);
        if (number == NULL || PyDict_SetItemString(dict, names[i], number) < 0)
            Py_CLEAR(dict);
        Py_XDECREF(number);
    }
    int failed = dict == NULL ? -1 : PyModule_AddObjectRef(module, name, dict);
    Py_XDECREF(dict);
    return failed;
}

#define X(name, number) #name,
static const char *const kind_names[] = {WC_KINDS(X)}, *const tag_names[] = {WC_TAGS(X)},
                         *const layout_names[] = {WC_LAYOUTS(X)}, *const passing_names[] = {WC_PASSINGS(X)};
#undef X
#define X(name, number) number,
static const int kind_numbers[] = {WC_KINDS(X)}, tag_numbers[] = {WC_TAGS(X)},
                 layout_numbers[] = {WC_LAYOUTS(X)}, passing_numbers[] = {WC_PASSINGS(X)};
#undef X
#define COUNT(a) ((int)(sizeof(a) / sizeof(a[0])))

PyMODINIT_FUNC PyInit__native(void)
{
    PyTypeObject *types[] = {&Func_Type,  &Handle_Type,   &Site_Type,   &Entry_Type,
                             &Guard_Type, &Receiver_Type, &Target_Type, &Delegate_Type};
    for (int i = 0; i < COUNT(types); i++) {
        if (PyType_Ready(types[i]) < 0)
            return NULL;
    }
    PyObject *module = PyModule_Create(&definition);
    if (module == NULL)
        return NULL;
    watch_setup();
    ordered_setup();
    dict_watch_setup();
    if (recorder_setup() < 0 || lazy_imports_setup(module) < 0 || dunder_setup() < 0 || apart_setup() < 0 ||
        shape_setup() < 0 || trampoline_setup(module) < 0 ||
        add_numbers(module, "KINDS", kind_names, kind_numbers, COUNT(kind_names)) < 0 ||
        add_numbers(module, "TAGS", tag_names, tag_numbers, COUNT(tag_names)) < 0 ||
        add_numbers(module, "LAYOUTS", layout_names, layout_numbers, COUNT(layout_names)) < 0 ||
        add_numbers(module, "PASSINGS", passing_names, passing_numbers, COUNT(passing_names)) < 0)
        Py_CLEAR(module);
    return module;
}
