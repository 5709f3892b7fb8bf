/* The methods by which built-in containers are changed, each wrapped so that the change is an event,
   whoever calls it: a statement, `map(a.append, ...)`, a library, C code that looks the method up.

   A wrapper replaces the function in the method's definition, so nothing about the type changes
   to be seen; only list.append gets a new descriptor, because the interpreter has a shortcut for the original. */
#include "base/compat.h"
#include "base/lookup.h"
#include "capture/mutators.h"
#include "buffers/buffers.h"
#include "capture/activation.h"
#include "capture/deque_slots.h"
#include "capture/element_slots.h"
#include "compare/resync.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "emit/events.h"
#include "known/elements.h"
#include "recorder.h"
#include "shadow/encode.h"
#include "shadow/entries.h"
#include "shadow/first_sight.h"
#include "shadow/nodes.h"
#include "shadow/sequence.h"
#include "shadow/slot.h"
#include "shadow/table.h"
#include <string.h>

/* clang-format off */
enum op {
    OP_ANY, /* compare */
    LIST_APPEND, LIST_POP, LIST_INSERT, LIST_EXTEND, LIST_CLEAR,
    DICT_POP, DICT_POPITEM, DICT_SETDEFAULT, DICT_UPDATE, DICT_CLEAR, DICT_MISSING, DICT_MOVE,
    SET_ADD, SET_REMOVE, SET_POP, SET_CLEAR,
    DEQUE_APPEND, DEQUE_APPENDLEFT, DEQUE_POP, DEQUE_POPLEFT, DEQUE_ROTATE, DEQUE_CLEAR,
    RAW_APPEND, RAW_INSERT, RAW_POP, RAW_CLEAR, /* bytearray, array */
    ELEMENT_APPEND, ELEMENT_SET,
};
/* clang-format on */

/* clang-format off */
#define METHODS(X)                                                                                \
    X(0, list, append, LIST_APPEND) X(1, list, extend, LIST_EXTEND)                               \
    X(2, list, insert, LIST_INSERT) X(3, list, pop, LIST_POP) X(4, list, remove, OP_ANY)          \
    X(5, list, clear, LIST_CLEAR) X(6, list, sort, OP_ANY) X(7, list, reverse, OP_ANY)            \
    X(8, dict, pop, DICT_POP) X(9, dict, popitem, DICT_POPITEM)                                   \
    X(10, dict, setdefault, DICT_SETDEFAULT) X(11, dict, update, DICT_UPDATE)                     \
    X(12, dict, clear, DICT_CLEAR) X(13, set, add, SET_ADD) X(14, set, discard, SET_REMOVE)       \
    X(15, set, remove, SET_REMOVE) X(16, set, pop, SET_POP) X(17, set, clear, SET_CLEAR)          \
    X(18, set, update, OP_ANY) X(19, set, difference_update, OP_ANY)                              \
    X(20, set, intersection_update, OP_ANY) X(21, set, symmetric_difference_update, OP_ANY)       \
    X(22, deque, append, DEQUE_APPEND) X(23, deque, appendleft, DEQUE_APPENDLEFT)                 \
    X(24, deque, pop, DEQUE_POP) X(25, deque, popleft, DEQUE_POPLEFT)                             \
    X(26, deque, extend, OP_ANY) X(27, deque, extendleft, OP_ANY) X(28, deque, remove, OP_ANY)    \
    X(29, deque, rotate, DEQUE_ROTATE) X(30, deque, clear, DEQUE_CLEAR)                           \
    X(31, deque, insert, OP_ANY) X(32, deque, reverse, OP_ANY)                                    \
    X(33, bytearray, append, RAW_APPEND) X(34, bytearray, extend, RAW_APPEND)                     \
    X(35, bytearray, insert, RAW_INSERT) X(36, bytearray, pop, RAW_POP)                           \
    X(37, bytearray, remove, OP_ANY) X(38, bytearray, clear, RAW_CLEAR)                           \
    X(39, bytearray, reverse, OP_ANY) X(40, defaultdict, __missing__, DICT_MISSING)               \
    X(41, odict, pop, OP_ANY) X(42, odict, popitem, DICT_POPITEM)                                 \
    X(43, odict, setdefault, DICT_SETDEFAULT) X(44, odict, update, OP_ANY)                        \
    X(45, odict, clear, DICT_CLEAR) X(46, odict, move_to_end, DICT_MOVE)                             \
    X(47, array, append, RAW_APPEND) X(48, array, extend, RAW_APPEND)                             \
    X(49, array, insert, RAW_INSERT) X(50, array, pop, RAW_POP) X(51, array, remove, OP_ANY)      \
    X(52, array, reverse, OP_ANY) X(53, array, fromlist, RAW_APPEND)                              \
    X(54, array, frombytes, RAW_APPEND) X(55, array, byteswap, OP_ANY)                            \
    X(56, array, fromfile, RAW_APPEND) X(57, array, fromunicode, RAW_APPEND)                      \
    X(58, array, clear, RAW_CLEAR) X(59, element, append, ELEMENT_APPEND)                            \
    X(60, element, insert, OP_ANY) X(61, element, extend, OP_ANY) X(62, element, remove, OP_ANY)  \
    X(63, element, clear, OP_ANY) X(64, element, set, ELEMENT_SET) X(65, element, __setstate__, OP_ANY)
/* clang-format on */

#define METHOD_COUNT 66

typedef PyObject *(*any_function)(void);

typedef struct {
    PyMethodDef *def; /* NULL: not wrapped */
    any_function original;
    enum op op;
    const char *name;
} Patch;

static Patch patches[METHOD_COUNT];

/* -- what a method did ----------------------------------------------------------------------------------------- */

/* The index that a list method was given, as it took it; -1: not a plain int. */
static Py_ssize_t given_index(PyObject *v, size_t length)
{
    int64_t n;
    if (v == NULL || !PyLong_CheckExact(v) || !compat_small_int(v, &n))
        return -1;
    if (n < 0)
        n += (int64_t)length;
    return n<0 ? 0 : n>(int64_t) length ? (Py_ssize_t)length : (Py_ssize_t)n;
}

static bool note_list(enum op op, PyObject *self, SequenceNode *s, PyObject *arg, PyObject *arg2, Where at)
{
    size_t now = (size_t)PyList_GET_SIZE(self), old = s->count;
    Py_ssize_t index;
    switch (op) {
    case LIST_APPEND:
        if (now != old + 1)
            return false;
        sequence_arrived(s, old, PyList_GET_ITEM(self, now - 1), at);
        return true;
    case LIST_EXTEND:
        if (now < old)
            return false;
        while (s->count < now && recorder.recording)
            sequence_arrived(s, s->count, PyList_GET_ITEM(self, s->count), at);
        return true;
    case LIST_POP:
        index = arg == NULL ? (Py_ssize_t)old - 1 : given_index(arg, old);
        if (now + 1 != old || index < 0 || (size_t)index >= old)
            return false;
        sequence_gone(s, (size_t)index, 1, at);
        return true;
    case LIST_INSERT:
        index = given_index(arg, old);
        if (now != old + 1 || index < 0 || PyList_GET_ITEM(self, index) != arg2)
            return false;
        sequence_arrived(s, (size_t)index, arg2, at);
        return true;
    case LIST_CLEAR:
        emit(EV_CLEAR, at, s->head.oid, NO_VALUE, NO_VALUE);
        sequence_clear(s);
        return now == 0;
    default:
        return false;
    }
}

/* d.update(e), e a dict with text keys only: look at these keys. */
static bool note_update(PyObject *self, TableNode *t, PyObject *arg, Where at)
{
    if (arg == NULL || !PyDict_CheckExact(arg) || !PyDict_CheckExact(self) ||
        PyDict_GET_SIZE(arg) * 4 > PyDict_GET_SIZE(self))
        return false;
    PyObject *key, *value;
    Py_ssize_t i = 0;
    while (PyDict_Next(arg, &i, &key, &value)) {
        if (!PyUnicode_CheckExact(key))
            return false;
    }
    i = 0;
    while (PyDict_Next(arg, &i, &key, &value))
        entry_added(t, key, value, EV_ENTRY, at);
    return (size_t)PyDict_GET_SIZE(self) == t->count;
}

/* OrderedDict.move_to_end: to the end it is taken out and put in; to the beginning,
   everything is. */
static bool note_move(PyObject *self, TableNode *t, PyObject *arg, PyObject *last, Where at)
{
    bool safe;
    TableEntry *e = table_find(t, encode_key(arg, &safe));
    if (e == NULL)
        return false;
    if (last == NULL || last == Py_True) {
        if (e == &t->entries[t->used - 1])
            return true;                                               /* it was the last */
        PyObject *key = SLOT_PTR(e->key), *value = SLOT_PTR(e->value); /* alive: the dict has them */
        Value encoded = {e->tag, e->bits};
        entry_gone(t, key, EV_ENTRY_DEL, at);
        entry_write(t, key, encoded, value, at, EV_ENTRY);
        return true;
    }
    emit(EV_CLEAR, at, t->head.oid, NO_VALUE, NO_VALUE);
    table_clear(t);
    return false; /* all of it, in the order it has now */
}

static bool note_dict(enum op op, PyObject *self, TableNode *t, PyObject *arg, PyObject *arg2,
                      PyObject *result, Where at)
{
    size_t now = (size_t)PyDict_GET_SIZE(self), old = t->count;
    switch (op) {
    case DICT_POP:
        return now == old || (now + 1 == old && entry_gone(t, arg, EV_ENTRY_DEL, at));
    case DICT_POPITEM:
        return now + 1 == old && entry_gone(t, PyTuple_GET_ITEM(result, 0), EV_ENTRY_DEL, at);
    case DICT_SETDEFAULT:
    case DICT_MISSING:
        return now == old || (now == old + 1 && entry_added(t, arg, result, EV_ENTRY, at));
    case DICT_UPDATE:
        return note_update(self, t, arg, at);
    case DICT_MOVE:
        return Py_IS_TYPE(self, recorder.types.ordered_dict) && note_move(self, t, arg, arg2, at);
    case DICT_CLEAR:
        emit(EV_CLEAR, at, t->head.oid, NO_VALUE, NO_VALUE);
        table_clear(t);
        return now == 0;
    default:
        return false;
    }
}

static bool note_set(enum op op, PyObject *self, TableNode *t, PyObject *arg, PyObject *result, Where at)
{
    size_t now = (size_t)PySet_GET_SIZE(self), old = t->count;
    switch (op) {
    case SET_ADD:
        return now == old || (now == old + 1 && entry_added(t, arg, NULL, EV_MEMBER, at));
    case SET_REMOVE:
        return now == old || (now + 1 == old && entry_gone(t, arg, EV_MEMBER_DEL, at));
    case SET_POP:
        return now + 1 == old && entry_gone(t, result, EV_MEMBER_DEL, at);
    case SET_CLEAR:
        emit(EV_CLEAR, at, t->head.oid, NO_VALUE, NO_VALUE);
        table_clear(t);
        return now == 0;
    default:
        return false;
    }
}

static bool note_rotate(SequenceNode *s, PyObject *arg, Where at)
{
    int64_t n = 1;
    if (arg != NULL && (!PyLong_CheckExact(arg) || !compat_small_int(arg, &n)))
        return false;
    if (n < -8 || n > 8 || s->count == 0)
        return false;
    for (; n > 0 && recorder.recording; n--) {
        PyObject *last = SLOT_PTR(s->items[s->start + s->count - 1]); /* alive: the deque holds it */
        sequence_gone(s, s->count - 1, 1, at);
        sequence_arrived(s, 0, last, at);
    }
    for (; n < 0 && recorder.recording; n++) {
        PyObject *first = SLOT_PTR(s->items[s->start]);
        sequence_gone(s, 0, 1, at);
        sequence_arrived(s, s->count, first, at);
    }
    return true;
}

static bool note_deque(enum op op, PyObject *self, SequenceNode *s, PyObject *arg, Where at)
{
    size_t now = (size_t)Py_SIZE(self), old = s->count;
    switch (op) {
    case DEQUE_APPEND:
        if (now == old && old > 0) /* bounded and full */
            sequence_gone(s, 0, 1, at);
        if (s->count + 1 != now)
            return false;
        sequence_arrived(s, s->count, arg, at);
        return true;
    case DEQUE_APPENDLEFT:
        if (now == old && old > 0)
            sequence_gone(s, old - 1, 1, at);
        if (s->count + 1 != now)
            return false;
        sequence_arrived(s, 0, arg, at);
        return true;
    case DEQUE_POP:
    case DEQUE_POPLEFT:
        if (now + 1 != old)
            return false;
        sequence_gone(s, op == DEQUE_POP ? old - 1 : 0, 1, at);
        return true;
    case DEQUE_ROTATE:
        return note_rotate(s, arg, at);
    case DEQUE_CLEAR:
        emit(EV_CLEAR, at, s->head.oid, NO_VALUE, NO_VALUE);
        sequence_clear(s);
        return now == 0;
    default:
        return false;
    }
}

static bool note_raw(enum op op, PyObject *self, RawNode *raw, PyObject *arg, Where at)
{
    size_t old = raw->elements.size == 0 ? 0 : raw->size / raw->elements.size;
    switch (op) {
    case RAW_APPEND:
        return raw_appended(self, raw, at);
    case RAW_INSERT:
        return raw_inserted(self, raw, given_index(arg, old), at);
    case RAW_POP:
        return raw_taken(self, raw, arg == NULL ? (Py_ssize_t)old - 1 : given_index(arg, old), at);
    case RAW_CLEAR:
        return raw_cleared(self, raw, at);
    default:
        return false;
    }
}

/* e.set(k, v) changes the dict of the attributes, which has a shadow of its own. */
static bool note_element(enum op op, PyObject *self, SequenceNode *s, PyObject *arg, Where at)
{
    PyObject *attrib = element_attrib(self);
    switch (op) {
    case ELEMENT_APPEND:
        if ((size_t)element_count(self) != s->count + 1)
            return false;
        sequence_arrived(s, s->count, arg, at);
        return true;
    case ELEMENT_SET:
        resync(self, at);
        if (attrib != NULL)
            resync(attrib, at);
        return true;
    default:
        return false;
    }
}

static bool note_known(enum op op, PyObject *self, Node *node, PyObject *arg, PyObject *arg2,
                       PyObject *result, Where at)
{
    switch (node->layout) {
    case LAYOUT_LIST:
        return note_list(op, self, (SequenceNode *)node, arg, arg2, at);
    case LAYOUT_DICT:
        return !(node->flags & NODE_ATTRS_OF) &&
               note_dict(op, self, (TableNode *)node, arg, arg2, result, at);
    case LAYOUT_SET:
        return note_set(op, self, (TableNode *)node, arg, result, at);
    case LAYOUT_DEQUE:
        return note_deque(op, self, (SequenceNode *)node, arg, at);
    case LAYOUT_BYTEARRAY:
    case LAYOUT_ARRAY:
        return note_raw(op, self, (RawNode *)node, arg, at);
    case LAYOUT_ELEMENT:
        return note_element(op, self, (SequenceNode *)node, arg, at);
    default:
        return false;
    }
}

static void note(Patch *p, PyObject *self, Node *node, PyObject *arg, PyObject *arg2, PyObject *result)
{
    PyObject *type, *value, *traceback;
    Where at = where_now();
    if (p->op == DICT_MISSING) /* reading made an entry: no hook told the line */
        at.site = SITE_OF_FRAME;
    if (result != NULL && note_known(p->op, self, node, arg, arg2, result, at))
        return;
    PyErr_Fetch(&type, &value, &traceback);
    deque_touched(self);
    resync(self, at);
    PyErr_Restore(type, value, traceback);
}

/* -- wrappers: one per method and calling convention ---------------------------------------------------------------- */

typedef PyObject *(*fast_function)(PyObject *, PyObject *const *, Py_ssize_t);
typedef PyObject *(*fast_keywords)(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
typedef PyObject *(*with_keywords)(PyObject *, PyObject *, PyObject *);
typedef PyObject *(*with_class)(PyObject *, PyTypeObject *, PyObject *const *, size_t, PyObject *);

/* A method may run code of the program, during which the recording ends: then its nodes are no more. */
typedef struct {
    Node *node; /* NULL: there is nothing to note */
    uint32_t generation;
} Seen;

static inline Seen before(Patch *p, PyObject *self)
{
    Node *node = recorder.recording ? explore_touch(self) : NULL;
    if (node != NULL && p->op == OP_ANY && node->layout == LAYOUT_DEQUE)
        node->is_current = false;
    return (Seen){node, recorder.calls.generation};
}

static inline bool is_still_known(Seen seen)
{
    return seen.node != NULL && LIKELY(seen.generation == recorder.calls.generation);
}

static inline PyObject *call_one(Patch *p, PyObject *self, PyObject *arg)
{
    Seen seen = before(p, self);
    PyObject *result = ((PyCFunction)p->original)(self, arg);
    if (is_still_known(seen))
        note(p, self, seen.node, arg, NULL, result);
    return result;
}

static inline PyObject *call_fast(Patch *p, PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    Seen seen = before(p, self);
    PyObject *result = ((fast_function)p->original)(self, args, count);
    if (is_still_known(seen))
        note(p, self, seen.node, count > 0 ? args[0] : NULL, count > 1 ? args[1] : NULL, result);
    return result;
}

static inline PyObject *call_keywords(Patch *p, PyObject *self, PyObject *const *args, Py_ssize_t count,
                                      PyObject *names)
{
    Seen seen = before(p, self);
    PyObject *result = ((fast_keywords)p->original)(self, args, count, names);
    if (is_still_known(seen))
        note(p, self, seen.node, count > 0 ? args[0] : NULL, count + (names != NULL) > 1 ? args[1] : NULL,
             names != NULL && p->op != DICT_MOVE ? NULL : result);
    return result;
}

static inline PyObject *call_tuple(Patch *p, PyObject *self, PyObject *args, PyObject *names)
{
    Seen seen = before(p, self);
    PyObject *result = ((with_keywords)p->original)(self, args, names);
    Py_ssize_t count = PyTuple_GET_SIZE(args);
    if (is_still_known(seen))
        note(p, self, seen.node, count > 0 ? PyTuple_GET_ITEM(args, 0) : NULL,
             count > 1 ? PyTuple_GET_ITEM(args, 1) : NULL, names != NULL ? NULL : result);
    return result;
}

static inline PyObject *call_class(Patch *p, PyObject *self, PyTypeObject *cls, PyObject *const *args,
                                   size_t count, PyObject *names)
{
    Seen seen = before(p, self);
    PyObject *result = ((with_class)p->original)(self, cls, args, count, names);
    if (is_still_known(seen))
        note(p, self, seen.node, count > 0 ? args[0] : NULL, NULL, result);
    return result;
}

/* A C function gets nothing but its arguments, so each method has a function of its own that knows its number. */
#define WRAPPERS(n, type, method, op)                                                                        \
    static PyObject *one_##n(PyObject *self, PyObject *arg)                                                  \
    {                                                                                                        \
        return call_one(&patches[n], self, arg);                                                             \
    }                                                                                                        \
    static PyObject *fast_##n(PyObject *self, PyObject *const *args, Py_ssize_t count)                       \
    {                                                                                                        \
        return call_fast(&patches[n], self, args, count);                                                    \
    }                                                                                                        \
    static PyObject *keywords_##n(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names)  \
    {                                                                                                        \
        return call_keywords(&patches[n], self, args, count, names);                                         \
    }                                                                                                        \
    static PyObject *tuple_##n(PyObject *self, PyObject *args, PyObject *names)                              \
    {                                                                                                        \
        return call_tuple(&patches[n], self, args, names);                                                   \
    }                                                                                                        \
    static PyObject *class_##n(PyObject *self, PyTypeObject *cls, PyObject *const *args, size_t count,       \
                               PyObject *names)                                                              \
    {                                                                                                        \
        return call_class(&patches[n], self, cls, args, count, names);                                       \
    }

METHODS(WRAPPERS)

#define ROW(n, type, method, op)                                                                             \
    {op,                                                                                                     \
     #type,                                                                                                  \
     #method,                                                                                                \
     (any_function)one_##n,                                                                                  \
     (any_function)fast_##n,                                                                                 \
     (any_function)keywords_##n,                                                                             \
     (any_function)tuple_##n,                                                                                \
     (any_function)class_##n},

static const struct {
    enum op op;
    const char *type, *method;
    any_function one, fast, keywords, tuple, cls;
} rows[METHOD_COUNT] = {METHODS(ROW)};

static any_function wrapper_for(int n, int flags)
{
    switch (flags & (METH_VARARGS | METH_FASTCALL | METH_NOARGS | METH_O | METH_KEYWORDS | METH_METHOD)) {
    case METH_O:
        return rows[n].one;
    case METH_NOARGS:
        return rows[n].one; /* the argument is NULL */
    case METH_FASTCALL:
        return rows[n].fast;
    case METH_FASTCALL | METH_KEYWORDS:
        return rows[n].keywords;
    case METH_VARARGS | METH_KEYWORDS:
        return rows[n].tuple;
    case METH_VARARGS:
        return rows[n].one; /* the argument is the tuple: compared, not interpreted */
    case METH_METHOD | METH_FASTCALL | METH_KEYWORDS:
        return rows[n].cls;
    default:
        return NULL;
    }
}

/* -- installing ------------------------------------------------------------------------------------------------------- */

static PyMethodDef list_append_def;
static PyObject *list_append_original; /* owned */
static PyTypeObject *array_wrapped;    /* never followed, only compared */

static PyTypeObject *type_named(const char *name)
{
    if (strcmp(name, "list") == 0)
        return &PyList_Type;
    if (strcmp(name, "dict") == 0)
        return &PyDict_Type;
    if (strcmp(name, "set") == 0)
        return &PySet_Type;
    if (strcmp(name, "bytearray") == 0)
        return &PyByteArray_Type;
    if (strcmp(name, "deque") == 0)
        return recorder.types.deque;
    if (strcmp(name, "defaultdict") == 0)
        return recorder.types.defaultdict;
    if (strcmp(name, "odict") == 0)
        return recorder.types.ordered_dict;
    return NULL; /* array.array and elements: when the program imports them */
}

static void set_descriptor(PyTypeObject *type, const char *name, PyObject *descriptor)
{
    PyObject *dict = compat_type_dict(type);
    if (dict != NULL && PyDict_SetItemString(dict, name, descriptor) == 0)
        PyType_Modified(type);
    Py_XDECREF(dict);
}

static void replace_descriptor(PyTypeObject *type, PyMethodDescrObject *old, any_function wrapper)
{
    list_append_def = *old->d_method;
    list_append_def.ml_meth = (PyCFunction)wrapper;
    list_append_original = Py_NewRef((PyObject *)old);
    PyObject *descriptor = PyDescr_NewMethod(type, &list_append_def);
    if (descriptor != NULL)
        set_descriptor(type, "append", descriptor);
    Py_XDECREF(descriptor);
}

static void patch(int n, PyTypeObject *type)
{
    PyObject *dict = compat_type_dict(type);
    PyObject *found = dict == NULL ? NULL : dict_find(dict, rows[n].method);
    if (found != NULL && Py_IS_TYPE(found, &PyMethodDescr_Type)) {
        PyMethodDef *def = ((PyMethodDescrObject *)found)->d_method;
        any_function wrapper = wrapper_for(n, def->ml_flags);
        enum op op = (def->ml_flags & METH_VARARGS) && !(def->ml_flags & METH_KEYWORDS) ? OP_ANY : rows[n].op;
        if (wrapper != NULL) {
            patches[n] = (Patch){def, (any_function)def->ml_meth, op, rows[n].method};
            if (op == LIST_APPEND)
                replace_descriptor(type, (PyMethodDescrObject *)found, wrapper);
            else
                def->ml_meth = (PyCFunction)wrapper;
        }
    }
    Py_XDECREF(dict);
}

static bool deque_methods_are_wrapped(void)
{
    for (int n = 0; n < METHOD_COUNT; n++) {
        if (strcmp(rows[n].type, "deque") == 0 && patches[n].def == NULL)
            return false;
    }
    return true;
}

int mutators_install(void)
{
    for (int n = 0; n < METHOD_COUNT; n++) {
        PyTypeObject *type = type_named(rows[n].type);
        if (type != NULL)
            patch(n, type);
    }
    recorder.types.deque_is_watched = deque_slots_install() && deque_methods_are_wrapped();
    return PyErr_Occurred() ? -1 : 0;
}

/* False: some could not be wrapped. */
static bool patch_methods(const char *name, PyTypeObject *type)
{
    bool all = true;
    for (int n = 0; n < METHOD_COUNT; n++) {
        if (strcmp(rows[n].type, name) != 0)
            continue;
        if (patches[n].def == NULL)
            patch(n, type);
        all &= patches[n].def != NULL;
    }
    return all;
}

/* array.array is wrapped when it is first met: the program imports it. */
bool array_is_wrapped(PyTypeObject *type)
{
    if (type == array_wrapped)
        return true;
    if (array_wrapped != NULL || array_base(type) != type)
        return false;
    patch_methods("array", type);
    array_wrapped = type;
    return true;
}

/* The same for elements. A type of a module that was imported twice has the same definitions. */
bool element_methods_install(PyTypeObject *type)
{
    return patch_methods("element", type);
}

void mutators_remove(void)
{
    deque_slots_remove();
    elements_remove();
    for (int n = 0; n < METHOD_COUNT; n++) {
        if (patches[n].def != NULL && patches[n].op != LIST_APPEND)
            patches[n].def->ml_meth = (PyCFunction)patches[n].original;
        patches[n].def = NULL; /* what it calls is still needed, by methods that were taken before */
    }
    array_wrapped = NULL;
    if (list_append_original != NULL)
        set_descriptor(&PyList_Type, "append", list_append_original);
    Py_CLEAR(list_append_original);
}
