/* What occurs in a segment: ids, kinds, and the beginnings and ends of calls. */
#include "packing.h"

typedef struct {
    uint64_t smallest, largest; /* of the ids that are not 0 */
    uint8_t *filter;            /* 65,536 bits, the lowest first */
} Ids;

static inline void note(Ids *ids, uint64_t id)
{
    if (id != 0 && id < ids->smallest)
        ids->smallest = id;
    if (id > ids->largest)
        ids->largest = id;
    ids->filter[(id & 0xFFFF) >> 3] |= (uint8_t)(1u << (id & 7));
}

static PyObject *zeros(Py_ssize_t size, uint8_t **memory)
{
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, size);
    if (bytes != NULL) {
        *memory = (uint8_t *)PyBytes_AS_STRING(bytes);
        memset(*memory, 0, (size_t)size);
    }
    return bytes;
}

/* survey(kind, call, obj, hi, objects) -> ((min_call, max_call, min_obj, max_obj), kinds, calls, objs):
 * `objects` has a flag for each kind whose `obj` counts. */
static PyObject *survey(PyObject *self, PyObject *args)
{
    PyObject *kind_object, *call_object, *obj_object, *hi_object, *table_object, *result = NULL;
    PyObject *kinds_bytes = NULL, *calls_bytes = NULL, *objs_bytes = NULL;
    Pool pool = {.count = 0};
    if (!PyArg_ParseTuple(args, "OOOOO", &kind_object, &call_object, &obj_object, &hi_object, &table_object))
        return NULL;
    Py_ssize_t count = -1, codes = 256;
    const uint8_t *kind, *hi, *table;
    const uint32_t *call, *obj;
    uint8_t *kinds = NULL, occurs[256] = {0};
    Ids calls = {UINT64_MAX, 0, NULL}, objs = {UINT64_MAX, 0, NULL};
    if ((kind = column(&pool, kind_object, 1, &count)) == NULL ||
        (call = column(&pool, call_object, 4, &count)) == NULL ||
        (obj = column(&pool, obj_object, 4, &count)) == NULL ||
        (hi = column(&pool, hi_object, 1, &count)) == NULL ||
        (table = column(&pool, table_object, 1, &codes)) == NULL ||
        (kinds_bytes = zeros(256 / 8, &kinds)) == NULL ||
        (calls_bytes = zeros(MOST / 8, &calls.filter)) == NULL ||
        (objs_bytes = zeros(MOST / 8, &objs.filter)) == NULL)
        goto done;
    /* The bytes are not anybody else's yet. */
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < count; i++) {
        occurs[kind[i]] = 1;
        note(&calls, call[i] | (uint64_t)(hi[i] & 15) << 32);
        note(&objs, table[kind[i]] ? obj[i] | (uint64_t)(hi[i] >> 4) << 32 : 0);
    }
    Py_END_ALLOW_THREADS
    for (int i = 0; i < 256; i++)
        kinds[i >> 3] |= (uint8_t)(occurs[i] << (i & 7));
    result =
        Py_BuildValue("(KKKK)OOO", calls.largest ? calls.smallest : 0, calls.largest,
                      objs.largest ? objs.smallest : 0, objs.largest, kinds_bytes, calls_bytes, objs_bytes);
done:
    Py_XDECREF(kinds_bytes);
    Py_XDECREF(calls_bytes);
    Py_XDECREF(objs_bytes);
    release(&pool);
    return result;
}

/* places(kind, wanted) -> where the kinds with a flag are, as 16-bit numbers. */
static PyObject *places(PyObject *self, PyObject *args)
{
    PyObject *kind_object, *table_object, *result = NULL;
    Pool pool = {.count = 0};
    if (!PyArg_ParseTuple(args, "OO", &kind_object, &table_object))
        return NULL;
    Py_ssize_t count = -1, codes = 256, found = 0;
    const uint8_t *kind, *table;
    uint16_t *where = NULL;
    if ((kind = column(&pool, kind_object, 1, &count)) == NULL ||
        (table = column(&pool, table_object, 1, &codes)) == NULL)
        goto done;
    if (count > MOST) {
        PyErr_Format(PyExc_ValueError, "%zd events are more than a segment has", count);
        goto done;
    }
    /* One place more than events: what is not wanted is written too, and overwritten. */
    if ((where = malloc((size_t)(count + 1) * sizeof *where)) == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        where[found] = (uint16_t)i;
        found += table[kind[i]] != 0;
    }
    result = PyBytes_FromStringAndSize((const char *)where, found * (Py_ssize_t)sizeof *where);
done:
    free(where);
    release(&pool);
    return result;
}

/* mark(numbers, flags): sets the flag of each number; the last one is for all that have none. */
static PyObject *mark(PyObject *self, PyObject *args)
{
    PyObject *numbers_object, *flags_object, *result = NULL;
    Pool pool = {.count = 0};
    if (!PyArg_ParseTuple(args, "OO", &numbers_object, &flags_object))
        return NULL;
    Py_ssize_t count = -1, size = -1;
    const uint32_t *numbers = column(&pool, numbers_object, 4, &count);
    uint8_t *flags = numbers == NULL ? NULL : writable(&pool, flags_object, 1, &size);
    if (flags == NULL)
        goto done;
    if (size < 1) {
        PyErr_SetString(PyExc_ValueError, "no flag is there");
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < count; i++)
        flags[numbers[i] < size - 1 ? numbers[i] : size - 1] = 1;
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    release(&pool);
    return result;
}

PyMethodDef survey_methods[] = {
    {"mark", mark, METH_VARARGS, "Which numbers occur."},
    {"survey", survey, METH_VARARGS, "Ranges and filters of ids, and the kinds that occur."},
    {"places", places, METH_VARARGS, "Where events of some kinds are."},
    {NULL, NULL, 0, NULL},
};
