/* A segment in its stored form, but for compression: its columns, its summary and its table of calls
 * (wrongcall/trace/format/segment.py, segment_summary.py and call_index.py describe them). */
#include "packing.h"

#include <stddef.h>

enum { EVENT_COLUMNS = 9, CALL_COLUMNS = 7, FILTERS = 2, PIECES = EVENT_COLUMNS + CALL_COLUMNS + FILTERS };
#define FILTER_BYTES (MOST / 8)
/* For each event at most its 32 bytes, and those of a beginning or an end of a call. */
#define PLANES_BYTES (MOST * (32 + 22 + 11) + FILTERS * FILTER_BYTES)

/* What packing a segment needs besides its events; callers use it again. */
typedef struct {
    uint64_t numbers[MOST], wide[MOST];
    uint32_t next[MOST + 1];
    uint16_t order[MOST], begun[MOST + 1], ended[MOST + 1];
    uint8_t planes[PLANES_BYTES];
} Room;

/* A part of the planes that is compressed by itself. */
typedef struct {
    uint8_t how;
    uint32_t begin, end;
} Piece;

typedef struct {
    uint64_t smallest, largest, last; /* of the ids that are not 0 */
    uint8_t *filter;                  /* 65,536 bits, the lowest first */
} Ids;

typedef struct {
    const Columns *events;
    const uint8_t *traits;
    uint8_t inline_tag;
    Room *room;
    Ids calls, objs;
    uint8_t kinds[KINDS / 8];
    Py_ssize_t begun, ended;
    int wide; /* whether call ids take 8 bytes */
    Piece pieces[PIECES];
    int count;
    uint32_t used;
} Segment;

static inline void note(Ids *ids, uint64_t id)
{
    if (id == ids->last)
        return;
    ids->last = id;
    if (id != 0 && id < ids->smallest)
        ids->smallest = id;
    if (id > ids->largest)
        ids->largest = id;
    ids->filter[(id & 0xFFFF) >> 3] |= (uint8_t)(1u << (id & 7));
}

/* Put the filters where the planes end; the table of calls follows from what else is found. */
static void survey(Segment *segment)
{
    const Columns *v = segment->events;
    Room *room = segment->room;
    uint8_t occurs[KINDS] = {0}, high = 0;
    uint8_t *filters = room->planes + segment->used;
    memset(filters, 0, FILTERS * FILTER_BYTES);
    segment->calls = (Ids){UINT64_MAX, 0, UINT64_MAX, filters};
    segment->objs = (Ids){UINT64_MAX, 0, UINT64_MAX, filters + FILTER_BYTES};
    for (Py_ssize_t i = 0; i < v->count; i++) {
        uint8_t traits = segment->traits[v->kind[i]];
        occurs[v->kind[i]] = 1;
        note(&segment->calls, call_of(v, i));
        note(&segment->objs, traits & HAS_OBJECT ? obj_of(v, i) : 0);
        /* What is not wanted is written too, and overwritten. */
        room->begun[segment->begun] = (uint16_t)i;
        room->ended[segment->ended] = (uint16_t)i;
        segment->begun += (traits & BEGINNING) != 0;
        segment->ended += (traits & END) != 0;
        high |= traits & (BEGINNING | END) ? v->hi[i] : 0;
    }
    segment->wide = high != 0;
    for (int i = 0; i < KINDS; i++)
        segment->kinds[i >> 3] |= (uint8_t)(occurs[i] << (i & 7));
    for (int i = 0; i < FILTERS; i++) {
        segment->pieces[segment->count++] = (Piece){ROWS, segment->used, segment->used + FILTER_BYTES};
        segment->used += FILTER_BYTES;
    }
}

static void add(Segment *segment, int width, const void *numbers, const uint16_t *order, Py_ssize_t count,
                uint8_t coding)
{
    uint8_t *to = segment->room->planes + segment->used;
    uint32_t begin = segment->used;
    if (coding == ROWS) {
        const uint64_t *eights = numbers;
        const uint8_t *ones = numbers;
        for (Py_ssize_t i = 0; i < count; i++)
            if (width == 8)
                memcpy(to + 8 * i, &eights[order[i]], 8);
            else
                to[i] = ones[order[i]];
        segment->used += (uint32_t)(count * width);
    }
    else {
        int height = put_planes(width, numbers, order, coding == DELTA, count, segment->room->numbers, to);
        coding |= (uint8_t)(height << 4);
        segment->used += (uint32_t)(height * count);
    }
    segment->pieces[segment->count++] = (Piece){coding, begin, segment->used};
}

/* Whether most of the tags are those of short strings or bytes, which match as a whole. */
static int mostly_inline(const uint8_t *tags, Py_ssize_t count, uint8_t first)
{
    Py_ssize_t found = 0;
    for (Py_ssize_t i = 0; i < count; i++)
        found += tags[i] >= first;
    return found * 2 > count;
}

static void add_events(Segment *segment)
{
    const Columns *v = segment->events;
    uint16_t *order = segment->room->order;
    Py_ssize_t count = v->count;
    group_by_site(v->site, count, segment->room->next, order);
    add(segment, 4, v->site, NULL, count, DELTA);
    add(segment, 4, v->call, NULL, count, DELTA);
    add(segment, 1, v->kind, order, count, PLANES);
    add(segment, 1, v->ktag, order, count, PLANES);
    add(segment, 1, v->vtag, order, count, PLANES);
    add(segment, 1, v->hi, order, count, PLANES);
    add(segment, 4, v->obj, order, count, DELTA);
    add(segment, 8, v->key, order, count, mostly_inline(v->ktag, count, segment->inline_tag) ? ROWS : DELTA);
    add(segment, 8, v->value, order, count,
        mostly_inline(v->vtag, count, segment->inline_tag) ? ROWS : PLANES);
}

/* Add the ids of calls or their parents, at the events of an order. */
static void add_ids(Segment *segment, const uint32_t *low, int shift, const uint16_t *where, Py_ssize_t count)
{
    uint64_t *wide = segment->room->wide;
    if (!segment->wide) {
        add(segment, 4, low, where, count, DELTA);
        return;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        wide[i] = low[where[i]] | (uint64_t)(segment->events->hi[where[i]] >> shift & 15) << 32;
    add(segment, 8, wide, NULL, count, DELTA);
}

static void add_calls(Segment *segment)
{
    const Columns *v = segment->events;
    const uint16_t *begun = segment->room->begun, *ended = segment->room->ended;
    add(segment, 2, begun, NULL, segment->begun, DELTA);
    add_ids(segment, v->call, 0, begun, segment->begun);
    add_ids(segment, v->obj, 4, begun, segment->begun);
    add(segment, 4, v->site, begun, segment->begun, PLANES);
    add(segment, 2, ended, NULL, segment->ended, DELTA);
    add_ids(segment, v->call, 0, ended, segment->ended);
    add(segment, 1, v->kind, ended, segment->ended, ROWS);
}

static PyObject *list_pieces(const Segment *segment)
{
    PyObject *list = PyList_New(segment->count);
    Py_ssize_t first = (Py_ssize_t)offsetof(Room, planes);
    for (int i = 0; list != NULL && i < segment->count; i++) {
        Piece piece = segment->pieces[i];
        PyObject *row = Py_BuildValue("Bnn", piece.how, first + piece.begin, first + piece.end);
        if (row == NULL)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, i, row);
    }
    return list;
}

/* segment_room() -> how many bytes `pack_segment` needs. */
static PyObject *segment_room(PyObject *self, PyObject *args)
{
    return PyLong_FromSize_t(sizeof(Room));
}

/* pack_segment(columns, traits, inline_tag, room)
 * -> ((min_call, max_call, min_obj, max_obj), kinds, (begun, ended, width), [(coding, begin, end), ...])
 *
 * The pieces lie in `room`: the two filters, the nine columns of events, the seven of calls. */
static PyObject *pack_segment(PyObject *self, PyObject *args)
{
    PyObject *tuple, *table, *memory, *result = NULL;
    Pool pool = {.count = 0};
    Columns events;
    Segment segment = {.events = &events};
    Py_ssize_t kinds = KINDS, size = -1;
    if (!PyArg_ParseTuple(args, "OObO", &tuple, &table, &segment.inline_tag, &memory))
        return NULL;
    if (get_columns(&pool, tuple, &events, 0) < 0 ||
        (segment.traits = column(&pool, table, 1, &kinds)) == NULL ||
        (segment.room = writable(&pool, memory, 1, &size)) == NULL)
        goto done;
    if (events.count > MOST) {
        PyErr_Format(PyExc_ValueError, "a segment holds at most %d events, not %zd", MOST, events.count);
        goto done;
    }
    if (size != (Py_ssize_t)sizeof(Room) || (uintptr_t)segment.room % _Alignof(Room) != 0) {
        PyErr_Format(PyExc_ValueError, "a segment needs room of %zu bytes, not %zd", sizeof(Room), size);
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    survey(&segment);
    add_events(&segment);
    add_calls(&segment);
    Py_END_ALLOW_THREADS
    const Ids *calls = &segment.calls, *objs = &segment.objs;
    result = Py_BuildValue("(KKKK)y#(nni)N", calls->largest ? calls->smallest : 0, calls->largest,
                           objs->largest ? objs->smallest : 0, objs->largest, segment.kinds,
                           (Py_ssize_t)sizeof segment.kinds, segment.begun, segment.ended,
                           segment.wide ? 8 : 4, list_pieces(&segment));
done:
    release(&pool);
    return result;
}

PyMethodDef segment_methods[] = {
    {"segment_room", segment_room, METH_NOARGS, "How much memory `pack_segment` needs."},
    {"pack_segment", pack_segment, METH_VARARGS,
     "The columns of a segment as byte planes, and what occurs in it."},
    {NULL, NULL, 0, NULL},
};
