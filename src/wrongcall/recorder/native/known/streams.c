/* Streams: StringIO and BytesIO with what they hold, files by name and mode.

   Of what a buffer holds, the beginning and the end are read: `content` if that is all, else `beginning` and
   `end`; `size` says how much there is. Nothing is flushed, and no system call is made: where a
   file is in the system's view stays unknown, so `position` is that of the buffer that Python keeps.

   Private structs of CPython, checked for 3.11 to 3.15; see iterators.c. */
#include "base/compat.h"
#include "base/function_names.h"
#include "base/instance.h"
#include "emit/content.h"
#include "known/readers.h"
#include "recorder.h"
#include "shadow/encode.h"
#include "shadow/shape.h"
#include <string.h>
#include <sys/types.h>

#define BEGINNING 200 /* characters or bytes that are read of a long buffer */
#define END 60

static void part_number(Parts *parts, const char *name, Py_ssize_t n)
{
    part_take(parts, name, PyLong_FromSsize_t(n));
}

/* Calls `make` for all of it, or for its beginning and its end. */
static void part_content(Parts *parts, PyObject *o, Py_ssize_t size,
                         PyObject *(*make)(PyObject *o, Py_ssize_t from, Py_ssize_t to))
{
    if (size <= BEGINNING + END) {
        part_take(parts, "content", make(o, 0, size));
        return;
    }
    part_take(parts, "beginning", make(o, 0, BEGINNING));
    part_take(parts, "end", make(o, size - END, size));
    part_number(parts, "size", size);
}

/* -- StringIO ---------------------------------------------------------------------------------------------------- */

typedef struct {
    PyObject_HEAD
    Py_UCS4 *characters;
    Py_ssize_t position, size;
    size_t room;
    int where; /* ACCUMULATED: not in `characters` yet */
#if PY_VERSION_HEX >= 0x030E0000
    CompatUnicodeWriter *writer; /* NULL: nothing is accumulated */
#elif PY_VERSION_HEX >= 0x030C0000
    CompatUnicodeWriter writer;
#else
    PyObject *large, *small; /* lists of what was written, in this order; NULL: empty */
#endif
    char is_ready, is_closed, reads_universal, translates;
    PyObject *decoder, *read_newline, *write_newline;
    PyObject *dict, *weak_references;
#if PY_VERSION_HEX >= 0x030C0000
    void *module;
#endif
} Text;

enum { ACCUMULATED = 2 };

#if PY_VERSION_HEX >= 0x030C0000
static CompatUnicodeWriter *writer_of(Text *text)
{
#if PY_VERSION_HEX >= 0x030E0000
    return text->writer;
#else
    return &text->writer;
#endif
}

static void copy_accumulated(Text *text, Py_UCS4 *out, Py_ssize_t from, Py_ssize_t to)
{
    CompatUnicodeWriter *writer = writer_of(text);
    for (Py_ssize_t i = from; i < to; i++)
        *out++ = PyUnicode_READ(writer->kind, writer->data, i);
}

static bool is_whole(Text *text)
{
    CompatUnicodeWriter *writer = writer_of(text);
    return (writer == NULL ? 0 : writer->pos) == text->size;
}
#else
/* Copies what lies between `from` and `to` of all that the strings of a list make up; their length. */
static Py_ssize_t copy_strings(PyObject *list, Py_UCS4 *out, Py_ssize_t from, Py_ssize_t to)
{
    Py_ssize_t at = 0;
    for (Py_ssize_t i = 0; list != NULL && i < PyList_GET_SIZE(list); i++) {
        PyObject *s = PyList_GET_ITEM(list, i);
        Py_ssize_t length = PyUnicode_GET_LENGTH(s);
        for (Py_ssize_t j = from > at ? from - at : 0; j < length && at + j < to; j++)
            out[at + j - from] = PyUnicode_READ_CHAR(s, j);
        at += length;
    }
    return at;
}

static void copy_accumulated(Text *text, Py_UCS4 *out, Py_ssize_t from, Py_ssize_t to)
{
    Py_ssize_t before = copy_strings(text->large, out, from, to);
    Py_ssize_t first = from > before ? from - before : 0;
    if (to > before)
        copy_strings(text->small, out + (before + first - from), first, to - before);
}

/* Otherwise many small pieces would have to be visited each time. */
static bool is_whole(Text *text)
{
    Py_ssize_t pieces = text->small == NULL ? 0 : PyList_GET_SIZE(text->small);
    return pieces + (text->large == NULL ? 0 : PyList_GET_SIZE(text->large)) <= 512;
}
#endif

static bool has_content(Text *text)
{
    return text->is_ready > 0 && !text->is_closed && (text->where != ACCUMULATED || is_whole(text));
}

static void copy_text(Text *text, Py_UCS4 *out, Py_ssize_t from, Py_ssize_t to)
{
    if (text->where == ACCUMULATED)
        copy_accumulated(text, out, from, to);
    else
        memcpy(out, text->characters + from, (size_t)(to - from) * sizeof *out);
}

static PyObject *make_text(PyObject *o, Py_ssize_t from, Py_ssize_t to)
{
    Py_UCS4 characters[BEGINNING + END];
    copy_text((Text *)o, characters, from, to);
    return PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, characters, to - from);
}

static uint64_t state_of_text(PyObject *o)
{
    Text *text = (Text *)o;
    uint64_t state =
        state_mix((uint64_t)text->position,
                  (uint64_t)text->size * 4 + (uint64_t)(text->is_ready > 0) * 2 + (uint64_t)text->is_closed);
    if (text->where == ACCUMULATED || !has_content(text))
        return state; /* it only grows, and `size` with it */
    Py_ssize_t size = text->size, first = size < BEGINNING + END ? size : BEGINNING;
    state = state_mix(state, content_hash(text->characters, (size_t)first * sizeof(Py_UCS4)));
    if (size > BEGINNING + END)
        state = state_mix(state, content_hash(text->characters + size - END, END * sizeof(Py_UCS4)));
    return state;
}

static void read_text(PyObject *o, Parts *parts)
{
    Text *text = (Text *)o;
    if (text->is_ready <= 0)
        return;
    part_see(parts, "closed", text->is_closed ? Py_True : Py_False);
    if (text->is_closed)
        return;
    part_number(parts, "position", text->position);
    if (has_content(text))
        part_content(parts, o, text->size, make_text);
    else
        part_number(parts, "size", text->size);
}

/* -- BytesIO ----------------------------------------------------------------------------------------------------- */

typedef struct {
    PyObject_HEAD
    PyObject *bytes; /* NULL: closed; of its memory, `size` is in use */
    Py_ssize_t position, size;
    PyObject *dict, *weak_references;
    Py_ssize_t exports;
} Memory;

static bool is_open(Memory *memory)
{
    return memory->bytes != NULL && PyBytes_Check(memory->bytes) && memory->size >= 0 &&
           memory->size <= PyBytes_GET_SIZE(memory->bytes);
}

static PyObject *make_bytes(PyObject *o, Py_ssize_t from, Py_ssize_t to)
{
    return PyBytes_FromStringAndSize(PyBytes_AS_STRING(((Memory *)o)->bytes) + from, to - from);
}

static uint64_t state_of_memory(PyObject *o)
{
    Memory *memory = (Memory *)o;
    if (!is_open(memory))
        return 0;
    const char *data = PyBytes_AS_STRING(memory->bytes);
    Py_ssize_t size = memory->size, first = size < BEGINNING + END ? size : BEGINNING;
    uint64_t state = state_mix((uint64_t)memory->position, (uint64_t)size + 1);
    state = state_mix(state, content_hash(data, (size_t)first));
    return size <= BEGINNING + END ? state : state_mix(state, content_hash(data + size - END, END));
}

static void read_memory(PyObject *o, Parts *parts)
{
    Memory *memory = (Memory *)o;
    part_see(parts, "closed", memory->bytes == NULL ? Py_True : Py_False);
    if (!is_open(memory))
        return;
    part_number(parts, "position", memory->position);
    part_content(parts, o, memory->size, make_bytes);
}

/* -- files ------------------------------------------------------------------------------------------------------------ */

typedef struct {
    PyObject_HEAD
    int fd; /* -1: closed */
    unsigned int created : 1, readable : 1, writable : 1, appending : 1;
    signed int seekable : 2;
    unsigned int closes : 1;
    char finalizing;
    unsigned int block_size;
    PyObject *weak_references, *dict;
} Raw;

static const char *mode_of(Raw *raw)
{
    if (raw->created)
        return raw->readable ? "xb+" : "xb";
    if (raw->appending)
        return raw->readable ? "ab+" : "ab";
    if (raw->readable)
        return raw->writable ? "rb+" : "rb";
    return raw->writable ? "wb" : NULL;
}

static uint64_t state_of_raw(PyObject *o)
{
    return (uint64_t)((Raw *)o)->fd;
}

/* `name` is in its dictionary. */
static void read_raw(PyObject *o, Parts *parts)
{
    Raw *raw = (Raw *)o;
    const char *mode = mode_of(raw);
    if (mode == NULL)
        return; /* not opened yet */
    part_see(parts, "closed", raw->fd < 0 ? Py_True : Py_False);
    part_take(parts, "mode", PyUnicode_FromString(mode));
}

typedef struct {
    PyObject_HEAD
    PyObject *raw; /* NULL: detached, or not ready */
    int is_ready, is_detached, readable, writable;
    char finalizing;
    int checks_fast;
    off_t raw_position; /* -1: unknown */
    char *buffer;
    off_t position; /* in the buffer */
    off_t buffer_position, read_end, write_position, write_end;
    void *lock;
    volatile unsigned long owner;
    Py_ssize_t buffer_size, buffer_mask;
    PyObject *dict, *weak_references;
} Buffered;

/* The raw file, if it is one of C that nobody has made a subclass of; else NULL. */
static Raw *raw_of(PyObject *o)
{
    PyObject *raw = ((Buffered *)o)->raw;
    bool fits = raw != NULL && strcmp(Py_TYPE(raw)->tp_name, "_io.FileIO") == 0 && known_is_exact(raw);
    return fits && ((Buffered *)o)->is_ready && !((Buffered *)o)->is_detached ? (Raw *)raw : NULL;
}

/* As Python computes it: the raw position minus what was read ahead, or plus what is not written yet. */
static off_t position_of(Buffered *b)
{
    bool reads = b->readable && b->read_end != -1, writes = b->writable && b->write_end != -1;
    if (b->raw_position < 0)
        return -1;
    off_t ahead = (reads || writes) && b->buffer_position >= 0 ? b->buffer_position - b->position : 0;
    return b->raw_position - ahead;
}

static uint64_t state_of_buffered(PyObject *o)
{
    Raw *raw = raw_of(o);
    uint64_t position = (uint64_t)position_of((Buffered *)o);
    return raw == NULL ? 0 : state_mix(position, (uint64_t)raw->fd + 2);
}

static void part_file_name(Parts *parts, Raw *raw)
{
    Py_ssize_t hint = -1;
    part_see(parts, "name", instance_get((PyObject *)raw, recorder.names.name, &hint));
}

static void read_buffered(PyObject *o, Parts *parts)
{
    Raw *raw = raw_of(o);
    if (raw == NULL)
        return;
    part_file_name(parts, raw);
    read_raw((PyObject *)raw, parts);
    off_t position = position_of((Buffered *)o);
    if (raw->fd >= 0 && position >= 0 && !raw->appending)
        part_take(parts, "position", PyLong_FromLongLong(position));
}

typedef struct {
    PyObject_HEAD
    int is_ready, is_detached;
    Py_ssize_t chunk_size;
    PyObject *buffer, *encoding, *encoder, *decoder, *read_newline, *errors;
    const char *write_newline;
    char flags[9];
    void *encode;
    char starts;
    PyObject *decoded;
    Py_ssize_t decoded_used;
    PyObject *pending;
    Py_ssize_t pending_count;
    PyObject *snapshot;
    double ratio;
    PyObject *raw, *weak_references, *dict;
#if PY_VERSION_HEX >= 0x030C0000
    void *module;
#endif
} TextFile;

static Raw *raw_of_text(PyObject *o)
{
    static const char *const names[] = {"_io.BufferedReader", "_io.BufferedWriter", "_io.BufferedRandom",
                                        NULL};
    TextFile *file = (TextFile *)o;
    PyObject *buffer = file->is_ready && !file->is_detached ? file->buffer : NULL;
    if (buffer == NULL || !one_of(Py_TYPE(buffer)->tp_name, names) || !known_is_exact(buffer))
        return NULL;
    return raw_of(buffer);
}

static uint64_t state_of_text_file(PyObject *o)
{
    Raw *raw = raw_of_text(o);
    return raw == NULL ? 0 : state_mix(STATE_OF(((TextFile *)o)->encoding), (uint64_t)raw->fd + 2);
}

/* `mode` is in its dictionary. */
static void read_text_file(PyObject *o, Parts *parts)
{
    Raw *raw = raw_of_text(o);
    if (raw == NULL)
        return;
    part_file_name(parts, raw);
    part_see(parts, "closed", raw->fd < 0 ? Py_True : Py_False);
    part_see(parts, "encoding", ((TextFile *)o)->encoding);
}

const KnownType known_streams[] = {
#if COMPAT_LAYOUTS_KNOWN
    {"_io.StringIO", read_text, true, sizeof(Text), state_of_text},
    {"_io.BytesIO", read_memory, true, sizeof(Memory), state_of_memory},
    {"_io.FileIO", read_raw, true, sizeof(Raw), state_of_raw},
    {"_io.BufferedReader", read_buffered, true, sizeof(Buffered), state_of_buffered},
    {"_io.BufferedWriter", read_buffered, true, sizeof(Buffered), state_of_buffered},
    {"_io.BufferedRandom", read_buffered, true, sizeof(Buffered), state_of_buffered},
    {"_io.TextIOWrapper", read_text_file, true, sizeof(TextFile), state_of_text_file},
#endif
    {NULL, NULL, false},
};
