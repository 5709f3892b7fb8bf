/* Which objects a call and others write to and name, in one pass over events (described in
 * wrongcall/analysis/effects/writers.py). */
#include "pool.h"

#include <stdint.h>
#include <string.h>

/* What a kind of event means here; writers.py has the same numbers. */
enum { WRITE = 1, SIGHT = 2, SHIFT = 4, OF_OBJECT = 8, LOCAL = 16, BIRTH = 32 };
#define TAG_OBJECT 4 /* events.Tag.OBJ */

/* What objects are noted for. */
enum { OWN, SHIFTED, OTHERS, MADE, PENDING, TOUCHED, LISTS };

/* Most objects are named again and again, by events near each other: remembering a few of them is enough to note them
 * once, or a few times. */
enum { RECENT_BITS = 10, RECENT = 1 << RECENT_BITS };

typedef struct {
    const uint8_t *kind, *hi, *vtag, *own;
    const uint32_t *call, *obj;
    const int64_t *value;
} Part;

typedef struct {
    int64_t *numbers[LISTS];
    int64_t *times; /* of what is touched */
    int64_t *bound; /* positions of events */
    Py_ssize_t counts[LISTS], bound_count;
    uint64_t recent[RECENT];
    int first_is_own; /* whether the first event with a call is the call's own; -1: there is none */
} Notes;

static void note(Notes *notes, int list, int64_t number, int64_t time)
{
    uint64_t key = (uint64_t)number * LISTS + (uint64_t)list + 1;
    uint64_t *recent = &notes->recent[(key * 0x9E3779B97F4A7C15u) >> (64 - RECENT_BITS)];
    if (*recent == key)
        return;
    *recent = key;
    Py_ssize_t at = notes->counts[list]++;
    notes->numbers[list][at] = number;
    if (list == TOUCHED)
        notes->times[at] = time;
}

/* An event with a call shows who made the objects that were first seen just before. */
static void end_births(Notes *notes, int is_own)
{
    if (notes->first_is_own < 0)
        notes->first_is_own = is_own;
    if (!is_own)
        for (Py_ssize_t k = 0; k < notes->counts[PENDING]; k++)
            notes->numbers[MADE][notes->counts[MADE]++] = notes->numbers[PENDING][k];
    notes->counts[PENDING] = 0;
}

static void note_written(Notes *notes, uint8_t meaning, int is_own, int64_t obj, int64_t newest)
{
    if (meaning & WRITE) {
        note(notes, is_own ? OWN : OTHERS, obj, 0);
        if (is_own && meaning & SHIFT)
            note(notes, SHIFTED, obj, 0);
    }
    else if (meaning & SIGHT && obj <= newest)
        note(notes, OTHERS, obj, 0);
}

static void note_part(const Part *part, Py_ssize_t count, const uint8_t *meanings, int64_t first,
                      int64_t before, int64_t newest, Notes *notes)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        uint8_t meaning = meanings[part->kind[i]];
        int is_own = part->own[i];
        int64_t obj = (int64_t)part->obj[i] | (int64_t)(part->hi[i] >> 4) << 32;
        if (meaning & BIRTH && obj > newest)
            notes->numbers[PENDING][notes->counts[PENDING]++] = obj;
        if (part->call[i] != 0 || (part->hi[i] & 15) != 0)
            end_births(notes, is_own);
        if (first + i > before) {
            note_written(notes, meaning, is_own, obj, newest);
            if (is_own && meaning & LOCAL && obj > 0)
                notes->bound[notes->bound_count++] = i;
        }
        if (is_own && part->vtag[i] == TAG_OBJECT)
            note(notes, TOUCHED, part->value[i], first + i);
        if (is_own && meaning & OF_OBJECT)
            note(notes, TOUCHED, obj, first + i);
    }
}

static int get_part(Pool *pool, PyObject *tuple, Part *part, Py_ssize_t *count)
{
    PyObject *kind, *call, *obj, *hi, *vtag, *value, *own;
    if (!PyArg_ParseTuple(tuple, "OOOOOOO", &kind, &call, &obj, &hi, &vtag, &value, &own))
        return -1;
    return (part->kind = column(pool, kind, 1, count)) == NULL ||
                   (part->call = column(pool, call, 4, count)) == NULL ||
                   (part->obj = column(pool, obj, 4, count)) == NULL ||
                   (part->hi = column(pool, hi, 1, count)) == NULL ||
                   (part->vtag = column(pool, vtag, 1, count)) == NULL ||
                   (part->value = column(pool, value, 8, count)) == NULL ||
                   (part->own = column(pool, own, 1, count)) == NULL
               ? -1
               : 0;
}

/* The lists have room for one number for each event, what is touched for two. */
static int get_notes(Pool *pool, PyObject *rows, PyObject *touched, PyObject *times, Py_ssize_t count,
                     Notes *notes)
{
    Py_ssize_t room = -1, pairs = -1;
    int64_t *all = writable(pool, rows, 8, &room);
    if (all == NULL || (notes->numbers[TOUCHED] = writable(pool, touched, 8, &pairs)) == NULL ||
        (notes->times = writable(pool, times, 8, &pairs)) == NULL)
        return -1;
    if (room < LISTS * count || pairs < 2 * count) {
        PyErr_SetString(PyExc_ValueError, "there is no room for the notes");
        return -1;
    }
    for (int list = 0; list < TOUCHED; list++)
        notes->numbers[list] = all + list * count;
    notes->bound = all + TOUCHED * count;
    memset(notes->counts, 0, sizeof notes->counts);
    memset(notes->recent, 0, sizeof notes->recent);
    notes->bound_count = 0;
    notes->first_is_own = -1;
    return 0;
}

/* note_writers((kind, call, obj, hi, vtag, value, own), meanings, first, before, newest, rows, touched, times)
 * -> ((own, shifted, others, made, pending, bound), touched, first_is_own)
 *
 * Fills rows with six lists, one after the other, each with room for as many numbers as there are events, and returns
 * their lengths. `pending`: the objects that were first seen after the last event with a call. */
static PyObject *note_writers(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *columns, *table, *rows, *touched, *times, *result = NULL;
    long long first, before, newest;
    if (!PyArg_ParseTuple(args, "OOLLLOOO", &columns, &table, &first, &before, &newest, &rows, &touched,
                          &times))
        return NULL;
    Pool pool = {.count = 0};
    Part part;
    Notes notes;
    Py_ssize_t count = -1, kinds = 256;
    const uint8_t *meanings;
    if (get_part(&pool, columns, &part, &count) == 0 &&
        (meanings = column(&pool, table, 1, &kinds)) != NULL &&
        get_notes(&pool, rows, touched, times, count, &notes) == 0) {
        Py_BEGIN_ALLOW_THREADS
        note_part(&part, count, meanings, first, before, newest, &notes);
        Py_END_ALLOW_THREADS
        const Py_ssize_t *counts = notes.counts;
        result = Py_BuildValue("(nnnnnn)ni", counts[OWN], counts[SHIFTED], counts[OTHERS], counts[MADE],
                               counts[PENDING], notes.bound_count, counts[TOUCHED], notes.first_is_own);
    }
    release(&pool);
    return result;
}

static PyMethodDef methods[] = {
    {"note_writers", note_writers, METH_VARARGS, "Note what events write to and name."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "wrongcall.analysis.effects._writers",
    .m_doc = "Finds what is written while others run.",
    .m_size = 0,
    .m_methods = methods,
};

PyMODINIT_FUNC PyInit__writers(void)
{
    return PyModule_Create(&definition);
}
