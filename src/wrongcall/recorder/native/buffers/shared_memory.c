/* Who shares memory with whom: a change through one numpy array or memoryview shows in every object that uses
   the same memory.

   Every array that is recorded belongs to the family of its *root*: the object that the memory belongs
   to, found by following its bases. A root is alive as long as a member is, because members hold it. Among the
   members those are looked at whose memory overlaps what was written. */
#include "base/compat.h"
#include "base/allocate.h"
#include "base/instance.h"
#include "buffers/buffers.h"
#include "compare/resync.h"
#include "emit/event.h"
#include "emit/events.h"
#include "recorder.h"
#include "shadow/first_sight.h"
#include "shadow/nodes.h"
#include "shadow/shape.h"
#include <string.h>

typedef struct Family {
    PyObject *root; /* borrowed */
    ArrayNode **members;
    uint32_t count, room;
    struct Family *next; /* in its bucket */
} Family;

/* -- families by root ------------------------------------------------------------------------------------------ */

static Family **place_of(PyObject *root)
{
    size_t hash = (size_t)(((uint64_t)(uintptr_t)root >> 4) * 0x9E3779B97F4A7C15ull >> 32);
    Family **place = &recorder.families.buckets[hash & (recorder.families.bucket_count - 1)];
    while (*place != NULL && (*place)->root != root)
        place = &(*place)->next;
    return place;
}

static Family *family_of(PyObject *root)
{
    return recorder.families.family_count == 0 ? NULL : *place_of(root);
}

static void grow(void)
{
    size_t old_count = recorder.families.bucket_count;
    Family **old = recorder.families.buckets;
    Family **bigger = allocate(old_count == 0 ? 256 : old_count * 2, sizeof *recorder.families.buckets);
    if (bigger == NULL)
        return;
    recorder.families.buckets = bigger;
    recorder.families.bucket_count = old_count == 0 ? 256 : old_count * 2;
    for (size_t i = 0; i < old_count; i++) {
        while (old[i] != NULL) {
            Family *family = old[i];
            old[i] = family->next;
            family->next = NULL;
            *place_of(family->root) = family;
        }
    }
    release(old);
}

static Family *family_for(PyObject *root)
{
    if (recorder.families.family_count >= recorder.families.bucket_count)
        grow();
    Family **place = place_of(root);
    if (*place == NULL) {
        *place = allocate(1, sizeof **place);
        (*place)->root = root;
        recorder.families.family_count++;
    }
    return *place;
}

/* -- roots ----------------------------------------------------------------------------------------------------------- */

static bool is_of_numpy(PyObject *o, const char *name)
{
    return !(Py_TYPE(o)->tp_flags & Py_TPFLAGS_HEAPTYPE) && strcmp(Py_TYPE(o)->tp_name, name) == 0;
}

/* An iterator's operand that has this address; borrowed from the iterator, NULL: none. */
static PyObject *operand_at(PyObject *iterator, const char *address)
{
    int collecting = PyGC_Disable(); /* a collection may run code of the program */
    PyObject *found = NULL, *operands = PyObject_GetAttrString(iterator, "operands");
    for (Py_ssize_t i = 0; operands != NULL && PyTuple_Check(operands) && i < PyTuple_GET_SIZE(operands);
         i++) {
        const char *from, *end;
        PyObject *operand = PyTuple_GET_ITEM(operands, i);
        if (is_ndarray(operand) && ndarray_extent(operand, &from, &end) && from <= address && address < end)
            found = operand;
    }
    Py_XDECREF(operands);
    drop_error();
    if (collecting)
        PyGC_Enable();
    return found;
}

/* What as_strided makes an array of has the original in its attribute `base`. */
static PyObject *stood_for(PyObject *o)
{
    Py_ssize_t hint = -1;
    PyTypeObject *t = Py_TYPE(o);
    if (!(t->tp_flags & Py_TPFLAGS_HEAPTYPE) ||
        (t->tp_dictoffset == 0 && !(t->tp_flags & Py_TPFLAGS_MANAGED_DICT)))
        return NULL;
    PyObject *base = instance_get(o, recorder.names.base, &hint);
    return base != NULL && is_ndarray(base) ? base : NULL;
}

/* A record of a structured array, which is a view of its element (numpy.void; PyVoidScalarObject, as every
   extension is compiled with it). */
typedef struct {
    PyObject_VAR_HEAD /* size: in bytes */
    char *data;
    PyObject *descr;
    int flags;
    PyObject *base; /* owned: the array; NULL: the memory is the record's own */
} Record;

static bool is_record(PyObject *o)
{
    PyTypeObject *t = Py_TYPE(o);
    while (t != NULL && (t->tp_flags & Py_TPFLAGS_HEAPTYPE)) /* numpy.record is a subclass */
        t = t->tp_base;
    return t != NULL && strcmp(t->tp_name, "numpy.void") == 0 &&
           t->tp_basicsize >= (Py_ssize_t)sizeof(Record);
}

/* The object that owns the memory at an address that this object uses; NULL: it owns it itself. Borrowed. */
static PyObject *source_of(PyObject *o, const char *address)
{
    if (is_ndarray(o))
        return ndarray_owner(o);
    if (PyMemoryView_Check(o))
        return compat_view_is_released(o) ? NULL : PyMemoryView_GET_BASE(o);
    if (PyByteArray_Check(o) || PyBytes_Check(o))
        return NULL;
    if (is_record(o))
        return ((Record *)o)->base;
    if (is_of_numpy(o, "numpy.nditer"))
        return operand_at(o, address);
    return stood_for(o);
}

static PyObject *root_of(PyObject *o, const char *address)
{
    for (int i = 0; i < 32; i++) {
        PyObject *source = source_of(o, address);
        if (source == NULL)
            break;
        o = source;
    }
    return o;
}

/* -- members --------------------------------------------------------------------------------------------------------------- */

void memory_join(ArrayNode *array)
{
    const char *from = NULL, *end;
    ndarray_extent(array->object, &from, &end);
    Family *family = family_for(root_of(array->object, from));
    if (family->count == family->room) {
        uint32_t room = family->room == 0 ? 4 : family->room * 2;
        ArrayNode **bigger = reallocate(family->members, room, sizeof *family->members);
        if (bigger == NULL)
            return;
        family->members = bigger;
        family->room = room;
    }
    array->family = family;
    array->place = family->count;
    family->members[family->count++] = array;
}

void memory_leave(ArrayNode *array)
{
    Family *family = array->family;
    if (family == NULL)
        return;
    array->family = NULL;
    ArrayNode *last = family->members[--family->count];
    family->members[array->place] = last;
    last->place = array->place;
    if (family->count > 0)
        return;
    *place_of(family->root) = family->next;
    release(family->members);
    release(family);
    recorder.families.family_count--;
}

/* -- changes ------------------------------------------------------------------------------------------------------------------- */

static void root_changed(PyObject *root, const char *from, const char *end, Where at)
{
    Node *node = PyByteArray_Check(root) || array_base(Py_TYPE(root)) != NULL ? explore_touch(root) : NULL;
    if (node != NULL)
        raw_look(root, (RawNode *)node, from, end, at);
}

void memory_changed(PyObject *o, const char *from, const char *end, Where at)
{
    PyObject *root = root_of(o, from);
    Family *family;
    if (root != o)
        root_changed(root, from, end, at);
    /* Looking at a member may find it in another family: so the family is asked for again. */
    for (uint32_t i = 0; (family = family_of(root)) != NULL && i < family->count; i++) {
        if (family->members[i]->object != o)
            ndarray_look(family->members[i], from, end, at);
    }
}

/* The memory that an object gives access to; false: none that is known. */
static bool accessible(PyObject *o, const char **from, const char **end)
{
    if (is_ndarray(o))
        return ndarray_extent(o, from, end);
    if (is_record(o)) {
        *from = ((Record *)o)->data;
        *end = *from + Py_SIZE(o);
        return ((Record *)o)->base != NULL && Py_SIZE(o) > 0;
    }
    if (!PyMemoryView_Check(o) || compat_view_is_released(o))
        return false;
    Py_buffer *view = PyMemoryView_GET_BUFFER(o);
    *from = view->buf;
    *end = *from + view->itemsize;
    for (int i = 0; i < view->ndim; i++) {
        Py_ssize_t reach = (view->shape[i] - 1) * view->strides[i];
        if (view->shape[i] == 0)
            return false;
        *(reach < 0 ? from : end) += reach;
    }
    return view->suboffsets == NULL;
}

/* x.flat: it has an attribute, so it may be recorded as an instance. */
static bool is_flat(PyObject *o)
{
    return is_of_numpy(o, "numpy.flatiter");
}

static void flat_resync(PyObject *o, Where at)
{
    PyObject *array = PyObject_GetAttrString(o, "base");
    if (array != NULL)
        resync(array, at);
    Py_XDECREF(array);
    drop_error();
}

void memory_resync(PyObject *o, Where at)
{
    const char *from, *end;
    if (is_flat(o))
        flat_resync(o, at);
    else if (accessible(o, &from, &end))
        memory_changed(o, from, end, at);
}

/* memoryview[i] = v, memoryview[i:j] = v: these elements. */
static bool view_elements(PyObject *o, PyObject *key, const char **from, const char **end)
{
    int64_t index;
    Py_ssize_t start, step = 1;
    size_t count = 1;
    if (!PyMemoryView_Check(o) || compat_view_is_released(o))
        return false;
    Py_buffer *view = PyMemoryView_GET_BUFFER(o);
    if (view->ndim != 1 || view->suboffsets != NULL)
        return false;
    if (PyLong_CheckExact(key) && compat_small_int(key, &index))
        start = (Py_ssize_t)index + (index < 0 ? view->shape[0] : 0);
    else if (!plain_slice(key, (size_t)view->shape[0], &start, &step, &count))
        return false;
    if (count == 0 || start < 0 || start >= view->shape[0])
        return false;
    Py_ssize_t last = start + step * ((Py_ssize_t)count - 1);
    const char *one = (const char *)view->buf + start * view->strides[0];
    const char *other = (const char *)view->buf + last * view->strides[0];
    *from = one < other ? one : other;
    *end = (one < other ? other : one) + view->itemsize;
    return true;
}

bool memory_subscript(PyObject *o, Node *node, PyObject *key, bool deleted, Where at)
{
    const char *from, *end;
    if (node != NULL && (node->layout == LAYOUT_BYTEARRAY || node->layout == LAYOUT_ARRAY))
        raw_subscript(o, (RawNode *)node, key, deleted, at);
    else if (node != NULL && node->layout == LAYOUT_NDARRAY)
        ndarray_subscript(o, (ArrayNode *)node, key, at);
    else if (is_record(o))
        memory_resync(o, at);
    else if (node != NULL && node->layout != LAYOUT_OPAQUE && !is_flat(o) && !PyMemoryView_Check(o))
        return false;
    else if (view_elements(o, key, &from, &end))
        memory_changed(o, from, end, at);
    else if (is_ndarray(o))
        ndarray_subscript(o, NULL, key, at);
    else
        memory_resync(o, at);
    return true;
}
