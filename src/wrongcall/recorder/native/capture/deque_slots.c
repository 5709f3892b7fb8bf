/* Changes to a deque that are not made by its methods: `d[i] = v`, `del d[i]`, `d += x`, `d *= n`, `d.__init__(x)`.

   A deque has no interface for other C code, so these and its methods (mutators.c) are all the ways to
   change one. Here a deque is only marked: it is compared item by item the next time. One that is not marked needs no
   comparing. Special methods that are called by name (`d.__setitem__(i, v)`) go through wrapper objects, which have a
   pointer of their own to the function. */
#include "base/compat.h"
#include "capture/deque_slots.h"
#include "base/lookup.h"
#include "emit/events.h"
#include "recorder.h"
#include "shadow/identity.h"
#include "shadow/nodes.h"

void deque_touched(PyObject *o)
{
    Node *node = recorder.recording ? node_find(o) : NULL;
    if (node != NULL && node->layout == LAYOUT_DEQUE)
        node->is_current = false;
}

/* They stay after a recording: classes that were made during it have inherited the stand-ins. */
static ssizeobjargproc store_original;
static binaryfunc concat_original;
static ssizeargfunc repeat_original;
static initproc init_original;
static bool installed;

/* Marked before and after: code of the program may run, and compare the deque, in between. */
static int store(PyObject *o, Py_ssize_t index, PyObject *v)
{
    deque_touched(o);
    int result = store_original(o, index, v);
    deque_touched(o);
    return result;
}

static PyObject *concat(PyObject *o, PyObject *other)
{
    deque_touched(o);
    PyObject *result = concat_original(o, other);
    deque_touched(o);
    return result;
}

static PyObject *repeat(PyObject *o, Py_ssize_t n)
{
    deque_touched(o);
    PyObject *result = repeat_original(o, n);
    deque_touched(o);
    return result;
}

static int init(PyObject *o, PyObject *args, PyObject *names)
{
    deque_touched(o);
    int result = init_original(o, args, names);
    deque_touched(o);
    return result;
}

static bool replace_wrapper(PyObject *dict, const char *name, void *original, void *now)
{
    PyObject *found = dict_find(dict, name);
    if (found == NULL || !Py_IS_TYPE(found, &PyWrapperDescr_Type) ||
        ((PyWrapperDescrObject *)found)->d_wrapped != original)
        return false;
    ((PyWrapperDescrObject *)found)->d_wrapped = now;
    return true;
}

static bool replace_wrappers(PyTypeObject *type, bool back)
{
    const struct {
        const char *name;
        void *original, *now;
    } wrappers[] = {
        {"__setitem__", (void *)store_original, (void *)store},
        {"__delitem__", (void *)store_original, (void *)store},
        {"__iadd__", (void *)concat_original, (void *)concat},
        {"__imul__", (void *)repeat_original, (void *)repeat},
        {"__init__", (void *)init_original, (void *)init},
    };
    PyObject *dict = compat_type_dict(type);
    bool all = dict != NULL;
    for (size_t i = 0; dict != NULL && i < Py_ARRAY_LENGTH(wrappers); i++) {
        void *from = back ? wrappers[i].now : wrappers[i].original;
        void *to = back ? wrappers[i].original : wrappers[i].now;
        all &= replace_wrapper(dict, wrappers[i].name, from, to);
    }
    Py_XDECREF(dict);
    return all;
}

bool deque_slots_install(void)
{
    PyTypeObject *type = recorder.types.deque;
    PySequenceMethods *methods = type->tp_as_sequence;
    if (!COMPAT_LAYOUTS_KNOWN || methods == NULL || methods->sq_ass_item == NULL ||
        methods->sq_inplace_concat == NULL || methods->sq_inplace_repeat == NULL || type->tp_init == NULL ||
        (type->tp_as_mapping != NULL && type->tp_as_mapping->mp_ass_subscript != NULL))
        return false;
    store_original = methods->sq_ass_item;
    concat_original = methods->sq_inplace_concat;
    repeat_original = methods->sq_inplace_repeat;
    init_original = type->tp_init;
    methods->sq_ass_item = store;
    methods->sq_inplace_concat = concat;
    methods->sq_inplace_repeat = repeat;
    type->tp_init = init;
    installed = true;
    return replace_wrappers(type, false);
}

void deque_slots_remove(void)
{
    PyTypeObject *type = recorder.types.deque;
    if (!installed)
        return;
    replace_wrappers(type, true);
    type->tp_as_sequence->sq_ass_item = store_original;
    type->tp_as_sequence->sq_inplace_concat = concat_original;
    type->tp_as_sequence->sq_inplace_repeat = repeat_original;
    type->tp_init = init_original;
    installed = false;
}
