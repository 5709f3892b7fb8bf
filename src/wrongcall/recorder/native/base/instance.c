/* Attribute values of instances, read where they lie.

   Asking an instance for its __dict__ would create the dictionary and so slow the program down and
   change its memory. CPython keeps the values of most instances in an array beside shared keys; the
   layout is private and differs between versions, so it is known in this one file. On versions it does not
   know it falls back to the __dict__ object, which is public, correct and slower. */
#define Py_BUILD_CORE 1
#include "base/compat.h"
#include "base/instance.h"
#include <opcode.h>

#if COMPAT_LAYOUTS_KNOWN
#define INLINE_VALUES_KNOWN 1
#include "internal/pycore_dict.h"
#include "internal/pycore_frame.h"
#include "internal/pycore_object.h"
#endif
#if COMPAT_LAYOUTS_KNOWN && PY_VERSION_HEX >= 0x030E0000
#include "internal/pycore_interpframe_structs.h"
#endif
#if COMPAT_LAYOUTS_KNOWN && PY_VERSION_HEX >= 0x030F0000
#include "internal/pycore_instruments.h"
#endif
#if COMPAT_LAYOUTS_KNOWN
#include "internal/pycore_pystate.h"
#else
PyAPI_FUNC(const PyConfig *) _Py_GetConfig(void);
#endif

#ifdef INLINE_VALUES_KNOWN
/* The inline values of o, or NULL if its attributes are in a dictionary (then *dict, borrowed). */
static PyDictValues *inline_values(PyObject *o, PyObject **dict)
{
    *dict = NULL;
#if PY_VERSION_HEX >= 0x030D0000
    if (Py_TYPE(o)->tp_flags & Py_TPFLAGS_INLINE_VALUES) {
        PyDictValues *values = _PyObject_InlineValues(o);
        if (values->valid)
            return values;
    }
    *dict = (PyObject *)_PyObject_GetManagedDict(o);
    return NULL;
#elif PY_VERSION_HEX >= 0x030C0000
    PyDictOrValues *place = _PyObject_DictOrValuesPointer(o);
    if (_PyDictOrValues_IsValues(*place))
        return _PyDictOrValues_GetValues(*place);
    *dict = _PyDictOrValues_GetDict(*place);
    return NULL;
#else
    PyDictValues *values = *_PyObject_ValuesPointer(o);
    if (values != NULL)
        return values;
    *dict = *_PyObject_ManagedDictPointer(o);
    return NULL;
#endif
}
#endif

/* The dictionary of an instance that has one as an object; borrowed or NULL. */
static PyObject *plain_dict(PyObject *o)
{
    PyTypeObject *type = Py_TYPE(o);
    if (type->tp_flags & Py_TPFLAGS_MANAGED_DICT) {
#ifdef INLINE_VALUES_KNOWN
        return NULL;
#else
        PyObject *dict = PyObject_GenericGetDict(o, NULL);
        if (dict == NULL) {
            PyErr_Clear();
            return NULL;
        }
        Py_DECREF(dict); /* the instance keeps it */
        return dict;
#endif
    }
    if (type->tp_dictoffset == 0)
        return NULL;
    PyObject **place = _PyObject_GetDictPtr(o);
    return place == NULL ? NULL : *place;
}

PyObject *instance_dict(PyObject *o)
{
#ifdef INLINE_VALUES_KNOWN
    if (Py_TYPE(o)->tp_flags & Py_TPFLAGS_MANAGED_DICT) {
#if PY_VERSION_HEX >= 0x030D0000
        return (PyObject *)_PyObject_GetManagedDict(o);
#else
        PyObject *dict;
        inline_values(o, &dict);
        return dict;
#endif
    }
#endif
    return plain_dict(o);
}

/* Goes where the interpreter goes when it looks for a key; keys are not compared, as that could run code of the
   program. */
PyObject *dict_key_by_hash(PyObject *dict, Py_hash_t hash)
{
    PyObject *found = NULL;
#ifdef INLINE_VALUES_KNOWN
    PyDictKeysObject *keys = ((PyDictObject *)dict)->ma_keys;
    if (keys->dk_kind != DICT_KEYS_GENERAL)
        return NULL;
    size_t mask = ((size_t)1 << keys->dk_log2_size) - 1, at = (size_t)hash & mask;
    PyDictKeyEntry *entries = DK_ENTRIES(keys);
    for (size_t rest = (size_t)hash;;) {
        Py_ssize_t index = keys->dk_log2_size < 8    ? ((int8_t *)keys->dk_indices)[at]
                           : keys->dk_log2_size < 16 ? ((int16_t *)keys->dk_indices)[at]
                           : keys->dk_log2_size < 32 ? ((int32_t *)keys->dk_indices)[at]
                                                     : ((int64_t *)keys->dk_indices)[at];
        if (index == DKIX_EMPTY)
            return found;
        if (index >= 0 && entries[index].me_hash == hash && entries[index].me_value != NULL) {
            if (found != NULL)
                return NULL;
            found = entries[index].me_key;
        }
        rest >>= 5;
        at = (at * 5 + rest + 1) & mask;
    }
#endif
    return found;
}

static void visit_dict(PyObject *dict, attr_visitor visit, void *context)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(dict, &at, &key, &value)) {
        if (PyUnicode_CheckExact(key))
            visit(key, value, context);
    }
}

void instance_visit(PyObject *o, attr_visitor visit, void *context)
{
#ifdef INLINE_VALUES_KNOWN
    if (Py_TYPE(o)->tp_flags & Py_TPFLAGS_MANAGED_DICT) {
        PyObject *dict;
        PyDictValues *values = inline_values(o, &dict);
        if (values == NULL) {
            if (dict != NULL)
                visit_dict(dict, visit, context);
            return;
        }
        PyDictKeysObject *keys = ((PyHeapTypeObject *)Py_TYPE(o))->ht_cached_keys;
        PyDictUnicodeEntry *entries = DK_UNICODE_ENTRIES(keys);
        for (Py_ssize_t i = 0; i < keys->dk_nentries; i++) {
            if (values->values[i] != NULL)
                visit(entries[i].me_key, values->values[i], context);
        }
        return;
    }
#endif
    PyObject *dict = plain_dict(o);
    if (dict != NULL)
        visit_dict(dict, visit, context);
}

PyObject *instance_get(PyObject *o, PyObject *name, Py_ssize_t *hint)
{
    PyObject *dict = NULL;
#ifdef INLINE_VALUES_KNOWN
    if (Py_TYPE(o)->tp_flags & Py_TPFLAGS_MANAGED_DICT) {
        PyDictValues *values = inline_values(o, &dict);
        if (values != NULL) {
            PyDictKeysObject *keys = ((PyHeapTypeObject *)Py_TYPE(o))->ht_cached_keys;
            PyDictUnicodeEntry *entries = DK_UNICODE_ENTRIES(keys);
            Py_ssize_t at = *hint;
            if (at >= 0 && at < keys->dk_nentries && entries[at].me_key == name)
                return values->values[at];
            for (at = 0; at < keys->dk_nentries; at++) {
                if (entries[at].me_key == name) {
                    *hint = at;
                    return values->values[at];
                }
            }
            return NULL;
        }
    }
    else
#endif
        dict = plain_dict(o);
    if (dict == NULL)
        return NULL;
    PyObject *value = PyDict_GetItemWithError(dict, name); /* name is an exact, interned string */
    if (value == NULL)
        PyErr_Clear();
    return value;
}

/* Before 3.13 the public functions also copy variables into the namespace, which runs its code. */
PyObject *running_namespace(void)
{
    PyFrameObject *frame = PyThreadState_GetFrame(PyThreadState_Get());
    if (frame == NULL)
        return NULL;
#if PY_VERSION_HEX >= 0x030D0000
    PyObject *namespace = PyFrame_GetLocals(frame);
    Py_XDECREF(namespace); /* the frame keeps it */
    PyErr_Clear();
#else
    PyObject *namespace = frame->f_frame->f_locals;
#endif
    Py_DECREF(frame);
    return namespace != NULL && PyDict_CheckExact(namespace) ? namespace : NULL;
}

/* -- generators ------------------------------------------------------------------------------------------------- */

#if PY_VERSION_HEX < 0x030D0000
#define CREATED -2
#define EXECUTING 0
#elif PY_VERSION_HEX < 0x030E0000
#define CREATED -3
#define EXECUTING 0
#else
#define CREATED FRAME_CREATED
#define EXECUTING FRAME_EXECUTING
#endif

#if COMPAT_LAYOUTS_KNOWN
bool generator_runs(PyObject *generator)
{
    return ((PyGenObject *)generator)->gi_frame_state == EXECUTING;
}

bool generator_is_new(PyObject *generator)
{
    return ((PyGenObject *)generator)->gi_frame_state == CREATED;
}
#else
bool generator_runs(PyObject *generator)
{
    PyObject *running = PyObject_GetAttrString(generator, PyGen_CheckExact(generator)    ? "gi_running"
                                                          : PyCoro_CheckExact(generator) ? "cr_running"
                                                                                         : "ag_running");
    bool runs = running != Py_False;
    Py_XDECREF(running);
    PyErr_Clear();
    return runs;
}

bool generator_is_new(PyObject *generator)
{
    return false;
}
#endif

/* -- exceptions --------------------------------------------------------------------------------------------------- */

bool made_by_except_star(PyObject *traceback)
{
#if PY_VERSION_HEX >= 0x030E0000
    PyTracebackObject *tb = (PyTracebackObject *)traceback;
    if (tb == NULL || !PyTraceBack_Check(traceback) || tb->tb_next != NULL)
        return tb == NULL;
    PyCodeObject *code = PyFrame_GetCode(tb->tb_frame);
    PyObject *instructions = PyCode_GetCode(code);
    bool made = instructions != NULL && tb->tb_lasti < PyBytes_GET_SIZE(instructions) &&
                (unsigned char)PyBytes_AS_STRING(instructions)[tb->tb_lasti] == CHECK_EG_MATCH;
    if (instructions == NULL)
        PyErr_Clear();
    Py_XDECREF(instructions);
    Py_DECREF(code);
    return made;
#else
    return traceback == NULL;
#endif
}

/* -- settings ----------------------------------------------------------------------------------------------------- */

int set_first_path(PyObject *folder)
{
#if PY_VERSION_HEX >= 0x030D0000
    PyConfig *config = (PyConfig *)_Py_GetConfig();
    wchar_t *found = folder == Py_None ? NULL : PyUnicode_AsWideCharString(folder, NULL);
    wchar_t *kept = found == NULL ? NULL : PyMem_RawMalloc((wcslen(found) + 1) * sizeof *found);
    if (folder != Py_None && kept == NULL) {
        PyMem_Free(found);
        return -1;
    }
    PyMem_RawFree(config->sys_path_0);
    config->sys_path_0 = kept == NULL ? NULL : wcscpy(kept, found);
    PyMem_Free(found);
#endif
    return 0;
}

int make_unmonitored(PyObject *code)
{
#if COMPAT_LAYOUTS_KNOWN && PY_VERSION_HEX >= 0x030F0000
    PyCodeObject *hidden = (PyCodeObject *)code;
    if (hidden->_co_monitoring == NULL) {
        hidden->_co_monitoring = PyMem_Calloc(1, sizeof *hidden->_co_monitoring); /* freed with the code */
        if (hidden->_co_monitoring == NULL)
            return -1;
    }
#endif
    return 0;
}
