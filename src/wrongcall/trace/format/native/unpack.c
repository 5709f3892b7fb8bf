/* The events of a segment, from its byte planes (wrongcall/trace/format/segment.py describes how they lie). */
#include "packing.h"

/* The columns as they are stored. */
enum { SITE, CALL, KIND, KTAG, VTAG, HI, OBJ, KEY, VALUE, FIELDS };
static const uint8_t WIDTHS[FIELDS] = {4, 4, 1, 1, 1, 1, 4, 8, 8};

/* So many numbers of each column are joined at a time: they stay in the processor's fastest cache. */
enum { BLOCK = 512 };

typedef struct {
    uint32_t site[MOST], call[MOST], next[MOST + 1];
    uint16_t order[MOST];
} Room;

typedef struct {
    const uint8_t *planes;
    uint8_t how;
    uint64_t sum; /* of the differences so far */
} Stored;

typedef struct {
    Stored columns[FIELDS];
    Py_ssize_t count;
} Segment;

/* The fields of an event in memory, its first four bytes as one number. */
typedef struct {
    uint32_t head, site, call, obj;
    uint64_t key, value;
} Words;

_Static_assert(sizeof(Words) == sizeof(Event), "the words of an event");

/* Join some planes of numbers, the first of which are at `planes`, `stride` bytes apart. */
static void join_planes(const uint8_t *planes, Py_ssize_t stride, int height, Py_ssize_t size, uint32_t *to)
{
    const uint8_t *a = planes, *b = a + stride, *c = b + stride, *d = c + stride;
    if (height == 0)
        memset(to, 0, (size_t)size * sizeof *to);
    else if (height == 1)
        for (Py_ssize_t i = 0; i < size; i++)
            to[i] = a[i];
    else if (height == 2)
        for (Py_ssize_t i = 0; i < size; i++)
            to[i] = a[i] | (uint32_t)b[i] << 8;
    else if (height == 3)
        for (Py_ssize_t i = 0; i < size; i++)
            to[i] = a[i] | (uint32_t)b[i] << 8 | (uint32_t)c[i] << 16;
    else
        for (Py_ssize_t i = 0; i < size; i++)
            to[i] = a[i] | (uint32_t)b[i] << 8 | (uint32_t)c[i] << 16 | (uint32_t)d[i] << 24;
}

/* Numbers of a column, in their stored order: `size` of them, from `begin` on. */
static void read_32(Stored *column, Py_ssize_t count, Py_ssize_t begin, Py_ssize_t size, uint32_t *to)
{
    if ((column->how & 15) == ROWS) {
        memcpy(to, column->planes + begin * (Py_ssize_t)sizeof *to, (size_t)size * sizeof *to);
        return;
    }
    join_planes(column->planes + begin, count, column->how >> 4, size, to);
    if ((column->how & 15) != DELTA)
        return;
    uint32_t sum = (uint32_t)column->sum;
    for (Py_ssize_t i = 0; i < size; i++)
        to[i] = sum += to[i] >> 1 ^ (0 - (to[i] & 1));
    column->sum = sum;
}

static void read_64(Stored *column, Py_ssize_t count, Py_ssize_t begin, Py_ssize_t size, uint64_t *to)
{
    if ((column->how & 15) == ROWS) {
        memcpy(to, column->planes + begin * (Py_ssize_t)sizeof *to, (size_t)size * sizeof *to);
        return;
    }
    uint32_t low[BLOCK], high[BLOCK];
    int height = column->how >> 4;
    join_planes(column->planes + begin, count, height < 4 ? height : 4, size, low);
    if (height > 4) {
        join_planes(column->planes + 4 * count + begin, count, height - 4, size, high);
        for (Py_ssize_t i = 0; i < size; i++)
            to[i] = low[i] | (uint64_t)high[i] << 32;
    }
    else
        for (Py_ssize_t i = 0; i < size; i++)
            to[i] = low[i];
    if ((column->how & 15) != DELTA)
        return;
    uint64_t sum = column->sum;
    for (Py_ssize_t i = 0; i < size; i++)
        to[i] = sum += to[i] >> 1 ^ (0 - (to[i] & 1));
    column->sum = sum;
}

/* The bytes of a column, from `begin` on; `room` is for those that are not stored as they are. */
static const uint8_t *bytes_of(Stored *column, Py_ssize_t begin, Py_ssize_t size, uint8_t *room)
{
    static const uint8_t zeros[BLOCK];
    int coding = column->how & 15;
    if (coding != ROWS && column->how >> 4 == 0)
        return zeros;
    const uint8_t *stored = column->planes + begin;
    if (coding != DELTA)
        return stored;
    uint8_t sum = (uint8_t)column->sum;
    for (Py_ssize_t i = 0; i < size; i++)
        room[i] = sum = (uint8_t)(sum + (stored[i] >> 1 ^ (0 - (stored[i] & 1))));
    column->sum = sum;
    return room;
}

/* The first four bytes of each event. */
static void read_heads(Segment *segment, Py_ssize_t begin, Py_ssize_t size, uint32_t *to)
{
    uint8_t room[4][BLOCK];
    const uint8_t *kind = bytes_of(&segment->columns[KIND], begin, size, room[0]);
    const uint8_t *ktag = bytes_of(&segment->columns[KTAG], begin, size, room[1]);
    const uint8_t *vtag = bytes_of(&segment->columns[VTAG], begin, size, room[2]);
    const uint8_t *hi = bytes_of(&segment->columns[HI], begin, size, room[3]);
    for (Py_ssize_t i = 0; i < size; i++)
        to[i] = kind[i] | (uint32_t)ktag[i] << 8 | (uint32_t)vtag[i] << 16 | (uint32_t)hi[i] << 24;
}

/* In the order of time: the sites and calls, and the order in which the other columns are stored. */
static void read_in_time(Segment *segment, Room *room)
{
    Py_ssize_t count = segment->count;
    for (Py_ssize_t begin = 0; begin < count; begin += BLOCK) {
        Py_ssize_t size = count - begin < BLOCK ? count - begin : BLOCK;
        read_32(&segment->columns[SITE], count, begin, size, room->site + begin);
        read_32(&segment->columns[CALL], count, begin, size, room->call + begin);
    }
    group_by_site(room->site, count, room->next, room->order);
}

static void read_by_site(Segment *segment, const Room *room, Words *events)
{
    uint32_t head[BLOCK], obj[BLOCK];
    uint64_t key[BLOCK], value[BLOCK];
    Py_ssize_t count = segment->count;
    for (Py_ssize_t begin = 0; begin < count; begin += BLOCK) {
        Py_ssize_t size = count - begin < BLOCK ? count - begin : BLOCK;
        read_heads(segment, begin, size, head);
        read_32(&segment->columns[OBJ], count, begin, size, obj);
        read_64(&segment->columns[KEY], count, begin, size, key);
        read_64(&segment->columns[VALUE], count, begin, size, value);
        for (Py_ssize_t i = 0; i < size; i++) {
            uint16_t at = room->order[begin + i];
            events[at] = (Words){head[i], room->site[at], room->call[at], obj[i], key[i], value[i]};
        }
    }
}

static int get_stored(Pool *pool, PyObject *frames, const uint8_t *codings, Segment *segment)
{
    for (Py_ssize_t i = 0; i < FIELDS; i++) {
        int coding = codings[i] & 15, height = codings[i] >> 4, width = WIDTHS[i];
        if (coding > DELTA || height > width || segment->count > MOST) {
            PyErr_Format(PyExc_ValueError, "%zd numbers with the coding %d", segment->count, codings[i]);
            return -1;
        }
        Py_ssize_t size = (coding == ROWS ? width : height) * segment->count;
        segment->columns[i] = (Stored){column(pool, PyTuple_GET_ITEM(frames, i), 1, &size), codings[i], 0};
        if (segment->columns[i].planes == NULL)
            return -1;
    }
    return 0;
}

/* unpacking_room() -> how many bytes `unpack_segment` needs. */
static PyObject *unpacking_room(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(args))
{
    return PyLong_FromSize_t(sizeof(Room));
}

/* unpack_segment(planes, codings, events, room)
 *
 * `planes` has the planes of the nine columns of a segment as they are stored, and `codings` a byte for each of them, as
 * in `join_all`, or 0 where the numbers are stored as they are. */
static PyObject *unpack_segment(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *frames, *codings_object, *out, *memory, *result = NULL;
    Pool pool = {.count = 0};
    if (!PyArg_ParseTuple(args, "O!OOO", &PyTuple_Type, &frames, &codings_object, &out, &memory))
        return NULL;
    Segment segment = {.count = -1};
    Py_ssize_t fields = FIELDS, size = -1;
    Room *room = NULL;
    Words *events = NULL;
    if (PyTuple_GET_SIZE(frames) != FIELDS) {
        PyErr_SetString(PyExc_ValueError, "a segment has nine columns");
        return NULL;
    }
    const uint8_t *codings = column(&pool, codings_object, 1, &fields);
    if (codings == NULL || (events = writable(&pool, out, sizeof(Words), &segment.count)) == NULL ||
        (room = writable(&pool, memory, 1, &size)) == NULL ||
        get_stored(&pool, frames, codings, &segment) < 0)
        goto done;
    if (size != (Py_ssize_t)sizeof(Room) || (uintptr_t)room % _Alignof(Room) != 0 ||
        (uintptr_t)events % _Alignof(Words) != 0) {
        PyErr_Format(PyExc_ValueError, "a segment needs room of %zu bytes, not %zd", sizeof(Room), size);
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    read_in_time(&segment, room);
    read_by_site(&segment, room, events);
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    release(&pool);
    return result;
}

PyMethodDef unpack_methods[] = {
    {"unpacking_room", unpacking_room, METH_NOARGS, "How much memory `unpack_segment` needs."},
    {"unpack_segment", unpack_segment, METH_VARARGS, "The byte planes of a segment as events."},
    {NULL, NULL, 0, NULL},
};
