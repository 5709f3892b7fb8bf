/* bytearray and array.array: what was last seen in them, and what was done to them.

   Where a statement or method tells what it changes, that part only is looked at, so that its cost does
   not depend on the size of the rest; otherwise the whole is compared with a copy of what was last seen.
   Positions and counts are in elements, unless they are called bytes. */
#include "base/compat.h"
#include "base/allocate.h"
#include "buffers/buffers.h"
#include "capture/mutators.h"
#include "emit/content.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "emit/events.h"
#include "shadow/first_sight.h"
#include "shadow/nodes.h"
#include <string.h>

/* -- the memory of an object ------------------------------------------------------------------------------------ */

typedef struct {
    const char *data;
    size_t size;        /* bytes */
    PyTypeObject *base; /* array.array; NULL: a bytearray */
    Py_buffer view;
} Open;

PyTypeObject *array_base(PyTypeObject *type)
{
    for (; type != NULL; type = type->tp_base) {
        if ((type->tp_flags & Py_TPFLAGS_IMMUTABLETYPE) && strcmp(type->tp_name, "array.array") == 0)
            return type;
    }
    return NULL;
}

/* The functions of array.array itself are called: a subclass may have its own __buffer__. */
static bool raw_open(PyObject *o, Open *open)
{
    if (PyByteArray_Check(o)) {
        *open = (Open){PyByteArray_AS_STRING(o), (size_t)Py_SIZE(o), NULL};
        return true;
    }
    open->base = array_base(Py_TYPE(o));
    if (open->base == NULL || open->base->tp_as_buffer->bf_getbuffer(o, &open->view, PyBUF_FORMAT) < 0) {
        drop_error();
        return false;
    }
    open->data = open->view.buf;
    open->size = (size_t)open->view.len;
    return true;
}

static void raw_close(PyObject *o, Open *open)
{
    if (open->base == NULL)
        return;
    open->base->tp_as_buffer->bf_releasebuffer(o, &open->view);
    Py_DECREF(open->view.obj); /* not the last reference: the caller has one */
}

static Elements elements_of(Open *open)
{
    const char *format = open->base == NULL ? "B" : open->view.format;
    size_t size = open->base == NULL ? 1 : (size_t)open->view.itemsize;
    char kind = strchr("bhilq", *format) ? 'i' : strchr("BHILQ", *format) ? 'u' : 'f';
    int code = *format == 'w' || *format == 'u' ? (size == 4 ? 'w' : 'H') : element_code(kind, size);
    return (Elements){.code = (uint8_t)code, .size = size};
}

/* -- the copy ------------------------------------------------------------------------------------------------------ */

static char *live(RawNode *raw)
{
    return raw->bytes + raw->start;
}

/* Room for so many bytes more at the end. The live part may begin behind the start of the block, so that
   taking from the front costs nothing. */
static bool make_room(RawNode *raw, size_t more)
{
    if (raw->start + raw->size + more <= raw->room)
        return true;
    if (raw->start > 0)
        memmove(raw->bytes, live(raw), raw->size);
    raw->start = 0;
    if (raw->size + more <= raw->room - raw->room / 8)
        return true;
    size_t room = raw->size + more + raw->size / 4 + 16;
    char *bytes = reallocate(raw->bytes, room, 1);
    if (bytes == NULL)
        return false;
    raw->bytes = bytes;
    raw->room = room;
    return true;
}

static void copy_insert(RawNode *raw, size_t at, const char *data, size_t size)
{
    if (size == 0 || at > raw->size || !make_room(raw, size))
        return;
    memmove(live(raw) + at + size, live(raw) + at, raw->size - at);
    memcpy(live(raw) + at, data, size);
    raw->size += size;
}

static void copy_remove(RawNode *raw, size_t at, size_t size)
{
    if (at + size > raw->size)
        return; /* without memory it has not grown */
    if (at == 0)
        raw->start += size;
    else
        memmove(live(raw) + at, live(raw) + at + size, raw->size - at - size);
    raw->size -= size;
}

void raw_free(RawNode *raw)
{
    release(raw->bytes);
}

/* -- changes ----------------------------------------------------------------------------------------------------------- */

typedef struct {
    PyObject *o;
    RawNode *raw;
    Open open;
    Where at;
} Change;

static size_t count_now(Change *c)
{
    return c->open.size / c->raw->elements.size;
}

static size_t count_then(RawNode *raw)
{
    return raw->size / raw->elements.size;
}

static bool begin(Change *c, PyObject *o, RawNode *raw, Where at)
{
    *c = (Change){.o = o, .raw = raw, .at = at};
    return raw->elements.size > 0 && raw_open(o, &c->open);
}

static void end(Change *c)
{
    raw_close(c->o, &c->open);
}

static const char *now(Change *c, size_t index)
{
    return c->open.data + index * c->raw->elements.size;
}

/* Elements [from, from + n) were written, whatever they were before. */
static void put(Change *c, size_t from, size_t n)
{
    size_t size = c->raw->elements.size;
    if (n == 0)
        return;
    elements_tell(EV_PATCH, c->at, c->raw->head.oid, &c->raw->elements, from, n, now(c, from));
    if ((from + n) * size <= c->raw->size) /* unless it could not grow */
        memcpy(live(c->raw) + from * size, now(c, from), n * size);
    memory_changed(c->o, now(c, from), now(c, from + n), c->at);
}

static void insert(Change *c, size_t from, size_t n)
{
    size_t size = c->raw->elements.size;
    if (n == 0)
        return;
    elements_tell(EV_SPLICE, c->at, c->raw->head.oid, &c->raw->elements, from, n, now(c, from));
    copy_insert(c->raw, from * size, now(c, from), n * size);
}

static void take(Change *c, size_t from, size_t n)
{
    size_t size = c->raw->elements.size;
    if (n == 0)
        return;
    emit(EV_REMOVE, c->at, c->raw->head.oid, INT_VALUE(from), INT_VALUE(n));
    copy_remove(c->raw, from * size, n * size);
}

/* -- comparing ------------------------------------------------------------------------------------------------------------ */

static size_t common_head(const char *one, const char *other, size_t size)
{
    size_t n = 0;
    while (size - n >= 256 && memcmp(one + n, other + n, 256) == 0)
        n += 256;
    while (n < size && one[n] == other[n])
        n++;
    return n;
}

static size_t common_tail(const char *one_end, const char *other_end, size_t size)
{
    size_t n = 0;
    while (size - n >= 256 && memcmp(one_end - n - 256, other_end - n - 256, 256) == 0)
        n += 256;
    while (n < size && one_end[-1 - (Py_ssize_t)n] == other_end[-1 - (Py_ssize_t)n])
        n++;
    return n;
}

static void compare_range(Change *c, size_t from, size_t n)
{
    RawNode *raw = c->raw;
    if (elements_compare(c->at, raw->head.oid, &raw->elements, from, n, now(c, from),
                         live(raw) + from * raw->elements.size))
        memory_changed(c->o, now(c, from), now(c, from + n), c->at);
}

/* What lies between a common head and a common tail was changed in place, and then added or removed. */
static void compare(Change *c)
{
    RawNode *raw = c->raw;
    size_t size = raw->elements.size, n = count_now(c), old = count_then(raw);
    if (n == old) {
        compare_range(c, 0, n);
        return;
    }
    size_t shorter = n < old ? n : old;
    size_t head = shorter == 0 ? 0 : common_head(c->open.data, live(raw), shorter * size) / size;
    size_t tail =
        shorter == head
            ? 0
            : common_tail(c->open.data + n * size, live(raw) + old * size, (shorter - head) * size) / size;
    compare_range(c, head, shorter - head - tail);
    if (n > old)
        insert(c, shorter - tail, n - old);
    else
        take(c, shorter - tail, old - n);
}

void raw_resync(PyObject *o, RawNode *raw, Where at)
{
    Change c;
    if (!begin(&c, o, raw, at))
        return;
    compare(&c);
    end(&c);
}

void raw_look(PyObject *o, RawNode *raw, const char *from, const char *to, Where at)
{
    Change c;
    if (!begin(&c, o, raw, at))
        return;
    size_t size = raw->elements.size;
    const char *data = c.open.data, *data_end = data + c.open.size;
    from = from < data ? data : from;
    to = to > data_end ? data_end : to;
    if (c.open.size != raw->size)
        compare(&c);
    else if (from < to) {
        size_t first = (size_t)(from - data) / size, last = (size_t)(to - data + size - 1) / size;
        elements_compare(at, raw->head.oid, &raw->elements, first, last - first, now(&c, first),
                         live(raw) + first * size);
    }
    end(&c);
}

void raw_write(PyObject *o, RawNode *raw)
{
    Change c = {.o = o, .raw = raw};
    if (!raw_open(o, &c.open))
        return;
    if (c.open.base != NULL)
        array_is_wrapped(c.open.base);
    raw->elements = elements_of(&c.open);
    Value code = {TAG_INT, raw->elements.code};
    emit(EV_FILL | EV_SEEN, c.at, raw->head.oid, code, content_bytes(c.open.data, c.open.size));
    raw->start = raw->size = 0;
    copy_insert(raw, 0, c.open.data, c.open.size);
    end(&c);
}

/* -- methods ------------------------------------------------------------------------------------------------------------------ */

bool raw_appended(PyObject *o, RawNode *raw, Where at)
{
    Change c;
    if (!begin(&c, o, raw, at))
        return false;
    size_t n = count_now(&c), old = count_then(raw);
    if (n >= old)
        insert(&c, old, n - old);
    end(&c);
    return n >= old;
}

bool raw_inserted(PyObject *o, RawNode *raw, Py_ssize_t index, Where at)
{
    Change c;
    if (!begin(&c, o, raw, at))
        return false;
    bool one = count_now(&c) == count_then(raw) + 1 && index >= 0 && (size_t)index <= count_then(raw);
    if (one)
        insert(&c, (size_t)index, 1);
    end(&c);
    return one;
}

bool raw_taken(PyObject *o, RawNode *raw, Py_ssize_t index, Where at)
{
    Change c;
    if (!begin(&c, o, raw, at))
        return false;
    size_t old = count_then(raw);
    index = index < 0 ? index + (Py_ssize_t)old : index;
    bool one = count_now(&c) + 1 == old && index >= 0 && (size_t)index < old;
    if (one)
        take(&c, (size_t)index, 1);
    end(&c);
    return one;
}

bool raw_cleared(PyObject *o, RawNode *raw, Where at)
{
    if (Py_SIZE(o) != 0)
        return false;
    emit(EV_CLEAR, at, raw->head.oid, NO_VALUE, NO_VALUE);
    release(raw->bytes);
    raw->bytes = NULL;
    raw->start = raw->size = raw->room = 0;
    return true;
}

bool raw_grown(PyObject *o, Where at)
{
    PyTypeObject *type = Py_TYPE(o);
    PyTypeObject *base = PyByteArray_Check(o) ? &PyByteArray_Type : array_base(type);
    if (base == NULL || type->tp_as_sequence == NULL ||
        type->tp_as_sequence->sq_inplace_concat != base->tp_as_sequence->sq_inplace_concat ||
        type->tp_as_sequence->sq_inplace_repeat != base->tp_as_sequence->sq_inplace_repeat)
        return false;
    Node *node = explore_touch(o);
    if (node != NULL && !raw_appended(o, (RawNode *)node, at))
        raw_resync(o, (RawNode *)node, at);
    return true;
}

/* -- subscripts -------------------------------------------------------------------------------------------------------------------- */

static bool wrote_index(Change *c, PyObject *key, bool deleted)
{
    int64_t index;
    size_t old = count_then(c->raw);
    if (!PyLong_CheckExact(key) || !compat_small_int(key, &index))
        return false;
    index += index < 0 ? (int64_t)old : 0;
    if (index < 0 || (size_t)index >= old || count_now(c) + deleted != old)
        return false;
    if (deleted)
        take(c, (size_t)index, 1);
    else
        put(c, (size_t)index, 1);
    return true;
}

static bool wrote_slice(Change *c, PyObject *key, bool deleted)
{
    Py_ssize_t start, step;
    size_t count, n = count_now(c), old = count_then(c->raw);
    if (!plain_slice(key, old, &start, &step, &count))
        return false;
    if (step != 1) {
        if (deleted || n != old)
            return false;
        for (size_t i = 0; i < count; i++, start += step)
            put(c, (size_t)start, 1);
        return true;
    }
    if (n + count < old)
        return false;
    size_t fresh = n + count - old, common = fresh < count ? fresh : count, at = (size_t)start + common;
    put(c, (size_t)start, common);
    insert(c, at, fresh - common);
    take(c, at, count - common);
    return true;
}

void raw_subscript(PyObject *o, RawNode *raw, PyObject *key, bool deleted, Where at)
{
    Change c;
    if (!begin(&c, o, raw, at))
        return;
    if (!wrote_index(&c, key, deleted) && !wrote_slice(&c, key, deleted))
        compare(&c);
    end(&c);
}
