/* A segment in its stored form, but for compression: its columns, its summary and its table of calls
 * (wrongcall/trace/format/segment.py, segment_summary.py and call_index.py describe them). */
#include "packing.h"

#include <stddef.h>

enum { EVENT_COLUMNS = 9, CALL_COLUMNS = 7, FILTERS = 2, PIECES = EVENT_COLUMNS + CALL_COLUMNS + FILTERS };
enum { HEAD_FIELDS = 4 }; /* kind, ktag, vtag and hi, of one byte each */
#define FILTER_BYTES (MOST / 8)
/* How many events before they are needed they are fetched: another core has just written them. */
enum { AHEAD_IN_TIME = 64, AHEAD_BY_SITE = 16 };
/* For each event at most its 32 bytes, and those of a beginning or an end of a call. */
#define PLANES_BYTES (MOST * (32 + 22 + 11) + FILTERS * FILTER_BYTES)

/* What packing a segment needs besides its events; callers use it again. */
typedef struct {
    uint64_t key[MOST], value[MOST], numbers[MOST], ids[MOST];
    uint32_t site[MOST], call[MOST], head[MOST], obj[MOST];
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

/* The bits that occur in the numbers of each column. */
typedef struct {
    uint64_t key, value;
    uint32_t site, call, head, obj;
} Bits;

typedef struct {
    const Event *events;
    Py_ssize_t events_count;
    const uint8_t *traits;
    uint8_t inline_tag;
    Room *room;
    Ids calls, objs;
    Bits bits;
    uint8_t kinds[KINDS / 8];
    Py_ssize_t begun, ended;
    Py_ssize_t groups;                     /* more than the largest of the lowest 16 bits of the sites */
    Py_ssize_t inline_keys, inline_values; /* short strings and bytes */
    int wide;                              /* whether call ids take 8 bytes */
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

/* A difference with the sign in the lowest bit. */
static inline uint32_t step_32(uint32_t before, uint32_t number)
{
    uint32_t step = number - before;
    return step << 1 ^ (0 - (step >> 31));
}

static inline uint64_t step_64(uint64_t before, uint64_t number)
{
    uint64_t step = number - before;
    return step << 1 ^ (0 - (step >> 63));
}

static void add_piece(Segment *segment, uint8_t how, Py_ssize_t size)
{
    segment->pieces[segment->count++] = (Piece){how, segment->used, segment->used + (uint32_t)size};
    segment->used += (uint32_t)size;
}

static void begin_filters(Segment *segment)
{
    uint8_t *filters = segment->room->planes + segment->used;
    memset(filters, 0, FILTERS * FILTER_BYTES);
    segment->calls = (Ids){UINT64_MAX, 0, UINT64_MAX, filters};
    segment->objs = (Ids){UINT64_MAX, 0, UINT64_MAX, filters + FILTER_BYTES};
    for (int i = 0; i < FILTERS; i++)
        add_piece(segment, ROWS, FILTER_BYTES);
}

/* In the order of time: what occurs, which calls begin and end, and the columns that stay in this order.
 *
 * Everything that changes is in local variables: a byte that is written could be a part of anything in memory, so the
 * compiler would have to read the rest again. */
static void read_in_time(Segment *segment)
{
    Room *room = segment->room;
    const Event *events = segment->events;
    const uint8_t *traits_of = segment->traits, inline_tag = segment->inline_tag;
    Py_ssize_t count = segment->events_count, inline_keys = 0, inline_values = 0, begun = 0, ended = 0;
    Ids found_calls = segment->calls, found_objs = segment->objs;
    uint8_t occurs[KINDS] = {0}, high = 0;
    uint32_t site = 0, call = 0, sites = 0, calls = 0, groups = 0;
    memset(room->next, 0, sizeof room->next);
    for (Py_ssize_t i = 0; i < count; i++) {
        const Event *event = &events[i];
        __builtin_prefetch(event + AHEAD_IN_TIME);
        uint8_t traits = traits_of[event->kind];
        occurs[event->kind] = 1;
        note(&found_calls, call_of(event));
        note(&found_objs, traits & HAS_OBJECT ? obj_of(event) : 0);
        /* What is not wanted is written too, and overwritten. */
        room->begun[begun] = (uint16_t)i;
        room->ended[ended] = (uint16_t)i;
        begun += (traits & BEGINNING) != 0;
        ended += (traits & END) != 0;
        high |= traits & (BEGINNING | END) ? event->hi : 0;
        sites |= room->site[i] = step_32(site, event->site);
        calls |= room->call[i] = step_32(call, event->call);
        site = event->site;
        call = event->call;
        groups |= site;
        room->next[(site & 0xFFFF) + 1]++;
        inline_keys += event->ktag >= inline_tag;
        inline_values += event->vtag >= inline_tag;
    }
    segment->calls = found_calls;
    segment->objs = found_objs;
    segment->inline_keys = inline_keys;
    segment->inline_values = inline_values;
    segment->begun = begun;
    segment->ended = ended;
    segment->wide = high != 0;
    segment->groups = (groups & 0xFFFF) + 1;
    segment->bits.site = sites;
    segment->bits.call = calls;
    for (int i = 0; i < KINDS; i++)
        segment->kinds[i >> 3] |= (uint8_t)(occurs[i] << (i & 7));
}

/* The order in which events of a site lie together, by the lowest 16 bits of its number. */
static void find_order(Segment *segment)
{
    Room *room = segment->room;
    for (Py_ssize_t i = 0; i < segment->groups; i++)
        room->next[i + 1] += room->next[i];
    for (Py_ssize_t i = 0; i < segment->events_count; i++)
        room->order[room->next[segment->events[i].site & 0xFFFF]++] = (uint16_t)i;
}

/* In that order: all other columns. */
static void read_by_site(Segment *segment)
{
    Room *room = segment->room;
    Bits bits = segment->bits;
    uint32_t obj = 0;
    uint64_t key = 0;
    uint64_t keys_as_they_are = segment->inline_keys * 2 > segment->events_count ? 0 : UINT64_MAX;
    for (Py_ssize_t i = 0; i < segment->events_count; i++) {
        const Event *event = &segment->events[room->order[i]];
        if (i + AHEAD_BY_SITE < segment->events_count)
            __builtin_prefetch(&segment->events[room->order[i + AHEAD_BY_SITE]]);
        uint32_t head;
        memcpy(&head, event, sizeof head);
        bits.head |= room->head[i] = head;
        bits.obj |= room->obj[i] = step_32(obj, event->obj);
        obj = event->obj;
        uint64_t step = step_64(key, (uint64_t)event->key);
        bits.key |= room->key[i] = keys_as_they_are ? step : (uint64_t)event->key;
        key = (uint64_t)event->key;
        bits.value |= room->value[i] = (uint64_t)event->value;
    }
    segment->bits = bits;
}

static int height_of(uint64_t bits)
{
    int height = 0;
    for (; bits != 0; bits >>= 8)
        height++;
    return height;
}

static void add_column(Segment *segment, int width, const void *numbers, uint64_t bits, uint8_t coding)
{
    uint8_t *to = segment->room->planes + segment->used;
    Py_ssize_t count = segment->events_count;
    if (coding == ROWS) {
        memcpy(to, numbers, (size_t)(count * width));
        add_piece(segment, ROWS, count * width);
        return;
    }
    int height = height_of(bits);
    split_planes(width, numbers, height, count, to);
    add_piece(segment, (uint8_t)(coding | height << 4), height * count);
}

/* Each byte of the heads is a column of its own; one of zeros takes no space. */
static void add_heads(Segment *segment)
{
    Py_ssize_t count = segment->events_count;
    for (int field = 0; field < HEAD_FIELDS; field++) {
        uint8_t *to = segment->room->planes + segment->used;
        int height = (segment->bits.head >> (8 * field) & 0xFF) != 0;
        for (Py_ssize_t i = 0; height && i < count; i++)
            to[i] = (uint8_t)(segment->room->head[i] >> (8 * field));
        add_piece(segment, (uint8_t)(PLANES | height << 4), height * count);
    }
}

static void add_events(Segment *segment)
{
    Room *room = segment->room;
    const Bits *bits = &segment->bits;
    Py_ssize_t count = segment->events_count;
    add_column(segment, 4, room->site, bits->site, DELTA);
    add_column(segment, 4, room->call, bits->call, DELTA);
    add_heads(segment);
    add_column(segment, 4, room->obj, bits->obj, DELTA);
    /* Short strings match as a whole. */
    add_column(segment, 8, room->key, bits->key, segment->inline_keys * 2 > count ? ROWS : DELTA);
    add_column(segment, 8, room->value, bits->value, segment->inline_values * 2 > count ? ROWS : PLANES);
}

static void add_numbers(Segment *segment, int width, const void *numbers, Py_ssize_t count, uint8_t coding)
{
    uint8_t *to = segment->room->planes + segment->used;
    int height = put_planes(width, numbers, NULL, coding == DELTA, count, segment->room->numbers, to);
    add_piece(segment, (uint8_t)(coding | height << 4), height * count);
}

/* Add the ids of calls, or of their parents, at some events. */
static void add_ids(Segment *segment, int of_parents, const uint16_t *where, Py_ssize_t count)
{
    uint64_t *wide = segment->room->ids;
    uint32_t *narrow = (uint32_t *)wide;
    for (Py_ssize_t i = 0; i < count; i++) {
        const Event *event = &segment->events[where[i]];
        if (segment->wide)
            wide[i] = of_parents ? obj_of(event) : call_of(event);
        else
            narrow[i] = of_parents ? event->obj : event->call;
    }
    add_numbers(segment, segment->wide ? 8 : 4, wide, count, DELTA);
}

static void add_calls(Segment *segment)
{
    Room *room = segment->room;
    uint32_t *sites = (uint32_t *)room->ids;
    add_numbers(segment, 2, room->begun, segment->begun, DELTA);
    add_ids(segment, 0, room->begun, segment->begun);
    add_ids(segment, 1, room->begun, segment->begun);
    for (Py_ssize_t i = 0; i < segment->begun; i++)
        sites[i] = segment->events[room->begun[i]].site;
    add_numbers(segment, 4, sites, segment->begun, PLANES);
    add_numbers(segment, 2, room->ended, segment->ended, DELTA);
    add_ids(segment, 0, room->ended, segment->ended);
    for (Py_ssize_t i = 0; i < segment->ended; i++)
        room->planes[segment->used + i] = segment->events[room->ended[i]].kind;
    add_piece(segment, ROWS, segment->ended);
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

/* pack_segment(events, traits, inline_tag, room)
 * -> (count, (min_call, max_call, min_obj, max_obj), kinds, (begun, ended, width), [(coding, begin, end), ...])
 *
 * The pieces lie in `room`: the two filters, the nine columns of events, the seven of calls. */
static PyObject *pack_segment(PyObject *self, PyObject *args)
{
    PyObject *records, *table, *memory, *result = NULL;
    Pool pool = {.count = 0};
    Segment segment = {.count = 0};
    Py_ssize_t kinds = KINDS, size = -1;
    if (!PyArg_ParseTuple(args, "OObO", &records, &table, &segment.inline_tag, &memory))
        return NULL;
    if ((segment.events = get_records(&pool, records, &segment.events_count)) == NULL ||
        (segment.traits = column(&pool, table, 1, &kinds)) == NULL ||
        (segment.room = writable(&pool, memory, 1, &size)) == NULL)
        goto done;
    if (segment.events_count > MOST) {
        PyErr_Format(PyExc_ValueError, "a segment holds at most %d events, not %zd", MOST,
                     segment.events_count);
        goto done;
    }
    if (size != (Py_ssize_t)sizeof(Room) || (uintptr_t)segment.room % _Alignof(Room) != 0) {
        PyErr_Format(PyExc_ValueError, "a segment needs room of %zu bytes, not %zd", sizeof(Room), size);
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    begin_filters(&segment);
    read_in_time(&segment);
    find_order(&segment);
    read_by_site(&segment);
    add_events(&segment);
    add_calls(&segment);
    Py_END_ALLOW_THREADS
    const Ids *calls = &segment.calls, *objs = &segment.objs;
    result = Py_BuildValue("n(KKKK)y#(nni)N", segment.events_count, calls->largest ? calls->smallest : 0,
                           calls->largest, objs->largest ? objs->smallest : 0, objs->largest, segment.kinds,
                           (Py_ssize_t)sizeof segment.kinds, segment.begun, segment.ended,
                           segment.wide ? 8 : 4, list_pieces(&segment));
done:
    release(&pool);
    return result;
}

PyMethodDef segment_methods[] = {
    {"segment_room", segment_room, METH_NOARGS, "How much memory `pack_segment` needs."},
    {"pack_segment", pack_segment, METH_VARARGS, "A segment as byte planes, and what occurs in it."},
    {NULL, NULL, 0, NULL},
};
