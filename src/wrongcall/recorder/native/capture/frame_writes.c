/* From 3.13 on `frame.f_locals` is a view that writes to the variables of the running function.

   Its stores are done by our C function, which tells the variable. No site of the function stands for such a
   write, whose code may be anywhere; so one is made when it happens: for this variable, at the line that the
   function has reached, in no block. Variables of the functions around are left out: the view does not tell
   whose they are. */
#include "base/compat.h"
#include "capture/frame_writes.h"
#include "base/allocate.h"
#include "base/lookup.h"
#include "capture/activation.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "emit/events.h"
#include "load/own_thread.h"
#include "recorder.h"
#include "shadow/encode.h"
#include <string.h>

#if PY_VERSION_HEX >= 0x030D0000

static PyObject *made_sites; /* owned: dict, (function, name, line) -> site */
static PyObject *make_site;  /* owned: sites.late_site */
static objobjargproc original_store;
static binaryfunc original_subscript;
static PyObject *hidden; /* owned: the name, as in nodes.py */

/* The view, as CPython has it: its header does not come with the interpreter. */
typedef struct {
    PyObject_HEAD
    PyFrameObject *frame; /* owned */
} View;

static bool has_name(PyObject *names, PyObject *name) /* names: a new reference, or NULL with an error */
{
    bool found = false;
    for (Py_ssize_t i = 0; names != NULL && !found && i < PyTuple_GET_SIZE(names); i++)
        found = PyUnicode_Compare(PyTuple_GET_ITEM(names, i), name) == 0;
    Py_XDECREF(names);
    return found;
}

/* Is this a variable of the function itself? */
static bool is_own(PyCodeObject *code, PyObject *name)
{
    bool found = has_name(PyCode_GetVarnames(code), name) || has_name(PyCode_GetCellvars(code), name);
    drop_error();
    return found;
}

/* The site for a variable of a function at a line; 0: it could not be made. */
static uint32_t site_for(Func *func, PyObject *name, int line)
{
    PyObject *key = Py_BuildValue("IOi", func->id, name, line);
    PyObject *site = key == NULL ? NULL : Py_XNewRef(PyDict_GetItemWithError(made_sites, key));
    if (site == NULL && key != NULL && !PyErr_Occurred()) {
        PyObject *args[2] = {make_site, key};
        site = apart(NULL, args, 2);
        if (site != NULL && PyDict_SetItem(made_sites, key, site) < 0)
            Py_CLEAR(site);
    }
    uint32_t number = site == NULL ? 0 : (uint32_t)PyLong_AsUnsignedLong(site);
    Py_XDECREF(site);
    Py_XDECREF(key);
    drop_error();
    return number;
}

static void tell(PyFrameObject *frame, PyObject *view, PyObject *name)
{
    PyObject *handle = original_subscript(view, hidden);
    PyObject *value = handle == NULL ? NULL : original_subscript(view, name);
    if (value != NULL && Py_IS_TYPE(handle, &Handle_Type) && !(((Handle *)handle)->flags & ACT_EXITED)) {
        Handle *h = (Handle *)handle;
        uint32_t site = site_for(h->func, name, PyFrame_GetLineNumber(frame));
        Value encoded = encode(value);
        if (site != 0)
            emit(EV_LOCAL, (Where){site, h->call}, 0, NO_VALUE, encoded);
    }
    Py_XDECREF(value);
    Py_XDECREF(handle);
    drop_error();
}

static void stored(PyObject *view, PyObject *name)
{
    PyFrameObject *frame = ((View *)view)->frame;
    PyCodeObject *code = PyFrame_GetCode(frame);
    if (func_of_code((PyObject *)code) != NULL && is_own(code, name))
        tell(frame, view, name);
    Py_DECREF(code);
}

static int store(PyObject *view, PyObject *name, PyObject *value)
{
    int result = original_store(view, name, value);
    if (result == 0 && recorder.recording && value != NULL && PyUnicode_CheckExact(name))
        stored(view, name);
    return result;
}

/* -- setdefault, update and |= store without the slot ------------------------------------------------------------ */

/* The values of the function's own variables (NULL: not bound), each a new reference; names: a tuple of them, or
   NULL if the frame is none of the program's or there is no memory. */
typedef struct {
    PyObject *names;
    PyObject **values;
} Before;

static PyObject *value_of(PyObject *view, PyObject *name)
{
    PyObject *value = original_subscript(view, name);
    if (value == NULL)
        drop_error();
    return value;
}

static Before before_it(PyObject *view)
{
    Before before = {NULL, NULL};
    PyCodeObject *code = PyFrame_GetCode(((View *)view)->frame);
    if (recorder.recording && func_of_code((PyObject *)code) != NULL) {
        PyObject *own = PyCode_GetVarnames(code), *shared = PyCode_GetCellvars(code);
        before.names = own == NULL || shared == NULL ? NULL : PySequence_Concat(own, shared);
        Py_XDECREF(own);
        Py_XDECREF(shared);
        drop_error();
    }
    Py_DECREF(code);
    Py_ssize_t n = before.names == NULL ? 0 : PyTuple_GET_SIZE(before.names);
    before.values = n == 0 ? NULL : PyMem_Calloc((size_t)n, sizeof *before.values);
    for (Py_ssize_t i = 0; before.values != NULL && i < n; i++)
        before.values[i] = value_of(view, PyTuple_GET_ITEM(before.names, i));
    return before;
}

/* Records what has changed. Keeps an error that is set. */
static void after_it(PyObject *view, Before before)
{
    PyObject *error = PyErr_GetRaisedException();
    Py_ssize_t n = before.values == NULL ? 0 : PyTuple_GET_SIZE(before.names);
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *name = PyTuple_GET_ITEM(before.names, i), *now = value_of(view, name);
        if (now != NULL && now != before.values[i] && recorder.recording)
            stored(view, name);
        Py_XDECREF(now);
        Py_XDECREF(before.values[i]);
    }
    PyMem_Free(before.values);
    Py_XDECREF(before.names);
    PyErr_SetRaisedException(error);
}

typedef PyObject *(*fast_function)(PyObject *, PyObject *const *, Py_ssize_t);
static PyCFunction original_setdefault, original_update;
static binaryfunc original_or;

static PyObject *setdefault(PyObject *view, PyObject *const *args, Py_ssize_t n)
{
    Before before = before_it(view);
    PyObject *result = ((fast_function)(void (*)(void))original_setdefault)(view, args, n);
    after_it(view, before);
    return result;
}

static PyObject *update(PyObject *view, PyObject *other)
{
    Before before = before_it(view);
    PyObject *result = original_update(view, other);
    after_it(view, before);
    return result;
}

static PyObject *inplace_or(PyObject *view, PyObject *other)
{
    Before before = before_it(view);
    PyObject *result = original_or(view, other);
    after_it(view, before);
    return result;
}

static void replace_method(PyTypeObject *type, const char *name, int flags, PyCFunction *original,
                           PyCFunction ours)
{
    for (PyMethodDef *def = type->tp_methods; def != NULL && def->ml_name != NULL; def++) {
        if (strcmp(def->ml_name, name) == 0 && def->ml_flags == flags) {
            *original = def->ml_meth;
            def->ml_meth = ours;
        }
    }
}

static void replace_slot(PyObject *dict, const char *name, void *ours)
{
    PyObject *method = dict == NULL ? NULL : dict_find(dict, name);
    if (method != NULL && Py_IS_TYPE(method, &PyWrapperDescr_Type))
        ((PyWrapperDescrObject *)method)->d_wrapped = ours;
}

/* Before the look-ups of the view are replaced by those of hide_handle.c. */
int frame_writes_install(void)
{
    PyTypeObject *type = &PyFrameLocalsProxy_Type;
    if (original_store != NULL || type->tp_as_mapping == NULL || make_site == NULL ||
        type->tp_basicsize != sizeof(View))
        return 0;
    made_sites = PyDict_New();
    hidden = PyUnicode_InternFromString(".h");
    if (made_sites == NULL || hidden == NULL)
        return -1;
    original_subscript = type->tp_as_mapping->mp_subscript;
    original_store = type->tp_as_mapping->mp_ass_subscript;
    if (original_store == NULL || original_subscript == NULL)
        return 0;
    type->tp_as_mapping->mp_ass_subscript = store;
    replace_method(type, "setdefault", METH_FASTCALL, &original_setdefault,
                   (PyCFunction)(void (*)(void))setdefault);
    replace_method(type, "update", METH_O, &original_update, update);
    PyObject *dict = compat_type_dict(type);
    replace_slot(dict, "__setitem__", (void *)store);
    if (type->tp_as_number != NULL && type->tp_as_number->nb_inplace_or != NULL) {
        original_or = type->tp_as_number->nb_inplace_or;
        type->tp_as_number->nb_inplace_or = inplace_or;
        replace_slot(dict, "__ior__", (void *)inplace_or);
    }
    Py_XDECREF(dict);
    return 0;
}

PyObject *late_sites(PyObject *module, PyObject *function)
{
    Py_XSETREF(make_site, Py_NewRef(function));
    Py_RETURN_NONE;
}

#else

int frame_writes_install(void)
{
    return 0;
}

PyObject *late_sites(PyObject *module, PyObject *function)
{
    Py_RETURN_NONE;
}

#endif
