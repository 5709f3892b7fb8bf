/* What a batch of events has that is looked at one by one: the dictionary, contents and processes. */
#include "packing.h"

/* The columns of contents, as wrongcall/trace/format/content_batch.py stores them. */
typedef struct {
    int64_t *id, *base, *length, *size;
    uint8_t *tag, *clipped, *appended;
    Py_ssize_t count;
} Contents;

typedef struct {
    Py_ssize_t begun;                    /* calls that begin */
    uint64_t newest_call, newest_object; /* 0: none is new */
    uint64_t owned;                      /* bytes that the events own */
    Py_ssize_t contents, others;
    uint32_t *where; /* the events that are looked at one by one: dictionary events and processes */
    Py_ssize_t count;
} Found;

static inline int is_content(const Event *event)
{
    return event->kind == KIND_CONTENT || event->kind == KIND_CONTENT_APPEND;
}

static inline uint64_t bytes_of(const Event *event)
{
    return (event->kind >= 1 && event->kind < KIND_THREAD) || event->kind == KIND_FIELDS ? obj_of(event) : 0;
}

static void look(const Event *events, Py_ssize_t count, const uint8_t *traits, Found *found)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        const Event *event = &events[i];
        uint8_t trait = traits[event->kind];
        if (trait & BEGINNING) {
            found->begun++;
            if (call_of(event) > found->newest_call)
                found->newest_call = call_of(event);
        }
        else if (trait & FIRST_SIGHT) {
            if (obj_of(event) > found->newest_object)
                found->newest_object = obj_of(event);
        }
        else if (event->kind < DICTIONARY_END || event->kind == KIND_PROCESS) {
            found->where[found->count++] = (uint32_t)i;
            found->owned += bytes_of(event);
            found->contents += is_content(event);
        }
    }
}

/* (place, kind, ktag, call, obj, key, value, begin, end): `begin` and `end` say which bytes the event owns. */
static PyObject *list_others(const Event *events, const Found *found)
{
    PyObject *list = PyList_New(found->count - found->contents);
    uint64_t begin = 0;
    for (Py_ssize_t i = 0, at = 0; list != NULL && i < found->count; i++) {
        const Event *event = &events[found->where[i]];
        uint64_t end = begin + bytes_of(event);
        if (!is_content(event)) {
            PyObject *row =
                Py_BuildValue("IBBKKLLKK", found->where[i], event->kind, event->ktag,
                              (unsigned long long)call_of(event), (unsigned long long)obj_of(event),
                              (long long)event->key, (long long)event->value, (unsigned long long)begin,
                              (unsigned long long)end);
            if (row == NULL)
                Py_CLEAR(list);
            else
                PyList_SET_ITEM(list, at++, row);
        }
        begin = end;
    }
    return list;
}

static void fill_contents(const Event *events, const Found *found, Contents *to)
{
    for (Py_ssize_t i = 0, at = 0; i < found->count; i++) {
        const Event *event = &events[found->where[i]];
        if (!is_content(event))
            continue;
        int appended = event->kind == KIND_CONTENT_APPEND;
        to->id[at] = event->value;
        to->base[at] = appended ? event->key : 0;
        to->length[at] = appended ? 0 : event->key;
        to->size[at] = (int64_t)obj_of(event);
        to->tag[at] = event->vtag;
        to->clipped[at] = event->ktag == 1;
        to->appended[at] = (uint8_t)appended;
        at++;
    }
}

/* Bytes objects for the seven columns of contents. */
static PyObject *tuple_contents(const Event *events, const Found *found)
{
    PyObject *columns[7] = {NULL}, *result = NULL;
    for (int i = 0; i < 7; i++)
        if ((columns[i] = PyBytes_FromStringAndSize(NULL, found->contents * (i < 4 ? 8 : 1))) == NULL)
            goto done;
    /* The memory of bytes objects is aligned for any number. */
    Contents to = {(void *)PyBytes_AS_STRING(columns[0]), (void *)PyBytes_AS_STRING(columns[1]),
                   (void *)PyBytes_AS_STRING(columns[2]), (void *)PyBytes_AS_STRING(columns[3]),
                   (void *)PyBytes_AS_STRING(columns[4]), (void *)PyBytes_AS_STRING(columns[5]),
                   (void *)PyBytes_AS_STRING(columns[6]), found->contents};
    fill_contents(events, found, &to);
    result =
        PyTuple_Pack(7, columns[0], columns[1], columns[2], columns[3], columns[4], columns[5], columns[6]);
done:
    for (int i = 0; i < 7; i++)
        Py_XDECREF(columns[i]);
    return result;
}

/* read_batch(events, traits) -> (begun, newest_call, newest_object, owned, others, contents) */
static PyObject *read_batch(PyObject *self, PyObject *args)
{
    PyObject *object, *table, *result = NULL;
    Pool pool = {.count = 0};
    Found found = {.count = 0};
    Py_ssize_t count = 0, kinds = KINDS;
    if (!PyArg_ParseTuple(args, "OO", &object, &table))
        return NULL;
    const Event *events = get_records(&pool, object, &count);
    const uint8_t *traits = events == NULL ? NULL : column(&pool, table, 1, &kinds);
    if (traits == NULL)
        goto done;
    if (count >= UINT32_MAX || (found.where = malloc((size_t)(count + 1) * sizeof *found.where)) == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    look(events, count, traits, &found);
    Py_END_ALLOW_THREADS
    PyObject *others = list_others(events, &found);
    PyObject *contents = others == NULL ? NULL : tuple_contents(events, &found);
    if (contents != NULL)
        result = Py_BuildValue("nKKKOO", found.begun, (unsigned long long)found.newest_call,
                               (unsigned long long)found.newest_object, (unsigned long long)found.owned,
                               others, contents);
    Py_XDECREF(others);
    Py_XDECREF(contents);
done:
    free(found.where);
    release(&pool);
    return result;
}

PyMethodDef batch_methods[] = {
    {"read_batch", read_batch, METH_VARARGS, "What a batch has that is looked at one by one."},
    {NULL, NULL, 0, NULL},
};
