/* The handle of a call lies in a local variable, and local variables show: in locals(), vars(), dir(), in
   what exec and eval see, in frame.f_locals and in co_varnames. The functions behind these are replaced in
   their definitions by ones that leave the hidden variable out.

   One place must keep it: before 3.13, what a trace function finds in frame.f_locals is copied back into the
   variables when it returns, and a variable that is missing there is unbound. */
#include "base/compat.h"
#include "base/lookup.h"
#include "hide/hide_handle.h"
#include "capture/activation.h"
#include "capture/site.h"
#include "recorder.h"
#include <string.h>

static PyObject *hidden; /* owned: the name, as in nodes.py */

static void leave_out(PyObject *dict)
{
    if (dict != NULL && PyDict_CheckExact(dict) && PyDict_GetItemWithError(dict, hidden) != NULL)
        PyDict_DelItem(dict, hidden);
}

static void leave_out_of_list(PyObject *list)
{
    for (Py_ssize_t i = 0; list != NULL && PyList_CheckExact(list) && i < PyList_GET_SIZE(list); i++) {
        PyObject *name = PyList_GET_ITEM(list, i);
        if (PyUnicode_CheckExact(name) && PyUnicode_Compare(name, hidden) == 0) {
            PyList_SetSlice(list, i, i + 1, NULL);
            return;
        }
    }
}

/* Whether the running code has the variable. */
static bool runs_function(void)
{
    PyFrameObject *frame = PyThreadState_GetFrame(PyThreadState_Get());
    PyCodeObject *code = frame == NULL ? NULL : PyFrame_GetCode(frame);
    Func *func = code == NULL ? NULL : func_of_code((PyObject *)code);
    Py_XDECREF(code);
    Py_XDECREF(frame);
    return func != NULL && !func->is_namespace;
}

/* The variables of the running function, without it; new reference or NULL with an error. */
PyObject *visible_locals(void)
{
#if PY_VERSION_HEX >= 0x030D0000
    PyObject *locals = PyEval_GetFrameLocals();
#else
    PyObject *locals = Py_XNewRef(PyEval_GetLocals());
#endif
    leave_out(locals);
    return locals;
}

/* -- builtins ------------------------------------------------------------------------------------------------- */

typedef PyObject *(*fast_keywords)(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
typedef PyObject *(*fast_function)(PyObject *, PyObject *const *, Py_ssize_t);

static PyCFunction original_locals, original_vars, original_dir, original_exec, original_eval;

static PyObject *visible_locals_call(PyObject *module, PyObject *unused)
{
    PyObject *found = original_locals(module, unused);
    leave_out(found);
    return found;
}

static PyObject *seen_vars(PyObject *found, bool own)
{
    if (own)
        leave_out(found);
    return found;
}

static PyObject *seen_dir(PyObject *found, bool own)
{
    if (own && found != NULL && runs_function()) {
        leave_out_of_list(found);
        Py_XDECREF(visible_locals()); /* before 3.13 it filled the function's own dictionary */
        PyErr_Clear();
    }
    return found;
}

/* vars and dir, in the two calling conventions that they have had */
static PyObject *visible_vars(PyObject *module, PyObject *args)
{
    return seen_vars(original_vars(module, args), PyTuple_GET_SIZE(args) == 0);
}

static PyObject *visible_vars_fast(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    return seen_vars(((fast_function)(void (*)(void))original_vars)(module, args, n), n == 0);
}

static PyObject *visible_dir(PyObject *module, PyObject *args)
{
    return seen_dir(original_dir(module, args), PyTuple_GET_SIZE(args) == 0);
}

static PyObject *visible_dir_fast(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    return seen_dir(((fast_function)(void (*)(void))original_dir)(module, args, n), n == 0);
}

/* exec(source) and eval(source): the same with the variables that they would have used. */
static PyObject *run_source(PyCFunction original, bool takes_names, PyObject *module, PyObject *const *args,
                            Py_ssize_t n, PyObject *names)
{
    Py_ssize_t named = names == NULL ? 0 : PyTuple_GET_SIZE(names);
    bool plain =
        n == 1 || (n == 2 && args[1] == Py_None) || (n == 3 && args[1] == Py_None && args[2] == Py_None);
    PyObject *first = named == 0 ? NULL : PyTuple_GET_ITEM(names, 0);
    if (named > 1 || (first != NULL && PyUnicode_CompareWithASCIIString(first, "closure") != 0))
        plain = false; /* globals=... or locals=... */
    PyObject *all[4] = {n > 0 ? args[0] : NULL, PyEval_GetGlobals(), NULL, named == 0 ? NULL : args[n]};
    if (plain && all[1] != NULL && runs_function()) {
        all[2] = visible_locals();
        if (all[2] == NULL)
            return NULL;
        args = all;
        n = 3;
    }
    PyObject *result = takes_names ? ((fast_keywords)(void (*)(void))original)(module, args, n, names)
                                   : ((fast_function)(void (*)(void))original)(module, args, n);
    Py_XDECREF(all[2]);
    return result;
}

static PyObject *visible_exec(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    return run_source(original_exec, true, module, args, n, names);
}

static PyObject *visible_eval(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    return run_source(original_eval, false, module, args, n, NULL);
}

static PyObject *visible_eval_names(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    return run_source(original_eval, true, module, args, n, names);
}

#define ANY(f) ((PyCFunction)(void (*)(void))(f))

static void replace_builtin(PyObject *builtins, const char *name, int flags, PyCFunction *original,
                            PyCFunction wrapper)
{
    PyObject *found = dict_find(builtins, name);
    if (found == NULL || !PyCFunction_CheckExact(found))
        return;
    PyMethodDef *def = ((PyCFunctionObject *)found)->m_ml;
    if (def->ml_flags != flags || def->ml_meth == wrapper)
        return;
    *original = def->ml_meth;
    def->ml_meth = wrapper;
}

/* -- attributes of frames and code ----------------------------------------------------------------------------- */

static getter original_f_locals, original_varnames;

static PyObject *visible_f_locals(PyObject *frame, void *closure)
{
    PyObject *found = original_f_locals(frame, closure);
#if PY_VERSION_HEX < 0x030D0000
    if (PyThreadState_Get()->tracing > 0)
        return found;
#endif
    leave_out(found);
    return found;
}

static PyObject *visible_varnames(PyObject *code, void *closure)
{
    PyObject *all = original_varnames(code, closure);
    if (all == NULL || func_of_code(code) == NULL)
        return all;
    PyObject *list = PySequence_List(all);
    if (list == NULL)
        return all;
    leave_out_of_list(list);
    Py_SETREF(all, PyList_AsTuple(list));
    Py_DECREF(list);
    return all;
}

static void replace_getter(PyTypeObject *type, const char *name, getter *original, getter wrapper)
{
    PyObject *dict = compat_type_dict(type);
    PyObject *found = dict == NULL ? NULL : dict_find(dict, name);
    if (found != NULL && Py_IS_TYPE(found, &PyGetSetDescr_Type)) {
        PyGetSetDef *def = ((PyGetSetDescrObject *)found)->d_getset;
        if (def->get != wrapper) {
            *original = def->get;
            def->get = wrapper;
        }
    }
    Py_XDECREF(dict);
}

/* -- from 3.13 on frame.f_locals is a view ---------------------------------------------------------------------- */

#if PY_VERSION_HEX >= 0x030D0000
static PyCFunction original_keys, original_values, original_items, original_copy, original_reversed;

static PyObject *view_keys(PyObject *view, PyObject *unused)
{
    PyObject *found = original_keys(view, NULL);
    leave_out_of_list(found);
    return found;
}

static PyObject *view_values(PyObject *view, PyObject *unused)
{
    PyObject *found = original_values(view, NULL);
    for (Py_ssize_t i = 0; found != NULL && PyList_CheckExact(found) && i < PyList_GET_SIZE(found); i++) {
        if (Py_IS_TYPE(PyList_GET_ITEM(found, i), &Handle_Type)) {
            PyList_SetSlice(found, i, i + 1, NULL);
            break;
        }
    }
    return found;
}

static PyObject *view_items(PyObject *view, PyObject *unused)
{
    PyObject *found = original_items(view, NULL);
    for (Py_ssize_t i = 0; found != NULL && PyList_CheckExact(found) && i < PyList_GET_SIZE(found); i++) {
        PyObject *pair = PyList_GET_ITEM(found, i);
        if (PyTuple_CheckExact(pair) && PyTuple_GET_SIZE(pair) == 2 &&
            Py_IS_TYPE(PyTuple_GET_ITEM(pair, 1), &Handle_Type)) {
            PyList_SetSlice(found, i, i + 1, NULL);
            break;
        }
    }
    return found;
}

static PyObject *view_copy(PyObject *view, PyObject *unused)
{
    PyObject *found = original_copy(view, NULL);
    leave_out(found);
    return found;
}

static PyObject *view_iter(PyObject *view)
{
    PyObject *keys = view_keys(view, NULL);
    PyObject *iterator = keys == NULL ? NULL : PyObject_GetIter(keys);
    Py_XDECREF(keys);
    return iterator;
}

static PyObject *view_reversed(PyObject *view, PyObject *unused)
{
    PyObject *keys = view_keys(view, NULL);
    if (keys != NULL && PyList_Reverse(keys) < 0)
        Py_CLEAR(keys);
    return keys;
}

static PyObject *view_repr(PyObject *view)
{
    int entered = Py_ReprEnter(view);
    if (entered != 0)
        return entered > 0 ? PyUnicode_FromString("{...}") : NULL;
    PyObject *copy = view_copy(view, NULL);
    PyObject *text = copy == NULL ? NULL : PyObject_Repr(copy);
    Py_XDECREF(copy);
    Py_ReprLeave(view);
    return text;
}

static Py_ssize_t view_length(PyObject *view)
{
    PyObject *keys = view_keys(view, NULL);
    Py_ssize_t size = keys == NULL ? -1 : PyList_GET_SIZE(keys);
    Py_XDECREF(keys);
    return size;
}

static bool is_hidden(PyObject *name)
{
    return PyUnicode_CheckExact(name) && PyUnicode_Compare(name, hidden) == 0;
}

static objobjproc original_contains;
static binaryfunc original_subscript;
static PyCFunction original_get;

static int view_contains(PyObject *view, PyObject *name)
{
    return is_hidden(name) ? 0 : original_contains(view, name);
}

static PyObject *view_subscript(PyObject *view, PyObject *name)
{
    if (!is_hidden(name))
        return original_subscript(view, name);
    PyErr_Format(PyExc_KeyError, "local variable '%R' is not defined", name);
    return NULL;
}

static PyObject *view_get(PyObject *view, PyObject *const *args, Py_ssize_t n)
{
    if (n > 0 && n < 3 && is_hidden(args[0]))
        return Py_NewRef(n == 2 ? args[1] : Py_None);
    return ((fast_function)(void (*)(void))original_get)(view, args, n);
}

static void replace_look_up(PyTypeObject *type)
{
    for (PyMethodDef *def = type->tp_methods; def != NULL && def->ml_name != NULL; def++) {
        if (strcmp(def->ml_name, "get") == 0 && def->ml_flags == METH_FASTCALL && original_get == NULL) {
            original_get = def->ml_meth;
            def->ml_meth = ANY(view_get);
        }
    }
    if (original_subscript != NULL || type->tp_as_sequence == NULL || type->tp_as_mapping == NULL)
        return;
    original_contains = type->tp_as_sequence->sq_contains;
    original_subscript = type->tp_as_mapping->mp_subscript;
    if (original_contains != NULL)
        type->tp_as_sequence->sq_contains = view_contains;
    if (original_subscript != NULL)
        type->tp_as_mapping->mp_subscript = view_subscript;
}

static void replace_method(PyTypeObject *type, const char *name, PyCFunction *original, PyCFunction wrapper)
{
    for (PyMethodDef *def = type->tp_methods; def != NULL && def->ml_name != NULL; def++) {
        if (strcmp(def->ml_name, name) == 0 && def->ml_flags == METH_NOARGS && def->ml_meth != wrapper) {
            *original = def->ml_meth;
            def->ml_meth = wrapper;
        }
    }
}

static void replace_view(PyTypeObject *type)
{
    replace_method(type, "keys", &original_keys, view_keys);
    replace_method(type, "values", &original_values, view_values);
    replace_method(type, "items", &original_items, view_items);
    replace_method(type, "copy", &original_copy, view_copy);
    replace_method(type, "__reversed__", &original_reversed, view_reversed);
    if (original_keys == NULL || original_copy == NULL || type->tp_as_mapping == NULL)
        return; /* not the view that is known here */
    replace_look_up(type);
    type->tp_as_mapping->mp_length = view_length;
    type->tp_iter = view_iter;
    type->tp_repr = view_repr;
}
#endif

/* -- profile functions ------------------------------------------------------------------------------------------- */

/* Profile functions are called for every C call, including hooks; those installed by sys.setprofile don't get the hooks. */

static PyCFunction original_setprofile;
static Py_tracefunc original_profile; /* how a function of Python's is told */

static int profile(PyObject *function, PyFrameObject *frame, int what, PyObject *arg)
{
    bool of_c = what == PyTrace_C_CALL || what == PyTrace_C_RETURN || what == PyTrace_C_EXCEPTION;
    if (of_c && PyCFunction_Check(arg)) {
        PyObject *self = PyCFunction_GET_SELF(arg);
        if (self != NULL && (Py_IS_TYPE(self, &Site_Type) || Py_IS_TYPE(self, &Func_Type)))
            return 0;
    }
    return original_profile(function, frame, what, arg);
}

static PyObject *setprofile(PyObject *module, PyObject *function)
{
    PyObject *result = original_setprofile(module, function);
    PyThreadState *ts = PyThreadState_Get();
    if (result != NULL && function != Py_None && ts->c_profilefunc != NULL && ts->c_profileobj == function) {
        original_profile = ts->c_profilefunc;
        ts->c_profilefunc = profile;
    }
    return result;
}

static void replace_setprofile(void)
{
    PyObject *found = PySys_GetObject("setprofile"); /* borrowed */
    if (found == NULL || !PyCFunction_CheckExact(found))
        return;
    PyMethodDef *def = ((PyCFunctionObject *)found)->m_ml;
    if (def->ml_flags != METH_O || def->ml_meth == setprofile)
        return;
    original_setprofile = def->ml_meth;
    def->ml_meth = setprofile;
}

int hide_handle_install(void)
{
    PyObject *builtins = PyEval_GetBuiltins();
    replace_setprofile();
    hidden = PyUnicode_InternFromString(".h");
    if (hidden == NULL)
        return -1;
    replace_builtin(builtins, "locals", METH_NOARGS, &original_locals, visible_locals_call);
    replace_builtin(builtins, "vars", METH_VARARGS, &original_vars, visible_vars);
    replace_builtin(builtins, "vars", METH_FASTCALL, &original_vars, ANY(visible_vars_fast));
    replace_builtin(builtins, "dir", METH_VARARGS, &original_dir, visible_dir);
    replace_builtin(builtins, "dir", METH_FASTCALL, &original_dir, ANY(visible_dir_fast));
    replace_builtin(builtins, "exec", METH_FASTCALL | METH_KEYWORDS, &original_exec, ANY(visible_exec));
    replace_builtin(builtins, "eval", METH_FASTCALL, &original_eval, ANY(visible_eval));
    replace_builtin(builtins, "eval", METH_FASTCALL | METH_KEYWORDS, &original_eval, ANY(visible_eval_names));
    replace_getter(&PyFrame_Type, "f_locals", &original_f_locals, visible_f_locals);
    replace_getter(&PyCode_Type, "co_varnames", &original_varnames, visible_varnames);
#if PY_VERSION_HEX >= 0x030D0000
    replace_view(&PyFrameLocalsProxy_Type);
#endif
    return PyErr_Occurred() ? -1 : 0;
}
