/* Iterators: how far they have come, and over what.

   `of` is what is iterated over, `position` the index of the next item, `left` how many items are to come,
   `exhausted` says that there are none. Private structs of CPython, checked for 3.11 to 3.15; on other
   versions, or where a struct has another size, an iterator is known by its type only. */
#include "base/compat.h"
#include "known/readers.h"
#include "recorder.h"
#include "shadow/shape.h"

static void part_number(Parts *parts, const char *name, Py_ssize_t n)
{
    part_take(parts, name, PyLong_FromSsize_t(n));
}

static void part_exhausted(Parts *parts)
{
    part_see(parts, "exhausted", Py_True);
}

/* -- by index: list, tuple, str, bytes, bytearray, sequences of the program ---------------------------------------- */

typedef struct {
    PyObject_HEAD
    Py_ssize_t index;
    PyObject *of; /* NULL: exhausted */
} ByIndex;

static uint64_t state_by_index(PyObject *o)
{
    ByIndex *it = (ByIndex *)o;
    return state_mix((uint64_t)it->index, it->of != NULL);
}

static void read_by_index(PyObject *o, Parts *parts)
{
    ByIndex *it = (ByIndex *)o;
    if (it->of == NULL || it->index < 0) {
        part_exhausted(parts);
        return;
    }
    part_see(parts, "of", it->of);
    part_number(parts, "position", it->index);
}

/* -- dict, set, deque ------------------------------------------------------------------------------------------------ */

typedef struct {
    PyObject_HEAD
    PyObject *of;
    Py_ssize_t used; /* size of the dict when it began; -1: the dict changed, the iterator fails for ever */
    Py_ssize_t place;
    PyObject *result;
    Py_ssize_t left;
} OfDict;

typedef struct {
    PyObject_HEAD
    PyObject *of;
    Py_ssize_t used, place, left;
} OfSet;

typedef struct {
    PyObject_HEAD
    void *block;
    Py_ssize_t index;
    PyObject *of;
    size_t changes; /* of the deque, when the iterator was made */
    Py_ssize_t left;
} OfDeque;

static void read_left(PyObject *of, Py_ssize_t left, Parts *parts)
{
    if (of == NULL || left <= 0) {
        part_exhausted(parts);
        return;
    }
    part_see(parts, "of", of);
    part_number(parts, "left", left);
}

static bool dict_has_changed(OfDict *it)
{
    return it->of != NULL && ((PyDictObject *)it->of)->ma_used != it->used;
}

/* The entry that comes next; false: there is none. */
static bool next_entry(OfDict *it, PyObject **key, PyObject **value)
{
    Py_ssize_t place = it->place;
    *key = *value = NULL;
    return it->of != NULL && it->left > 0 && !dict_has_changed(it) && PyDict_Next(it->of, &place, key, value);
}

static uint64_t state_of_dict(PyObject *o)
{
    OfDict *it = (OfDict *)o;
    return state_mix((uint64_t)it->left, (it->of != NULL) | dict_has_changed(it) << 1);
}

static uint64_t state_of_forward(PyObject *o)
{
    PyObject *key, *value;
    next_entry((OfDict *)o, &key, &value);
    uint64_t state = state_mix(state_mix(state_of_dict(o), STATE_OF(key)), STATE_OF(value));
    return state_mix(state, recorder.identity.slot_deaths);
}

/* A dict whose size is another one now: the next item is an error, nothing is left that can be told. */
static void read_of_dict(PyObject *o, Parts *parts)
{
    OfDict *it = (OfDict *)o;
    if (dict_has_changed(it)) {
        part_see(parts, "of", it->of);
        part_see(parts, "changed", Py_True);
    }
    else
        read_left(it->of, it->left, parts);
}

static void read_keys(PyObject *o, Parts *parts)
{
    PyObject *key, *value;
    read_of_dict(o, parts);
    if (next_entry((OfDict *)o, &key, &value))
        part_see(parts, "next", key);
}

static void read_values(PyObject *o, Parts *parts)
{
    PyObject *key, *value;
    read_of_dict(o, parts);
    if (next_entry((OfDict *)o, &key, &value))
        part_see(parts, "next", value);
}

static uint64_t state_of_set(PyObject *o)
{
    OfSet *it = (OfSet *)o;
    bool changed = it->of != NULL && ((PySetObject *)it->of)->used != it->used;
    return state_mix((uint64_t)it->left, (it->of != NULL) | changed << 1);
}

static void read_of_set(PyObject *o, Parts *parts)
{
    OfSet *it = (OfSet *)o;
    if (it->of != NULL && ((PySetObject *)it->of)->used != it->used) {
        part_see(parts, "of", it->of);
        part_see(parts, "changed", Py_True);
    }
    else
        read_left(it->of, it->left, parts);
}

static uint64_t state_of_deque(PyObject *o)
{
    OfDeque *it = (OfDeque *)o;
    return state_mix((uint64_t)it->left, it->of != NULL);
}

static void read_of_deque(PyObject *o, Parts *parts)
{
    OfDeque *it = (OfDeque *)o;
    read_left(it->of, it->left, parts);
}

/* -- range --------------------------------------------------------------------------------------------------------- */

#if PY_VERSION_HEX >= 0x030C0000
typedef struct {
    PyObject_HEAD
    long next, step, left;
} OfRange;

typedef struct {
    PyObject_HEAD
    PyObject *next, *step, *left;
} OfLongRange;

static long range_left(OfRange *it)
{
    return it->left;
}

static long range_next(OfRange *it)
{
    return it->next;
}
#else
typedef struct {
    PyObject_HEAD
    long index, start, step, count;
} OfRange;

typedef struct {
    PyObject_HEAD
    PyObject *index, *start, *step, *count;
} OfLongRange;

static long range_left(OfRange *it)
{
    return it->count - it->index;
}

static long range_next(OfRange *it)
{
    return (long)((unsigned long)it->start + (unsigned long)it->index * (unsigned long)it->step);
}
#endif

static uint64_t state_of_range(PyObject *o)
{
    return (uint64_t)range_left((OfRange *)o);
}

static void read_of_range(PyObject *o, Parts *parts)
{
    OfRange *it = (OfRange *)o;
    long left = range_left(it);
    if (left <= 0) {
        part_exhausted(parts);
        return;
    }
    part_take(parts, "next", PyLong_FromLong(range_next(it)));
    part_take(parts, "left", PyLong_FromLong(left));
}

#if PY_VERSION_HEX >= 0x030C0000
static uint64_t state_of_long_range(PyObject *o)
{
    return state_mix(STATE_OF(((OfLongRange *)o)->next), STATE_OF(((OfLongRange *)o)->left));
}

static void read_of_long_range(PyObject *o, Parts *parts)
{
    OfLongRange *it = (OfLongRange *)o;
    part_see(parts, "next", it->next);
    part_see(parts, "left", it->left);
}
#else
static uint64_t state_of_long_range(PyObject *o)
{
    return STATE_OF(((OfLongRange *)o)->index);
}

/* The numbers are exact: what is made of them is, too. */
static void read_of_long_range(PyObject *o, Parts *parts)
{
    OfLongRange *it = (OfLongRange *)o;
    PyObject *way = PyNumber_Multiply(it->index, it->step);
    part_take(parts, "next", way == NULL ? NULL : PyNumber_Add(it->start, way));
    part_take(parts, "left", PyNumber_Subtract(it->count, it->index));
    Py_XDECREF(way);
}
#endif

/* -- iterators of iterators ------------------------------------------------------------------------------------------- */

typedef struct {
    PyObject_HEAD
    Py_ssize_t index; /* PY_SSIZE_T_MAX: see `large` */
    PyObject *of, *result, *large, *one;
} Enumerate;

static uint64_t state_of_enumerate(PyObject *o)
{
    Enumerate *it = (Enumerate *)o;
    return state_mix((uint64_t)it->index, STATE_OF(it->large));
}

static void read_enumerate(PyObject *o, Parts *parts)
{
    Enumerate *it = (Enumerate *)o;
    if (it->large != NULL)
        part_see(parts, "count", it->large);
    else
        part_number(parts, "count", it->index);
    part_see(parts, "of", it->of);
}

typedef struct {
    PyObject_HEAD
    PyObject *iterators; /* a tuple */
    PyObject *function;
#if PY_VERSION_HEX >= 0x030E0000
    int strict;
#endif
} Map;

typedef struct {
    PyObject_HEAD
    Py_ssize_t size;
    PyObject *iterators, *result;
    int strict;
} Zip;

typedef struct {
    PyObject_HEAD
    Py_ssize_t size, active;
    PyObject *iterators, *result, *fill;
} ZipLongest;

static uint64_t state_is_fixed(PyObject *o)
{
    return 1; /* the iterators that it takes from are parts, and followed themselves */
}

static void read_iterators(PyObject *iterators, Parts *parts)
{
    static const char *const names[] = {"first", "second", "third", "fourth"};
    if (iterators == NULL || !PyTuple_CheckExact(iterators))
        return;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(iterators) && i < 4; i++)
        part_see(parts, names[i], PyTuple_GET_ITEM(iterators, i));
}

static void read_map(PyObject *o, Parts *parts)
{
    part_see(parts, "function", ((Map *)o)->function);
    read_iterators(((Map *)o)->iterators, parts);
}

static void read_zip(PyObject *o, Parts *parts)
{
    read_iterators(((Zip *)o)->iterators, parts);
}

static uint64_t state_of_zip_longest(PyObject *o)
{
    return (uint64_t)((ZipLongest *)o)->active; /* one that is exhausted is let go */
}

static void read_zip_longest(PyObject *o, Parts *parts)
{
    read_iterators(((ZipLongest *)o)->iterators, parts);
}

/* filter, and of itertools: filterfalse, starmap. takewhile and dropwhile have a flag behind it. */
typedef struct {
    PyObject_HEAD
    PyObject *function, *of;
} ByFunction;

typedef struct {
    ByFunction head;
    long flag;
} ByFlag;

static void read_by_function(PyObject *o, Parts *parts)
{
    part_see(parts, "function", ((ByFunction *)o)->function);
    part_see(parts, "of", ((ByFunction *)o)->of);
}

static uint64_t state_of_flag(PyObject *o)
{
    return (uint64_t)((ByFlag *)o)->flag;
}

static void read_takewhile(PyObject *o, Parts *parts)
{
    read_by_function(o, parts);
    if (((ByFlag *)o)->flag)
        part_exhausted(parts);
}

static void read_dropwhile(PyObject *o, Parts *parts)
{
    read_by_function(o, parts);
    part_see(parts, "dropping", ((ByFlag *)o)->flag ? Py_False : Py_True);
}

typedef struct {
    PyObject_HEAD
    PyObject *callable, *sentinel;
} ByCall;

static uint64_t state_by_call(PyObject *o)
{
    return ((ByCall *)o)->callable != NULL;
}

static void read_by_call(PyObject *o, Parts *parts)
{
    ByCall *it = (ByCall *)o;
    if (it->callable == NULL)
        part_exhausted(parts);
    part_see(parts, "function", it->callable);
    part_see(parts, "until", it->sentinel);
}

/* -- itertools --------------------------------------------------------------------------------------------------------- */

typedef struct {
    PyObject_HEAD
    Py_ssize_t next; /* PY_SSIZE_T_MAX: see `large` */
    PyObject *large, *step;
} Count;

static uint64_t state_of_count(PyObject *o)
{
    return state_mix((uint64_t)((Count *)o)->next, STATE_OF(((Count *)o)->large));
}

static void read_count(PyObject *o, Parts *parts)
{
    Count *it = (Count *)o;
    if (it->large != NULL && it->next == PY_SSIZE_T_MAX)
        part_see(parts, "next", it->large);
    else
        part_number(parts, "next", it->next);
    part_see(parts, "step", it->step);
}

typedef struct {
    PyObject_HEAD
    PyObject *element;
    Py_ssize_t left; /* -1: without end */
} Repeat;

static uint64_t state_of_repeat(PyObject *o)
{
    return (uint64_t)((Repeat *)o)->left;
}

static void read_repeat(PyObject *o, Parts *parts)
{
    part_see(parts, "element", ((Repeat *)o)->element);
    if (((Repeat *)o)->left >= 0)
        part_number(parts, "left", ((Repeat *)o)->left);
}

/* The first member is what it takes from. */
typedef struct {
    PyObject_HEAD
    PyObject *of;
} Taking;

static uint64_t state_of_taking(PyObject *o)
{
    return ((Taking *)o)->of != NULL;
}

static void read_taking(PyObject *o, Parts *parts)
{
    part_see(parts, "of", ((Taking *)o)->of);
}

typedef struct {
    PyObject_HEAD
    PyObject *of, *saved;
    Py_ssize_t index;
#if PY_VERSION_HEX < 0x030E0000
    int first_pass;
#endif
} Cycle;

typedef struct {
    PyObject_HEAD
    PyObject *source, *active;
} Chain;

/* The next iterator may lie where the one before did. */
static uint64_t state_of_chain(PyObject *o)
{
    Chain *it = (Chain *)o;
    return state_mix(state_mix(STATE_OF(it->source), STATE_OF(it->active)), recorder.identity.slot_deaths);
}

static void read_chain(PyObject *o, Parts *parts)
{
    Chain *it = (Chain *)o;
    if (it->source == NULL)
        part_exhausted(parts);
    part_see(parts, "of", it->active);
    part_see(parts, "then", it->source);
}

typedef struct {
    PyObject_HEAD
    PyObject *of;
    Py_ssize_t next, stop, step, taken;
} Slice;

static uint64_t state_of_slice(PyObject *o)
{
    return state_mix((uint64_t)((Slice *)o)->taken, ((Slice *)o)->of != NULL);
}

static void read_slice(PyObject *o, Parts *parts)
{
    Slice *it = (Slice *)o;
    if (it->of == NULL) {
        part_exhausted(parts);
        return;
    }
    part_see(parts, "of", it->of);
    part_number(parts, "taken", it->taken);
    if (it->stop >= 0)
        part_number(parts, "stop", it->stop);
}

typedef struct {
    PyObject_HEAD
    PyObject *total, *of, *function, *initial;
#if PY_VERSION_HEX >= 0x030C0000
    void *module;
#endif
} Accumulate;

static uint64_t state_of_accumulate(PyObject *o)
{
    return state_mix(STATE_OF(((Accumulate *)o)->total), recorder.identity.slot_deaths);
}

static void read_accumulate(PyObject *o, Parts *parts)
{
    part_see(parts, "total", ((Accumulate *)o)->total);
    part_see(parts, "of", ((Accumulate *)o)->of);
}

typedef struct {
    PyObject_HEAD
    PyObject *data, *selectors;
} Compress;

static void read_compress(PyObject *o, Parts *parts)
{
    part_see(parts, "of", ((Compress *)o)->data);
    part_see(parts, "selectors", ((Compress *)o)->selectors);
}

#define BY_INDEX(name) {name, read_by_index, true, sizeof(ByIndex), state_by_index}
#define OF_DICT(name) {name, read_of_dict, true, sizeof(OfDict), state_of_dict}

const KnownType known_iterators[] = {
#if COMPAT_LAYOUTS_KNOWN
    BY_INDEX("list_iterator"),
    BY_INDEX("list_reverseiterator"),
    BY_INDEX("tuple_iterator"),
    BY_INDEX("str_iterator"),
    BY_INDEX("str_ascii_iterator"),
    BY_INDEX("bytes_iterator"),
    BY_INDEX("bytearray_iterator"),
    BY_INDEX("iterator"),
    BY_INDEX("reversed"),
    {"dict_keyiterator", read_keys, true, sizeof(OfDict), state_of_forward},
    {"dict_valueiterator", read_values, true, sizeof(OfDict), state_of_forward},
    {"dict_itemiterator", read_keys, true, sizeof(OfDict), state_of_forward},
    OF_DICT("dict_reversekeyiterator"),
    OF_DICT("dict_reversevalueiterator"),
    OF_DICT("dict_reverseitemiterator"),
    {"set_iterator", read_of_set, true, sizeof(OfSet), state_of_set},
    {"_collections._deque_iterator", read_of_deque, true, sizeof(OfDeque), state_of_deque},
    {"collections._deque_iterator", read_of_deque, true, sizeof(OfDeque), state_of_deque},
    {"range_iterator", read_of_range, true, sizeof(OfRange), state_of_range},
    {"longrange_iterator", read_of_long_range, true, sizeof(OfLongRange), state_of_long_range},
    {"enumerate", read_enumerate, true, sizeof(Enumerate), state_of_enumerate},
    {"zip", read_zip, true, sizeof(Zip), state_is_fixed},
    {"map", read_map, true, sizeof(Map), state_is_fixed},
    {"filter", read_by_function, true, sizeof(ByFunction), state_is_fixed},
    {"callable_iterator", read_by_call, true, sizeof(ByCall), state_by_call},
    {"itertools.count", read_count, true, sizeof(Count), state_of_count},
    {"itertools.repeat", read_repeat, true, sizeof(Repeat), state_of_repeat},
    {"itertools.cycle", read_taking, true, sizeof(Cycle), state_of_taking},
    {"itertools.pairwise", read_taking, true, 0, state_of_taking},
    {"itertools.groupby", read_taking, true, 0, state_is_fixed},
    {"itertools.chain", read_chain, true, sizeof(Chain), state_of_chain},
    {"itertools.islice", read_slice, true, sizeof(Slice), state_of_slice},
    {"itertools.takewhile", read_takewhile, true, sizeof(ByFlag), state_of_flag},
    {"itertools.dropwhile", read_dropwhile, true, sizeof(ByFlag), state_of_flag},
    {"itertools.filterfalse", read_by_function, true, sizeof(ByFunction), state_is_fixed},
    {"itertools.starmap", read_by_function, true, sizeof(ByFunction), state_is_fixed},
    {"itertools.accumulate", read_accumulate, true, sizeof(Accumulate), state_of_accumulate},
    {"itertools.compress", read_compress, true, sizeof(Compress), state_is_fixed},
    {"itertools.zip_longest", read_zip_longest, true, sizeof(ZipLongest), state_of_zip_longest},
#endif
    {NULL, NULL, false},
};
