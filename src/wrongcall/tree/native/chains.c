/* What chains of calls are made of, in one pass over the events (described in wrongcall/tree/from_trace.py). */
#include "event.h"
#include "kernels.h"

/* What a kind of event means here; wrongcall/tree/from_trace.py has the same numbers. */
enum { BEGINS = 1, ENDS = 2, BINDS = 4, WRITES = 8 };
#define TAG_OBJECT 4 /* events.Tag.OBJ */

/* By rising id. */
typedef struct {
    Py_ssize_t count;
    const int64_t *id, *entry, *exit;
    int64_t *subject, *returned, *written;
    int64_t part_events;
} Calls;

/* The row of a call; -1: it has none. Ids are mostly given out without gaps. */
static Py_ssize_t row_of(const Calls *calls, int64_t id)
{
    if (calls->count == 0 || id < calls->id[0])
        return -1;
    int64_t guess = id - calls->id[0];
    if (guess < calls->count && calls->id[guess] == id)
        return (Py_ssize_t)guess;
    Py_ssize_t low = 0, high = guess < calls->count ? (Py_ssize_t)guess : calls->count;
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (calls->id[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < calls->count && calls->id[low] == id ? low : -1;
}

/* Whether a call that began at a time may get an argument at a later one: in the same part of the trace or the next, no
 * later. So it makes no difference which other parts are looked at. */
static inline int gets_argument(const Calls *calls, int64_t entry, int64_t time)
{
    return time / calls->part_events <= entry / calls->part_events + 1;
}

/* Note what an event says about its call; `written`: the time of the last lasting write. */
static void note_event(const Event *event, int64_t time, uint8_t meaning, const Calls *calls, int64_t written)
{
    Py_ssize_t row = row_of(calls, (int64_t)call_of(event));
    if (row < 0)
        return;
    int is_object = event->vtag == TAG_OBJECT;
    if (meaning & BINDS) {
        if (calls->subject[row] < 0 && gets_argument(calls, calls->entry[row], time))
            calls->subject[row] = is_object ? event->value : 0;
    }
    else if (meaning & BEGINS) {
        if (calls->entry[row] == time)
            calls->written[row] = written;
    }
    else if (calls->exit[row] == time)
        calls->returned[row] = is_object ? event->value : -1;
}

static int64_t note_part(const Event *events, Py_ssize_t count, int64_t start, const uint8_t *meanings,
                         const uint8_t *is_param, Py_ssize_t sites, const Calls *calls, int64_t written)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        const Event *event = &events[i];
        uint8_t meaning = meanings[event->kind];
        if (meaning == 0)
            continue;
        if (meaning & WRITES)
            written = start + i;
        else if (!(meaning & BINDS) || (event->site < (size_t)sites && is_param[event->site]))
            note_event(event, start + i, meaning, calls, written);
    }
    return written;
}

static int get_calls(Pool *pool, PyObject *known, PyObject *noted, Calls *calls)
{
    PyObject *id, *entry, *exit, *subject, *returned, *written;
    calls->count = -1;
    if (!PyArg_ParseTuple(known, "OOO", &id, &entry, &exit) ||
        !PyArg_ParseTuple(noted, "OOO", &subject, &returned, &written))
        return -1;
    return (calls->id = column(pool, id, 8, &calls->count)) == NULL ||
                   (calls->entry = column(pool, entry, 8, &calls->count)) == NULL ||
                   (calls->exit = column(pool, exit, 8, &calls->count)) == NULL ||
                   (calls->subject = writable(pool, subject, 8, &calls->count)) == NULL ||
                   (calls->returned = writable(pool, returned, 8, &calls->count)) == NULL ||
                   (calls->written = writable(pool, written, 8, &calls->count)) == NULL
               ? -1
               : 0;
}

/* note_chains(events, start, part_events, meanings, is_param, (id, entry, exit), (subject, returned, written), last) -> last
 *
 * `start`: the time of the first event. `last`: the time of the last lasting write before that, and, returned, up to the
 * end of the part. */
static PyObject *note_chains(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *records, *meanings, *is_param, *known, *noted;
    long long start, part_events, last;
    if (!PyArg_ParseTuple(args, "OLLOOOOL", &records, &start, &part_events, &meanings, &is_param, &known,
                          &noted, &last))
        return NULL;
    if (part_events < 1) {
        PyErr_SetString(PyExc_ValueError, "parts must have room for events");
        return NULL;
    }
    Pool pool = {.count = 0};
    Calls calls;
    Py_ssize_t count = -1, kinds = 256, sites = -1;
    const Event *events;
    const uint8_t *meaning_of, *flags;
    PyObject *result = NULL;
    if ((events = column(&pool, records, sizeof *events, &count)) != NULL &&
        get_calls(&pool, known, noted, &calls) == 0 &&
        (meaning_of = column(&pool, meanings, 1, &kinds)) != NULL &&
        (flags = column(&pool, is_param, 1, &sites)) != NULL) {
        calls.part_events = part_events;
        Py_BEGIN_ALLOW_THREADS
        last = note_part(events, count, start, meaning_of, flags, sites, &calls, last);
        Py_END_ALLOW_THREADS
        result = PyLong_FromLongLong(last);
    }
    release(&pool);
    return result;
}

/* A tree, and when its calls ran: by row, and the row of each node. */
typedef struct {
    Py_ssize_t count, calls;
    const int32_t *parent, *end;
    const uint8_t *completed;
    const int32_t *rows; /* NULL: a node's number */
    const int64_t *entry, *exit;
} Forest;

static int get_forest(Pool *pool, PyObject *tuple, Forest *forest)
{
    PyObject *parent, *end, *completed, *rows, *entry, *exit;
    forest->count = forest->calls = -1;
    forest->rows = NULL;
    if (!PyArg_ParseTuple(tuple, "OOOOOO", &parent, &end, &completed, &rows, &entry, &exit))
        return -1;
    if ((forest->parent = column(pool, parent, 4, &forest->count)) == NULL ||
        (forest->end = column(pool, end, 4, &forest->count)) == NULL ||
        (forest->completed = column(pool, completed, 1, &forest->count)) == NULL ||
        (rows != Py_None && (forest->rows = column(pool, rows, 4, &forest->count)) == NULL) ||
        (forest->entry = column(pool, entry, 8, &forest->calls)) == NULL ||
        (forest->exit = column(pool, exit, 8, &forest->calls)) == NULL)
        return -1;
    for (Py_ssize_t v = 0; v < forest->count; v++) {
        int64_t row = forest->rows != NULL ? forest->rows[v] : v;
        if (row < 0 || row >= forest->calls || forest->end[v] <= v || forest->end[v] > forest->count) {
            PyErr_Format(PyExc_ValueError, "node %zd has row %lld and end %d", v, (long long)row,
                         (int)forest->end[v]);
            return -1;
        }
    }
    return 0;
}

static inline int64_t row_at(const Forest *forest, Py_ssize_t node)
{
    return forest->rows != NULL ? forest->rows[node] : node;
}

/* The next sibling of a node that began after the node ended, if both are completed; -1: there is none. */
static Py_ssize_t follower(const Forest *forest, Py_ssize_t node)
{
    Py_ssize_t next = forest->end[node];
    if (next == forest->count || forest->parent[next] != forest->parent[node] || !forest->completed[node] ||
        !forest->completed[next] || forest->exit[row_at(forest, node)] >= forest->entry[row_at(forest, next)])
        return -1;
    return next;
}

/* One more for the parts from one time to the one after another time. */
static void count_parts(int64_t *changes, Py_ssize_t last, int64_t part_events, int64_t from, int64_t to)
{
    int64_t begin = from / part_events, end = to / part_events + 2;
    if (begin >= 0 && begin <= last && end >= begin) {
        changes[begin]++;
        changes[end < last ? end : last]--;
    }
}

/* parts_of_chains(forest, part_events, changes) -> how many pairs there are
 *
 * Counts the pairs of neighbours for which a part of the events matters, as differences from the part before. */
static PyObject *parts_of_chains(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *tuple, *out;
    long long part_events;
    if (!PyArg_ParseTuple(args, "OLO", &tuple, &part_events, &out))
        return NULL;
    Pool pool = {.count = 0};
    Forest forest;
    Py_ssize_t length = -1, pairs = 0;
    int64_t *changes;
    PyObject *result = NULL;
    if (get_forest(&pool, tuple, &forest) < 0 || (changes = writable(&pool, out, 8, &length)) == NULL)
        goto done;
    if (part_events < 1 || length < 1) {
        PyErr_SetString(PyExc_ValueError, "parts must have room for events");
        goto done;
    }
    for (Py_ssize_t v = 0; v < forest.count; v++) {
        Py_ssize_t next = follower(&forest, v);
        if (next < 0)
            continue;
        int64_t row = row_at(&forest, v), entry = forest.entry[row_at(&forest, next)];
        pairs++;
        count_parts(changes, length - 1, part_events, forest.entry[row], forest.entry[row]);
        count_parts(changes, length - 1, part_events, forest.exit[row], entry);
    }
    result = PyLong_FromSsize_t(pairs);
done:
    release(&pool);
    return result;
}

/* link_chains(forest, (subject, returned, written), keys)
 *
 * Names each chain after its first node. */
static PyObject *link_chains(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *tuple, *subjects, *results, *writes, *out;
    if (!PyArg_ParseTuple(args, "O(OOO)O", &tuple, &subjects, &results, &writes, &out))
        return NULL;
    Pool pool = {.count = 0};
    Forest forest;
    const int64_t *subject, *returned, *written;
    int64_t *keys;
    PyObject *result = NULL;
    if (get_forest(&pool, tuple, &forest) < 0 ||
        (subject = column(&pool, subjects, 8, &forest.calls)) == NULL ||
        (returned = column(&pool, results, 8, &forest.calls)) == NULL ||
        (written = column(&pool, writes, 8, &forest.calls)) == NULL ||
        (keys = writable(&pool, out, 8, &forest.count)) == NULL)
        goto done;
    for (Py_ssize_t v = 0; v < forest.count; v++) {
        Py_ssize_t next = follower(&forest, v);
        if (next < 0)
            continue;
        int64_t row = row_at(&forest, v), after = row_at(&forest, next), its = subject[after];
        if (its <= 0 || (its != subject[row] && its != returned[row]) || written[after] >= forest.exit[row])
            continue;
        if (keys[v] < 0)
            keys[v] = v;
        keys[next] = keys[v];
    }
    result = Py_NewRef(Py_None);
done:
    release(&pool);
    return result;
}

PyMethodDef chains_methods[] = {
    {"note_chains", note_chains, METH_VARARGS, "Note what chains of calls are made of."},
    {"parts_of_chains", parts_of_chains, METH_VARARGS,
     "Count for which pairs of calls parts of the events matter."},
    {"link_chains", link_chains, METH_VARARGS, "Give each node the key of its chain."},
    {NULL, NULL, 0, NULL},
};
