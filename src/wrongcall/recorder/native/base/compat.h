/* Everything that differs between CPython versions and is not hidden behind instance.c.

   Only public structs and functions are used here; instance.c is the one file that includes
   CPython's internal headers (for the attribute values that instances keep inline). */
#ifndef WRONGCALL_COMPAT_H
#define WRONGCALL_COMPAT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <structmember.h>

#if PY_VERSION_HEX < 0x030B0000
#error "wrongcall records CPython 3.11 and newer"
#endif
#ifdef Py_GIL_DISABLED
#error "wrongcall cannot record free-threaded CPython: events are ordered by the GIL"
#endif

/* Private layouts are known up to 3.15. On later versions, what they tell is not read at all, or read more slowly. */
#define COMPAT_LAYOUTS_KNOWN (PY_VERSION_HEX < 0x03100000)

/* How far before the object its allocation begins. */
static inline size_t compat_prefix(PyTypeObject *type)
{
    size_t size = PyType_IS_GC(type) ? 2 * sizeof(void *) : 0;
#if PY_VERSION_HEX >= 0x030C0000
    if (type->tp_flags & (Py_TPFLAGS_MANAGED_DICT | Py_TPFLAGS_MANAGED_WEAKREF))
        size += 2 * sizeof(void *);
#else
    if (type->tp_flags & Py_TPFLAGS_MANAGED_DICT)
        size += 2 * sizeof(void *);
#endif
    return size;
}

/* An exact int that fits into one digit: its value in *out, and 1. */
static inline int compat_small_int(PyObject *v, int64_t *out)
{
#if PY_VERSION_HEX >= 0x030C0000
    if (!PyUnstable_Long_IsCompact((PyLongObject *)v))
        return 0;
    *out = PyUnstable_Long_CompactValue((PyLongObject *)v);
    return 1;
#else
    Py_ssize_t size = Py_SIZE(v);
    if (size < -1 || size > 1)
        return 0;
    *out = size == 0 ? 0 : (int64_t)size * (int64_t)((PyLongObject *)v)->ob_digit[0];
    return 1;
#endif
}

/* A type's own namespace; a new reference or NULL without an error. */
static inline PyObject *compat_type_dict(PyTypeObject *type)
{
#if PY_VERSION_HEX >= 0x030C0000
    PyObject *dict = PyType_GetDict(type);
    if (dict == NULL)
        PyErr_Clear();
    return dict;
#else
    return Py_XNewRef(type->tp_dict);
#endif
}

/* What a class has under a name, through its bases; borrowed or NULL, without an error and without running code. */
static inline PyObject *compat_type_lookup(PyTypeObject *type, PyObject *name)
{
    return _PyType_Lookup(type, name);
}

/* An object that was kept in a free list of ours is a new one, with one reference. */
static inline void compat_new_again(PyObject *o)
{
    _Py_NewReference(o);
}

/* Whether a memoryview has been released. */
static inline bool compat_view_is_released(PyObject *view)
{
    PyMemoryViewObject *self = (PyMemoryViewObject *)view;
    return (self->flags & _Py_MEMORYVIEW_RELEASED) || (self->mbuf->flags & _Py_MANAGED_BUFFER_RELEASED);
}

typedef _PyUnicodeWriter CompatUnicodeWriter; /* a part of StringIO */

/* Frames of code without a RESUME instruction show nowhere, and calls from them are made without a C frame:
   checked up to 3.15. (trampoline.c, trampoline.py) */
#define COMPAT_TRAMPOLINES COMPAT_LAYOUTS_KNOWN

/* Such a frame must not cost the program any depth of recursion: +1 while it calls, then -1. */
static inline void compat_add_recursion(PyThreadState *ts, int levels)
{
#if PY_VERSION_HEX >= 0x030C0000
    ts->py_recursion_remaining += levels;
#else
    ts->recursion_remaining += levels;
#endif
}

/* The runner's frames and calls below the program must not cost it any depth of recursion: three
   Python frames, and before 3.12 a call of C counts as well. */
static inline void compat_refund_recursion(PyThreadState *ts)
{
#if PY_VERSION_HEX >= 0x030C0000
    compat_add_recursion(ts, 3);
#else
    compat_add_recursion(ts, 4);
#endif
}

/* The recursion limit in a thread's state. */
typedef struct {
    int limit, remaining, c_remaining;
} CompatLimits;

static inline CompatLimits compat_limits(PyThreadState *ts)
{
#if PY_VERSION_HEX >= 0x030E0000
    return (CompatLimits){ts->py_recursion_limit, ts->py_recursion_remaining, 0};
#elif PY_VERSION_HEX >= 0x030C0000
    return (CompatLimits){ts->py_recursion_limit, ts->py_recursion_remaining, ts->c_recursion_remaining};
#else
    return (CompatLimits){ts->recursion_limit, ts->recursion_remaining, 0};
#endif
}

static inline void compat_restore_limits(PyThreadState *ts, CompatLimits limits)
{
#if PY_VERSION_HEX >= 0x030E0000
    ts->py_recursion_limit = limits.limit;
    ts->py_recursion_remaining = limits.remaining;
#elif PY_VERSION_HEX >= 0x030C0000
    ts->py_recursion_limit = limits.limit;
    ts->py_recursion_remaining = limits.remaining;
    ts->c_recursion_remaining = limits.c_remaining;
#else
    ts->recursion_limit = limits.limit;
    ts->recursion_remaining = limits.remaining;
#endif
}

#define COMPAT_DEEPEST 10000000
#define COMPAT_C_FRAME 1500 /* bytes of stack that a level of the compiler takes at most */

/* Let a thread go as deep as memory, and a C stack of this size (0: the thread's own), allow. */
static inline void compat_lift_limits(PyThreadState *ts, size_t stack)
{
    CompatLimits lifted = compat_limits(ts);
    lifted.remaining += COMPAT_DEEPEST;
    lifted.limit += COMPAT_DEEPEST;
    if (stack / COMPAT_C_FRAME > (size_t)lifted.c_remaining)
        lifted.c_remaining = (int)(stack / COMPAT_C_FRAME);
    compat_restore_limits(ts, lifted);
}

/* Before 3.12 the compiler goes by the limit that sys.setrecursionlimit sets. Nothing else runs while it is
   lifted. */
static inline int compat_lift_compiler(void)
{
    int limit = Py_GetRecursionLimit();
#if PY_VERSION_HEX < 0x030C0000
    Py_SetRecursionLimit(COMPAT_DEEPEST);
#endif
    return limit;
}

static inline void compat_restore_compiler(int limit)
{
#if PY_VERSION_HEX < 0x030C0000
    Py_SetRecursionLimit(limit);
#endif
}

/* Whether the interpreter is shutting down: then no other thread runs any more. */
static inline bool compat_finalizing(void)
{
#if PY_VERSION_HEX >= 0x030D0000
    return Py_IsFinalizing();
#else
    return _Py_IsFinalizing();
#endif
}

/* Run the program without the runner's frames below it. */
static inline void *compat_hide_frames(PyThreadState *ts)
{
#if PY_VERSION_HEX >= 0x030F0000
    void *frame = ts->current_frame;
    ts->current_frame = ts->base_frame; /* where every stack begins */
#elif PY_VERSION_HEX >= 0x030D0000
    void *frame = ts->current_frame;
    ts->current_frame = NULL;
#else
    void *frame = ts->cframe->current_frame;
    ts->cframe->current_frame = NULL;
#endif
    return frame;
}

static inline void compat_show_frames(PyThreadState *ts, void *frame)
{
#if PY_VERSION_HEX >= 0x030D0000
    ts->current_frame = frame;
#else
    ts->cframe->current_frame = frame;
#endif
}

/* The code of a generator, coroutine or async generator; a new reference or NULL. */
static inline PyObject *compat_generator_code(PyObject *generator)
{
    PyObject *code = PyObject_GetAttrString(generator, PyGen_CheckExact(generator)    ? "gi_code"
                                                       : PyCoro_CheckExact(generator) ? "cr_code"
                                                                                      : "ag_code");
    if (code == NULL)
        PyErr_Clear();
    return code;
}

/* What extensions keep with code objects. compat_set_code_extra takes the reference over if it succeeds. */
#if PY_VERSION_HEX >= 0x030C0000
#define compat_code_extra_index PyUnstable_Eval_RequestCodeExtraIndex
#define compat_code_extra PyUnstable_Code_GetExtra
#define compat_set_code_extra PyUnstable_Code_SetExtra
#else
#define compat_code_extra_index _PyEval_RequestCodeExtraIndex
#define compat_code_extra _PyCode_GetExtra
#define compat_set_code_extra _PyCode_SetExtra
#endif

/* What a weak reference refers to: a new reference, or NULL without an error. */
static inline PyObject *compat_weakly_referred(PyObject *reference)
{
#if PY_VERSION_HEX >= 0x030D0000
    PyObject *found;
    if (PyWeakref_GetRef(reference, &found) < 0)
        PyErr_Clear();
    return found;
#else
    PyObject *found = PyWeakref_GET_OBJECT(reference);
    return found == Py_None ? NULL : Py_NewRef(found);
#endif
}

/* Dicts, and from 3.15 on frozendicts, which are laid out in the same way. */
static inline bool compat_is_dict_type(PyTypeObject *type)
{
#if PY_VERSION_HEX >= 0x030F0000
    if (PyType_IsSubtype(type, &PyFrozenDict_Type))
        return true;
#endif
    return (type->tp_flags & Py_TPFLAGS_DICT_SUBCLASS) != 0;
}

static inline bool compat_is_dict(PyObject *o)
{
#if PY_VERSION_HEX >= 0x030F0000
    return PyAnyDict_Check(o);
#else
    return PyDict_Check(o);
#endif
}

/* Before 3.12, every change gives a dict a version that no dict has had. (From 3.12 on, dicts can be watched.)
   The number says nothing about the order of an OrderedDict, nor about values that an instance shares. 0: not known. */
#define COMPAT_DICT_VERSIONS (PY_VERSION_HEX < 0x030C0000)
static inline uint64_t compat_dict_version(PyObject *o)
{
#if COMPAT_DICT_VERSIONS
    PyDictObject *dict = (PyDictObject *)o;
    return PyODict_Check(o) || dict->ma_values != NULL ? 0 : dict->ma_version_tag;
#else
    return 0;
#endif
}

/* Is this what `lazy import` binds until the name is used? */
#if PY_VERSION_HEX >= 0x030F0000
PyAPI_DATA(PyTypeObject) PyLazyImport_Type;
static inline bool compat_is_lazy_import(PyObject *o)
{
    return Py_IS_TYPE(o, &PyLazyImport_Type);
}
#endif

/* Types of the interpreter that keep free lists, beside list, dict and tuple. */
#define COMPAT_TYPE_context PyContext_Type
#define COMPAT_TYPE_slice PySlice_Type
#define COMPAT_TYPE_range PyRange_Type
#define COMPAT_TYPE_range_iterator PyRangeIter_Type
#define COMPAT_TYPE_list_iterator PyListIter_Type
#define COMPAT_TYPE_tuple_iterator PyTupleIter_Type
#define COMPAT_TYPE_method PyMethod_Type
#define COMPAT_TYPE_builtin_function PyCFunction_Type
#define COMPAT_TYPE_builtin_method PyCMethod_Type
#if PY_VERSION_HEX >= 0x030E0000
#define COMPAT_FREE_LISTS(each)                                                                              \
    each(context) each(slice) each(range) each(range_iterator) each(list_iterator) each(tuple_iterator)      \
        each(method) each(builtin_function) each(builtin_method)
#else
#define COMPAT_FREE_LISTS(each) each(context) each(slice)
#endif

/* A deallocator that stands in for another one must keep the trashcan: the original checks that it
   is the type's own deallocator and would otherwise recurse. From 3.14 on the interpreter does it. */
#if PY_VERSION_HEX >= 0x030E0000
#define COMPAT_TRASHCAN_BEGIN(op, dealloc)
#define COMPAT_TRASHCAN_END
#else
#define COMPAT_TRASHCAN_BEGIN(op, dealloc) Py_TRASHCAN_BEGIN(op, dealloc)
#define COMPAT_TRASHCAN_END Py_TRASHCAN_END
#endif

#endif
