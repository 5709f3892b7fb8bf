/* Replays the events of one sequence: which value each element has after them.

   An element is a slot: tag, bits and time of the write, in three columns. The elements lie in the middle of the columns,

       |  room  |  elements, `count` from `start` on  |  room  |

   so that both ends can grow and shrink without moving the rest, as a queue needs. Anything else moves the shorter side. */
#include "event.h"
#include "pool.h"

#include <stdint.h>
#include <string.h>

/* What a kind of event does to a sequence; OTHER is left to the caller. */
enum { OTHER = 0, ITEM = 1, INSERT = 2, REMOVE = 3 };

typedef struct {
    uint8_t *tag;
    int64_t *bits, *time;
    Py_ssize_t room, start, count;
    int64_t length; /* as the program knows it: elements at the end may be missing */
} Sequence;

static void move(Sequence *all, Py_ssize_t to, Py_ssize_t from, Py_ssize_t count)
{
    memmove(all->tag + to, all->tag + from, (size_t)count);
    memmove(all->bits + to, all->bits + from, (size_t)count * sizeof(int64_t));
    memmove(all->time + to, all->time + from, (size_t)count * sizeof(int64_t));
}

static void put(Sequence *all, Py_ssize_t index, const Event *event, int64_t time)
{
    all->tag[all->start + index] = event->vtag;
    all->bits[all->start + index] = event->value;
    all->time[all->start + index] = time;
}

/* 0: there is no room. */
static int insert(Sequence *all, Py_ssize_t index, const Event *event, int64_t time)
{
    Py_ssize_t after = all->count - index;
    if (index < after) {
        if (all->start == 0)
            return 0;
        move(all, all->start - 1, all->start, index);
        all->start--;
    }
    else {
        if (all->start + all->count == all->room)
            return 0;
        move(all, all->start + index + 1, all->start + index, after);
    }
    all->count++;
    put(all, index, event, time);
    return 1;
}

static void cut(Sequence *all, Py_ssize_t index, Py_ssize_t count)
{
    Py_ssize_t after = all->count - index - count;
    if (index < after) {
        move(all, all->start + count, all->start, index);
        all->start += count;
    }
    else {
        move(all, all->start + index, all->start + index + count, after);
    }
    all->count -= count;
}

static void shorten(Sequence *all, int64_t length)
{
    all->length = length < all->count ? all->count : length;
}

/* 0: the event is left to the caller, who can make room or complain. */
static int replay_one(Sequence *all, int what, const Event *event, int64_t time)
{
    if (event->key < 0)
        return 0;
    Py_ssize_t index = event->key < all->count ? (Py_ssize_t)event->key : all->count;
    if (what == REMOVE) {
        if (event->value < 0)
            return 0;
        Py_ssize_t most = all->count - index;
        cut(all, index, event->value < most ? (Py_ssize_t)event->value : most);
        shorten(all, all->length - event->value);
        return 1;
    }
    if (event->key > all->count)
        return 0; /* what comes before it is not known */
    if (what == ITEM && index < all->count) {
        put(all, index, event, time);
        return 1;
    }
    if (!insert(all, index, event, time))
        return 0;
    shorten(all, what == INSERT ? all->length + 1 : all->length);
    return 1;
}

/* Whether an event may change what is at an index. */
static int concerns(int what, const Event *event, int64_t watched)
{
    return what == ITEM ? event->key == watched : event->key <= watched;
}

typedef struct {
    uint8_t exists, tag;
    int64_t bits, time;
} Slot;

static Slot look(const Sequence *all, int64_t index)
{
    if (index < 0 || index >= all->count)
        return (Slot){.exists = 0};
    Py_ssize_t at = all->start + (Py_ssize_t)index;
    return (Slot){1, all->tag[at], all->bits[at], all->time[at]};
}

static int differs(Slot one, Slot other)
{
    return one.exists != other.exists ||
           (one.exists && (one.tag != other.tag || one.bits != other.bits || one.time != other.time));
}

/* What the watched element is after each event that changes it. */
enum { SAME = 0, THERE = 1, GONE = 2 };

typedef struct {
    int64_t index; /* -1: none is watched */
    uint8_t *changed, *tag;
    int64_t *bits, *time;
} Watch;

static void note(const Watch *watch, Py_ssize_t i, Slot slot)
{
    watch->changed[i] = slot.exists ? THERE : GONE;
    watch->tag[i] = slot.tag;
    watch->bits[i] = slot.bits;
    watch->time[i] = slot.time;
}

/* Replays events from `first` on, as far as it can. */
static Py_ssize_t replay_all(Sequence *all, const Event *events, const int64_t *times, Py_ssize_t first,
                             Py_ssize_t count, const uint8_t *effects, const Watch *watch)
{
    Py_ssize_t i = first;
    for (; i < count; i++) {
        int what = effects[events[i].kind];
        int looks = watch->index >= 0 && what != OTHER && concerns(what, &events[i], watch->index);
        Slot before = looks ? look(all, watch->index) : (Slot){0};
        if (what == OTHER || !replay_one(all, what, &events[i], times[i]))
            break;
        Slot after = looks ? look(all, watch->index) : before;
        if (looks && differs(before, after))
            note(watch, i, after);
    }
    return i;
}

/* Gets columns of items of 1, 8 and 8 bytes, and before them one more of 1 byte if there are four. */
static int get_slots(Pool *pool, PyObject *tuple, Py_ssize_t *count, void *found[], Py_ssize_t columns)
{
    if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) != columns) {
        PyErr_Format(PyExc_TypeError, "a tuple of %zd columns is needed", columns);
        return -1;
    }
    for (Py_ssize_t i = 0; i < columns; i++) {
        Py_ssize_t size = i < columns - 2 ? 1 : 8;
        found[i] = writable(pool, PyTuple_GET_ITEM(tuple, i), size, count);
        if (found[i] == NULL)
            return -1;
    }
    return 0;
}

/* replay(events, times, first, effects, (tag, bits, time), (start, count, length), watched,
          (changed, tag, bits, time))
   -> how many events are replayed by now, and the new (start, count, length). */
static PyObject *replay(PyObject *self, PyObject *args)
{
    PyObject *events_object, *times_object, *effects_object, *elements, *notes, *result = NULL;
    Pool pool = {.count = 0};
    Sequence all = {.room = -1};
    Py_ssize_t first, count = -1, codes = 256;
    long long length, watched;
    void *found[4];
    if (!PyArg_ParseTuple(args, "OOnOO(nnL)LO", &events_object, &times_object, &first, &effects_object,
                          &elements, &all.start, &all.count, &length, &watched, &notes))
        return NULL;
    const Event *events = column(&pool, events_object, sizeof(Event), &count);
    const int64_t *times = events == NULL ? NULL : column(&pool, times_object, 8, &count);
    const uint8_t *effects = times == NULL ? NULL : column(&pool, effects_object, 1, &codes);
    if (effects == NULL || get_slots(&pool, elements, &all.room, found, 3) < 0)
        goto done;
    all.tag = found[0], all.bits = found[1], all.time = found[2];
    Watch watch = {.index = watched};
    if (watched >= 0) {
        if (get_slots(&pool, notes, &count, found, 4) < 0)
            goto done;
        watch.changed = found[0], watch.tag = found[1], watch.bits = found[2], watch.time = found[3];
    }
    if (first < 0 || first > count || all.start < 0 || all.count < 0 || all.count > all.room - all.start) {
        PyErr_SetString(PyExc_ValueError, "the elements are not in the columns");
        goto done;
    }
    all.length = length;
    Py_ssize_t replayed = replay_all(&all, events, times, first, count, effects, &watch);
    result = Py_BuildValue("n(nnL)", replayed, all.start, all.count, (long long)all.length);
done:
    release(&pool);
    return result;
}

static PyMethodDef methods[] = {
    {"replay", replay, METH_VARARGS, "Replay the events of a sequence as far as possible."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "wrongcall.replay._sequence",
    .m_doc = "Replays sequences of any length.",
    .m_size = 0,
    .m_methods = methods,
};

PyMODINIT_FUNC PyInit__sequence(void)
{
    return PyModule_Create(&definition);
}
