/* Events as records and as columns. */
#include "packing.h"

/* Events as columns. */
typedef struct {
    uint8_t *kind, *ktag, *vtag, *hi;
    uint32_t *site, *call, *obj;
    int64_t *key, *value;
    Py_ssize_t count;
} Columns;

static const Py_ssize_t WIDTHS[] = {1, 1, 1, 1, 4, 4, 4, 8, 8};

static int get_columns(Pool *pool, PyObject *tuple, Columns *columns, int write)
{
    const Py_ssize_t fields = sizeof WIDTHS / sizeof WIDTHS[0];
    if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) != fields) {
        PyErr_SetString(PyExc_TypeError, "a tuple of the nine columns is needed");
        return -1;
    }
    void *found[9];
    columns->count = -1;
    for (Py_ssize_t i = 0; i < fields; i++) {
        PyObject *object = PyTuple_GET_ITEM(tuple, i);
        found[i] = write ? writable(pool, object, WIDTHS[i], &columns->count)
                         : (void *)column(pool, object, WIDTHS[i], &columns->count);
        if (found[i] == NULL)
            return -1;
    }
    columns->kind = found[0], columns->ktag = found[1], columns->vtag = found[2], columns->hi = found[3];
    columns->site = found[4], columns->call = found[5], columns->obj = found[6];
    columns->key = found[7], columns->value = found[8];
    return 0;
}

const Event *get_records(Pool *pool, PyObject *object, Py_ssize_t *count)
{
    static const Event nothing[1];
    if (pool->count == (int)(sizeof pool->views / sizeof pool->views[0])) {
        PyErr_SetString(PyExc_SystemError, "too many buffers");
        return NULL;
    }
    Py_buffer *view = &pool->views[pool->count];
    if (PyObject_GetBuffer(object, view, PyBUF_SIMPLE) < 0)
        return NULL;
    pool->count++;
    if (view->len == 0) { /* its address may be any */
        *count = 0;
        return nothing;
    }
    if (view->len % (Py_ssize_t)sizeof(Event) != 0 || (uintptr_t)view->buf % _Alignof(Event) != 0) {
        PyErr_Format(PyExc_ValueError, "%zd bytes are not whole events", view->len);
        return NULL;
    }
    *count = view->len / (Py_ssize_t)sizeof(Event);
    return view->buf != NULL ? view->buf : nothing;
}

/* to_columns(events, columns, at): copies the fields of events to columns, from this index on. */
static PyObject *to_columns(PyObject *self, PyObject *args)
{
    PyObject *object, *tuple, *result = NULL;
    Py_ssize_t at, count = 0;
    Pool pool = {.count = 0};
    Columns to;
    if (!PyArg_ParseTuple(args, "OOn", &object, &tuple, &at))
        return NULL;
    const Event *events = get_records(&pool, object, &count);
    if (events == NULL || get_columns(&pool, tuple, &to, 1) < 0)
        goto done;
    if (at < 0 || at > to.count || count > to.count - at) {
        PyErr_Format(PyExc_ValueError, "no room for %zd events at %zd", count, at);
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < count; i++) {
        const Event *event = &events[i];
        Py_ssize_t j = at + i;
        to.kind[j] = event->kind;
        to.ktag[j] = event->ktag;
        to.vtag[j] = event->vtag;
        to.hi[j] = event->hi;
        to.site[j] = event->site;
        to.call[j] = event->call;
        to.obj[j] = event->obj;
        to.key[j] = event->key;
        to.value[j] = event->value;
    }
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    release(&pool);
    return result;
}

/* to_events(columns, events): the inverse. */
static PyObject *to_events(PyObject *self, PyObject *args)
{
    PyObject *object, *tuple, *result = NULL;
    Pool pool = {.count = 0};
    Columns from;
    if (!PyArg_ParseTuple(args, "OO", &tuple, &object))
        return NULL;
    Event *events = NULL;
    if (get_columns(&pool, tuple, &from, 0) < 0 ||
        (events = writable(&pool, object, sizeof(Event), &from.count)) == NULL)
        goto done;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < from.count; i++)
        events[i] = (Event){from.kind[i], from.ktag[i], from.vtag[i], from.hi[i],   from.site[i],
                            from.call[i], from.obj[i],  from.key[i],  from.value[i]};
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    release(&pool);
    return result;
}

/* owners(events, roles, out): the owner of each event, as `sift.c` numbers them; 0: none. */
static PyObject *owners(PyObject *self, PyObject *args)
{
    PyObject *object, *roles_object, *out_object, *result = NULL;
    Pool pool = {.count = 0};
    Py_ssize_t count = -1, codes = 256;
    if (!PyArg_ParseTuple(args, "OOO", &object, &roles_object, &out_object))
        return NULL;
    const Event *events = column(&pool, object, sizeof(Event), &count);
    const uint8_t *roles = events == NULL ? NULL : column(&pool, roles_object, 1, &codes);
    uint64_t *out = roles == NULL ? NULL : writable(&pool, out_object, 8, &count);
    if (out == NULL)
        goto done;
    for (Py_ssize_t i = 0; i < count; i++) {
        const Event *event = &events[i];
        uint64_t obj = event->obj | (uint64_t)(event->hi >> 4) << 32;
        uint64_t call = event->call | (uint64_t)(event->hi & 15) << 32;
        out[i] = roles[event->kind] & OF_OBJECT ? obj | IS_OBJECT : obj != 0 ? obj : call;
    }
    result = Py_NewRef(Py_None);
done:
    release(&pool);
    return result;
}

PyMethodDef rows_methods[] = {
    {"owners", owners, METH_VARARGS, "Whose each event is."},
    {"to_columns", to_columns, METH_VARARGS, "Copy the fields of events to columns."},
    {"to_events", to_events, METH_VARARGS, "Copy columns to the fields of events."},
    {NULL, NULL, 0, NULL},
};
