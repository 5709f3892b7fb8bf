/* numpy arrays: shape, dtype and the first 1,000 elements, and every change of these.

   Of a wide table (more columns than rows, as those in which pandas keeps the columns of a frame) the first
   elements of each row are recorded instead, a *corner*; `recorded` tells its shape.

   No header of numpy's is needed. What every extension that uses numpy is compiled with, the first
   fields of an array, is read directly: the buffer protocol knows no dates, and asking for it costs more than
   most stores. Whether the fields lie where they are expected is checked with the first array that is met.
   Nothing of numpy's or the program's Python code runs: attributes are read of dtypes only, whose getters are C. */
#include "base/compat.h"
#include "base/allocate.h"
#include "buffers/buffers.h"
#include "emit/content.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "emit/events.h"
#include "shadow/encode.h"
#include "shadow/first_sight.h"
#include "shadow/identity.h"
#include "shadow/nodes.h"
#include "shadow/slot.h"
#include <string.h>

#define KEPT 1000                /* elements */
#define KEPT_BYTES (4096 * KEPT) /* texts and records may be large: then fewer */
#define DIMENSIONS 64

typedef struct {
    PyObject_HEAD
    char *data;
    int nd;
    Py_ssize_t *dimensions, *strides;
    PyObject *base;
    PyObject *descr;
    int flags;
} Array;

#define OWNS_DATA 4

/* -- is it one, and can it be read? ---------------------------------------------------------------------------- */

PyTypeObject *ndarray_base(PyTypeObject *type)
{
    for (; type != NULL; type = type->tp_base) {
        if (!(type->tp_flags & Py_TPFLAGS_HEAPTYPE) && strcmp(type->tp_name, "numpy.ndarray") == 0)
            return type;
    }
    return NULL;
}

bool is_ndarray(PyObject *o)
{
    static PyTypeObject *last; /* most arrays are of the type itself, which is static */
    if (Py_TYPE(o) == last)
        return true;
    PyBufferProcs *buffer = Py_TYPE(o)->tp_as_buffer; /* classes of Python have one, mostly empty */
    if (buffer == NULL || buffer->bf_getbuffer == NULL)
        return false;
    PyTypeObject *base = ndarray_base(Py_TYPE(o));
    if (base == Py_TYPE(o))
        last = base;
    return base != NULL;
}

/* A getter of the type itself, whatever a subclass has under the name. */
static PyObject *own_getter(PyTypeObject *type, PyObject *o, const char *name)
{
    PyObject *key = PyUnicode_InternFromString(name);
    PyObject *found = key == NULL ? NULL : compat_type_lookup(type, key);
    PyObject *value = found == NULL || Py_TYPE(found)->tp_descr_get == NULL
                          ? NULL
                          : Py_TYPE(found)->tp_descr_get(found, o, (PyObject *)type);
    Py_XDECREF(key);
    drop_error();
    return value;
}

static bool own_getter_gives(PyTypeObject *type, PyObject *o, const char *name, PyObject *expected)
{
    PyObject *value = own_getter(type, o, name);
    Py_XDECREF(value); /* the array holds it */
    return value != NULL && value == (expected == NULL ? Py_None : expected);
}

static bool check_layout(PyObject *o)
{
    PyTypeObject *type = ndarray_base(Py_TYPE(o));
    Array *a = (Array *)o;
    if (type->tp_basicsize < (Py_ssize_t)sizeof(Array))
        return false;
    PyObject *ndim = own_getter(type, o, "ndim");
    bool same = ndim != NULL && PyLong_AsLong(ndim) == a->nd;
    Py_XDECREF(ndim);
    drop_error();
    return same && own_getter_gives(type, o, "base", a->base) && own_getter_gives(type, o, "dtype", a->descr);
}

static Array *array_of(PyObject *o)
{
    static int layout; /* 0: not checked yet; 1: as expected; -1: not */
    if (layout == 0)
        layout = check_layout(o) ? 1 : -1;
    return layout == 1 && ((Array *)o)->nd <= DIMENSIONS ? (Array *)o : NULL;
}

/* -- where its elements lie --------------------------------------------------------------------------------------- */

static size_t length_of(Array *a)
{
    size_t n = 1;
    for (int i = 0; i < a->nd; i++)
        n *= (size_t)a->dimensions[i];
    return n;
}

uint64_t ndarray_length(PyObject *o)
{
    Array *a = array_of(o);
    return a == NULL ? 0 : length_of(a);
}

PyObject *ndarray_owner(PyObject *o)
{
    Array *a = array_of(o);
    return a == NULL || (a->flags & OWNS_DATA) ? NULL : a->base;
}

static void extent(Array *a, size_t size, const char **from, const char **to)
{
    *from = a->data;
    *to = a->data + size;
    for (int i = 0; i < a->nd; i++) {
        Py_ssize_t reach = (a->dimensions[i] - 1) * a->strides[i];
        if (reach < 0)
            *from += reach;
        else
            *to += reach;
    }
}

bool ndarray_extent(PyObject *o, const char **from, const char **to)
{
    Array *a = array_of(o);
    if (a == NULL || length_of(a) == 0)
        return false;
    extent(a, dtype_size(a->descr), from, to);
    return true;
}

/* A view of an array that was resized under it must not be followed. */
static bool is_readable(Array *a, size_t size)
{
    Array *owner = a;
    for (int i = 0; i < 8 && !(owner->flags & OWNS_DATA) && owner->base != NULL && is_ndarray(owner->base);
         i++)
        owner = (Array *)owner->base;
    if (owner == a || !(owner->flags & OWNS_DATA))
        return true;
    const char *from, *to;
    extent(a, size, &from, &to);
    return from >= owner->data && to <= owner->data + length_of(owner) * dtype_size(owner->descr);
}

static bool is_contiguous(Array *a, size_t size)
{
    Py_ssize_t expected = (Py_ssize_t)size;
    for (int i = a->nd - 1; i >= 0; i--) {
        if (a->dimensions[i] != 1 && a->strides[i] != expected)
            return false;
        expected *= a->dimensions[i];
    }
    return true;
}

/* The first n elements, row by row. */
static void gather(Array *a, size_t size, size_t n, char *out)
{
    Py_ssize_t index[DIMENSIONS] = {0};
    const char *at = a->data;
    for (size_t i = 0; i < n; i++) {
        memcpy(out + i * size, at, size);
        for (int d = a->nd - 1; d >= 0; d--) {
            at += a->strides[d];
            if (++index[d] < a->dimensions[d])
                break;
            at -= a->strides[d] * a->dimensions[d];
            index[d] = 0;
        }
    }
}

/* The first n elements one after the other, or NULL; *copy is to be released. */
static const char *first_elements(Array *a, size_t size, size_t n, char **copy)
{
    *copy = NULL;
    if (is_contiguous(a, size))
        return a->data;
    *copy = allocate(n * size + 1, 1);
    if (*copy != NULL)
        gather(a, size, n, *copy);
    return *copy;
}

/* The elements that are kept, row by row: the first ones, or a corner. */
static const char *kept_elements(ArrayNode *array, Array *a, size_t n, char **copy)
{
    if (array->corner == 0)
        return first_elements(a, array->elements.size, n, copy);
    Py_ssize_t dimensions[2] = {(Py_ssize_t)(n / array->corner), (Py_ssize_t)array->corner};
    Array corner = *a;
    corner.dimensions = dimensions;
    return first_elements(&corner, array->elements.size, n, copy);
}

/* -- what is kept of it ------------------------------------------------------------------------------------------------ */

/* Of an array of objects: the pointer last seen, and which object it was. */
typedef struct {
    Slot slot;
    uint64_t oid; /* 0: an atom */
} ObjectSlot;

static const Where unplaced = {0, 0};

static void forget_elements(ArrayNode *array)
{
    for (size_t i = 0; array->elements.code == 'O' && i < array->count; i++)
        slot_release(((ObjectSlot *)array->kept)[i].slot);
    release(array->kept);
    array->kept = NULL;
    array->count = 0;
}

void ndarray_free(ArrayNode *array)
{
    memory_leave(array);
    forget_elements(array);
    release(array->dimensions);
    release(array->elements.fields);
}

static bool is_object(ArrayNode *array)
{
    return array->elements.code == 'O' && array->elements.size == sizeof(PyObject *);
}

static bool still_object(const ObjectSlot *old, PyObject *v)
{
    if (SLOT_PTR(old->slot) != v || old->slot == 0)
        return false;
    if (SLOT_OWNED(old->slot))
        return true;
    Node *node = node_find(v);
    return node != NULL && node->oid == old->oid;
}

static void put_object(ArrayNode *array, size_t index, PyObject *v, Where at, int seen)
{
    ObjectSlot *place = (ObjectSlot *)array->kept + index;
    Value value = encode(v);
    Slot old = place->slot;
    *place = is_atom(v) ? (ObjectSlot){(Slot)Py_NewRef(v) | 1, 0} : (ObjectSlot){(Slot)v, value.bits};
    array->head.flags |= is_atom(v) ? 0 : NODE_HAS_REFS;
    slot_release(old);
    emit(EV_ITEM | seen, at, array->head.oid, INT_VALUE(index), value);
}

static PyObject *object_at(const char *now, size_t index)
{
    PyObject *v;
    memcpy(&v, now + index * sizeof(PyObject *), sizeof(PyObject *));
    return v == NULL ? Py_None : v; /* as numpy takes it */
}

/* Compares elements [from, to) at `now` with those that are kept. */
static void compare_elements(ArrayNode *array, const char *now, size_t from, size_t to, Where at)
{
    size_t size = array->elements.size;
    to = to < array->count ? to : array->count;
    if (from >= to)
        return;
    if (!is_object(array)) {
        elements_compare(at, array->head.oid, &array->elements, from, to - from, now + from * size,
                         array->kept + from * size);
        return;
    }
    for (size_t i = from; i < to; i++) {
        PyObject *v = object_at(now, i);
        if (!still_object((ObjectSlot *)array->kept + i, v))
            put_object(array, i, v, at, 0);
    }
}

/* Takes the value over. */
static void tell_attr(ArrayNode *array, const char *name, PyObject *value, Where at, int seen)
{
    PyObject *key = PyUnicode_InternFromString(name);
    if (value != NULL && key != NULL) {
        explore_keep(value);
        Value encoded = encode(value);
        emit(EV_ATTR | seen, at, array->head.oid, NAME_VALUE(name_id(key)), encoded);
    }
    Py_XDECREF(value);
    Py_XDECREF(key);
    drop_error();
}

static size_t corner_rows(Array *a, size_t corner, size_t n)
{
    size_t rows = (size_t)a->dimensions[0];
    return rows < n / corner ? rows : n / corner;
}

/* Records which elements are kept, if they are not the first ones. */
static void tell_corner(ArrayNode *array, Array *a, size_t corner, size_t n, Where at, int seen)
{
    PyObject *name = corner == 0 && array->corner > 0 ? PyUnicode_InternFromString("recorded") : NULL;
    if (name != NULL)
        emit(EV_ATTR_DEL, at, array->head.oid, NAME_VALUE(name_id(name)), NO_VALUE);
    Py_XDECREF(name);
    drop_error();
    array->corner = corner;
    if (corner > 0)
        tell_attr(array, "recorded",
                  Py_BuildValue("(nn)", (Py_ssize_t)corner_rows(a, corner, n), (Py_ssize_t)corner), at, seen);
}

/* How many elements fit in what is kept. */
static size_t most_kept(Array *a, size_t size)
{
    size_t n = length_of(a) < KEPT ? length_of(a) : KEPT;
    if (size > 0 && n > 1 && n > KEPT_BYTES / size)
        n = KEPT_BYTES / size > 0 ? KEPT_BYTES / size : 1;
    return n;
}

/* How many elements of each row are kept of a wide table; 0: its first elements are. */
static size_t corner_of(Array *a, size_t size)
{
    size_t n = most_kept(a, size);
    Py_ssize_t rows = a->nd == 2 ? a->dimensions[0] : 0;
    if (rows < 2 || rows > a->dimensions[1] || n == length_of(a))
        return 0;
    return n > (size_t)rows ? n / (size_t)rows : 1;
}

static void write_elements(ArrayNode *array, Array *a, Where at, int seen)
{
    size_t size = array->elements.size, n = most_kept(a, size);
    char *copy;
    if (n == 0 || array->elements.code == 0 || !is_readable(a, size))
        return;
    tell_corner(array, a, corner_of(a, size), n, at, seen);
    if (array->corner > 0)
        n = corner_rows(a, array->corner, n) * array->corner;
    const char *now = kept_elements(array, a, n, &copy);
    array->kept = now == NULL ? NULL : allocate(n, is_object(array) ? sizeof(ObjectSlot) : size + 1);
    if (array->kept == NULL) {
        release(copy);
        return;
    }
    array->count = n;
    if (is_object(array)) {
        for (size_t i = 0; i < n; i++)
            put_object(array, i, object_at(now, i), at, seen);
    }
    else {
        elements_tell(EV_PATCH | seen, at, array->head.oid, &array->elements, 0, n, now);
        memcpy(array->kept, now, n * size);
    }
    release(copy);
}

/* -- shape and dtype ---------------------------------------------------------------------------------------------------- */

static PyObject *shape_tuple(Array *a)
{
    PyObject *tuple = PyTuple_New(a->nd);
    for (int i = 0; tuple != NULL && i < a->nd; i++) {
        PyObject *n = PyLong_FromSsize_t(a->dimensions[i]);
        if (n == NULL)
            Py_CLEAR(tuple);
        else
            PyTuple_SET_ITEM(tuple, i, n);
    }
    return tuple;
}

static void keep_shape(ArrayNode *array, Array *a)
{
    release(array->dimensions);
    array->dimensions = allocate((size_t)a->nd + 1, sizeof *a->dimensions);
    memcpy(array->dimensions, a->dimensions, (size_t)a->nd * sizeof *a->dimensions);
    array->nd = a->nd;
}

static bool same_shape(ArrayNode *array, Array *a)
{
    return array->nd == a->nd &&
           memcmp(array->dimensions, a->dimensions, (size_t)a->nd * sizeof *a->dimensions) == 0;
}

static size_t kept_length(ArrayNode *array)
{
    size_t n = 1;
    for (int i = 0; i < array->nd; i++)
        n *= (size_t)array->dimensions[i];
    return n;
}

void ndarray_write(PyObject *o, ArrayNode *array)
{
    Array *a = array_of(o);
    if (a == NULL)
        return;
    array->object = o;
    array->base = a->base;
    array->descr = a->descr;
    memory_join(array);
    keep_shape(array, a);
    array->elements = dtype_elements(a->descr);
    tell_attr(array, "shape", shape_tuple(a), unplaced, EV_SEEN);
    tell_attr(array, "dtype", dtype_text(a->descr), unplaced, EV_SEEN);
    write_elements(array, a, unplaced, EV_SEEN);
}

/* -- changes ------------------------------------------------------------------------------------------------------------------ */

/* Another dtype was assigned, or numpy made an equal one. */
static bool new_dtype(ArrayNode *array, Array *a, Where at)
{
    Elements old = array->elements, now = dtype_elements(a->descr);
    array->descr = a->descr;
    if (old.code == now.code && old.size == now.size && old.swapped == now.swapped && old.unit == now.unit &&
        old.steps == now.steps && old.field_count == 0 && now.field_count == 0)
        return false;
    forget_elements(array);
    release(old.fields);
    array->elements = now;
    tell_attr(array, "dtype", dtype_text(a->descr), at, 0);
    return true;
}

/* Shape, dtype and whose memory it is; true: its elements were written anew. */
static bool update(ArrayNode *array, Array *a, Where at)
{
    if (array->base != a->base) {
        memory_leave(array);
        array->base = a->base;
        memory_join(array);
    }
    if (array->descr == a->descr && same_shape(array, a))
        return false;
    int collecting = PyGC_Disable(); /* a collection may run code of the program */
    bool renewed = array->descr != a->descr && new_dtype(array, a, at);
    if (!same_shape(array, a)) {
        renewed |= kept_length(array) != length_of(a) ||
                   array->corner != corner_of(a, array->elements.size) || array->corner > 0;
        keep_shape(array, a);
        tell_attr(array, "shape", shape_tuple(a), at, 0);
    }
    if (renewed) {
        forget_elements(array);
        emit(EV_CLEAR, at, array->head.oid, NO_VALUE, INT_VALUE(length_of(a)));
        write_elements(array, a, at, 0);
    }
    if (collecting)
        PyGC_Enable();
    return renewed;
}

static void compare_all(ArrayNode *array, Array *a, Where at)
{
    char *copy;
    if (array->count == 0 || !is_readable(a, array->elements.size))
        return;
    const char *now = kept_elements(array, a, array->count, &copy);
    if (now != NULL)
        compare_elements(array, now, 0, array->count, at);
    release(copy);
}

void ndarray_resync(PyObject *o, ArrayNode *array, Where at)
{
    const char *from, *to;
    Array *a = array_of(o);
    if (a == NULL)
        return;
    if (!update(array, a, at))
        compare_all(array, a, at);
    if (ndarray_extent(o, &from, &to))
        memory_changed(o, from, to, at);
}

void ndarray_look(ArrayNode *array, const char *from, const char *to, Where at)
{
    const char *begin, *end;
    size_t size = array->elements.size;
    Array *a = array_of(array->object);
    if (Py_REFCNT(array->object) == 0 || update(array, a, at) || array->count == 0 || size == 0 ||
        !is_readable(a, size))
        return;
    extent(a, size, &begin, &end);
    from = from < begin ? begin : from;
    to = to > end ? end : to;
    if (from >= to)
        return;
    if (array->corner == 0 && is_contiguous(a, size))
        compare_elements(array, a->data, (size_t)(from - begin) / size,
                         (size_t)(to - begin + (Py_ssize_t)size - 1) / size, at);
    else
        compare_all(array, a, at);
}

/* -- x[key] = v ---------------------------------------------------------------------------------------------------------------- */

static bool plain_index(PyObject *v, Py_ssize_t length, Py_ssize_t *index)
{
    int64_t n;
    if (!PyLong_CheckExact(v) || !compat_small_int(v, &n))
        return false;
    *index = (Py_ssize_t)(n < 0 ? n + length : n);
    return *index >= 0 && *index < length;
}

/* The one element that a key of plain ints names: its number, row by row, and where it lies. */
static bool find_element(Array *a, PyObject *key, size_t *number, const char **at)
{
    bool tuple = PyTuple_CheckExact(key);
    if ((tuple ? PyTuple_GET_SIZE(key) : 1) != a->nd)
        return false;
    *number = 0;
    *at = a->data;
    for (int i = 0; i < a->nd; i++) {
        Py_ssize_t index;
        if (!plain_index(tuple ? PyTuple_GET_ITEM(key, i) : key, a->dimensions[i], &index))
            return false;
        *number = *number * (size_t)a->dimensions[i] + (size_t)index;
        *at += index * a->strides[i];
    }
    return true;
}

/* Which of the kept elements one of the array is; the array's length: none. */
static size_t kept_number(ArrayNode *array, size_t number)
{
    size_t width = array->corner == 0 ? 0 : (size_t)array->dimensions[1];
    if (array->corner == 0)
        return number;
    return number % width < array->corner ? number / width * array->corner + number % width : array->count;
}

static void put_element(ArrayNode *array, size_t number, const char *at, Where where)
{
    number = kept_number(array, number);
    if (number >= array->count)
        return;
    if (is_object(array)) {
        put_object(array, number, object_at(at, 0), where, 0);
        return;
    }
    Value value = element_value(&array->elements, at);
    emit(EV_ITEM, where, array->head.oid, INT_VALUE(number), value);
    memcpy(array->kept + number * array->elements.size, at, array->elements.size);
}

void ndarray_subscript(PyObject *o, ArrayNode *array, PyObject *key, Where where)
{
    Array *a = array_of(o);
    const char *at, *end;
    size_t number;
    if (a == NULL)
        return;
    if (!find_element(a, key, &number, &at)) {
        if (array != NULL)
            ndarray_resync(o, array, where);
        else if (ndarray_extent(o, &at, &end))
            memory_changed(o, at, end, where);
        return;
    }
    if (array != NULL && !update(array, a, where))
        put_element(array, number, at, where);
    memory_changed(o, at, at + dtype_size(a->descr), where);
}

/* What an array of objects holds. */
void ndarray_visit(PyObject *o, visitproc visit, void *context)
{
    Node *node = is_ndarray(o) ? node_find(o) : NULL;
    if (node == NULL || node->layout != LAYOUT_NDARRAY || !is_object((ArrayNode *)node))
        return;
    for (size_t i = 0; i < ((ArrayNode *)node)->count; i++) {
        PyObject *v = SLOT_PTR(((ObjectSlot *)((ArrayNode *)node)->kept)[i].slot);
        if (visit(v, context) != 0)
            return;
    }
}
