/* Strings, bytes and big numbers: their content is written once and then named by a 64-bit id.

   - Up to 8 ASCII characters or bytes travel inside the event.
   - Short content is named by a hash of it, so equal content has equal ids. Which ids were
     written lately is kept in a table of fixed size; one that fell out is simply written again.
   - Long strings are named by a number that goes with the object's address. A string that grew in
     place (`s += x`) is written as its old id plus the new tail, so a loop of appends stays linear.
     Where the program itself copies (`self.text += x`), the last few long strings are compared. */
#include "base/compat.h"
#include "emit/content.h"
#include "base/allocate.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "emit/events.h"
#include "emit/ring.h"
#include "recorder.h"
#include "shadow/identity.h"
#include "shadow/nodes.h"
#include <string.h>

#define LONG_STRING 256          /* characters */
#define STORED_MAX (1024 * 1024) /* content beyond this is cut, with the true length kept */
#define STORED_CUT 65536

static Contents *const contents = &recorder.contents;

uint64_t content_hash(const void *data, size_t size)
{
    const unsigned char *p = data;
    uint64_t h = 0x9E3779B97F4A7C15ull ^ (size * 0xff51afd7ed558ccdull);
    while (size >= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        h = (h ^ word) * 0x9FB21C651E98DF25ull;
        h ^= h >> 32;
        p += 8;
        size -= 8;
    }
    uint64_t word = 0;
    memcpy(&word, p, size);
    h = (h ^ word) * 0x9FB21C651E98DF25ull;
    h ^= h >> 29;
    h *= 0xc4ceb9fe1a85ec53ull;
    return h ^ (h >> 32);
}

/* -- which contents were written lately --------------------------------------------------------------- */

static bool already_written(uint64_t id)
{
    uint64_t *set = contents->written[id % CONTENT_SETS];
    for (int i = 0; i < CONTENT_WAYS; i++) {
        if (set[i] == id)
            return true;
    }
    set[contents->oldest[id % CONTENT_SETS]++ % CONTENT_WAYS] = id;
    return false;
}

void emit_text(int kind, Value key, Value value, const char *text, size_t size)
{
    ring_bytes(text, size);
    emit(kind, (Where){0, 0}, size, key, value);
}

/* Writes a whole content; key: its full length; cut if it is too long. */
static void emit_content(Value value, const char *data, size_t size, size_t length)
{
    Value key = {0, length};
    if (size > STORED_MAX) {
        size = STORED_CUT;
        while (value.tag == TAG_STR && size > 0 && ((unsigned char)data[size] & 0xC0) == 0x80)
            size--; /* not inside a character */
        key.tag = 1;
    }
    emit_text(EV_CONTENT, key, value, data, size);
}

/* -- text ------------------------------------------------------------------------------------------------ */

/* The UTF-8 of characters [from, end); *owner keeps it alive (may be NULL). */
static const char *utf8_of(PyObject *s, Py_ssize_t from, Py_ssize_t *size, PyObject **owner)
{
    *owner = NULL;
    if (PyUnicode_IS_COMPACT_ASCII(s)) {
        *size = PyUnicode_GET_LENGTH(s) - from;
        return (const char *)PyUnicode_1BYTE_DATA(s) + from;
    }
    PyObject *part = from == 0 ? Py_NewRef(s) : PyUnicode_Substring(s, from, PyUnicode_GET_LENGTH(s));
    if (part != NULL) {
        *owner = PyUnicode_AsEncodedString(part, "utf-8", "surrogatepass");
        Py_DECREF(part);
    }
    if (*owner == NULL) {
        drop_error();
        *size = 0;
        return "";
    }
    *size = PyBytes_GET_SIZE(*owner);
    return PyBytes_AS_STRING(*owner);
}

static void emit_string(PyObject *s, Value value)
{
    PyObject *owner;
    Py_ssize_t size;
    const char *text = utf8_of(s, 0, &size, &owner);
    emit_content(value, text, (size_t)size, (size_t)PyUnicode_GET_LENGTH(s));
    Py_XDECREF(owner);
}

static void emit_append(PyObject *s, Py_ssize_t from, uint64_t base, Value value)
{
    PyObject *owner;
    Py_ssize_t size;
    const char *text = utf8_of(s, from, &size, &owner);
    if (size > STORED_MAX)
        emit_string(s, value);
    else
        emit_text(EV_CONTENT_APPEND, (Value){0, base}, value, text, (size_t)size);
    Py_XDECREF(owner);
}

/* -- the last few long strings, to find out that a new one continues one of them ------------------------- */

typedef struct RecentText Recent;

static void recent_keep(Recent *r, uint64_t id, const char *text, size_t from, size_t size)
{
    if (size > r->room) {
        size_t room = size + size / 2;
        char *bigger = reallocate(r->text, room, 1);
        if (bigger == NULL) {
            r->size = 0;
            return;
        }
        r->text = bigger;
        r->room = room;
    }
    memcpy(r->text + from, text + from, size - from);
    r->size = size;
    r->id = id;
}

/* Emits the ASCII string s as a continuation of a recent one, if it is that. */
static bool emit_continued(PyObject *s, Value value)
{
    const char *text = (const char *)PyUnicode_1BYTE_DATA(s);
    size_t size = (size_t)PyUnicode_GET_LENGTH(s);
    for (int i = 0; i < RECENT_TEXTS; i++) {
        Recent *r = &contents->recent[i];
        if (r->size >= LONG_STRING / 2 && r->size <= size && r->size * 2 >= size &&
            memcmp(r->text, text, r->size) == 0) {
            size_t known = r->size;
            emit_append(s, (Py_ssize_t)known, r->id, value);
            recent_keep(r, value.bits, text, known, size);
            return true;
        }
    }
    recent_keep(&contents->recent[contents->recent_next++ % RECENT_TEXTS], value.bits, text, 0, size);
    return false;
}

/* -- strings ------------------------------------------------------------------------------------------------ */

static void long_string(PyObject *s, Value *out)
{
    PlainNode *node = (PlainNode *)node_find_base(s);
    uint64_t length = (uint64_t)PyUnicode_GET_LENGTH(s);
    if (node != NULL && node->head.layout != LAYOUT_LONG_STR) {
        node_forget(s);
        node = NULL;
    }
    out->tag = TAG_STR;
    if (node != NULL && node->fingerprint == length) {
        out->bits = node->head.oid;
        return;
    }
    out->bits = ++contents->last_long | 1ull << 62;
    if (node != NULL && node->fingerprint < length) {
        emit_append(s, (Py_ssize_t)node->fingerprint, node->head.oid, *out);
    }
    else {
        if (node == NULL)
            node = (PlainNode *)node_new(s, NULL, LAYOUT_LONG_STR, PLAIN_SIZE);
        if (!PyUnicode_IS_COMPACT_ASCII(s) || length > STORED_MAX || !emit_continued(s, *out))
            emit_string(s, *out);
    }
    node->head.oid = out->bits;
    node->fingerprint = length;
}

static void encode_str(PyObject *s, Value *out)
{
    Py_hash_t hash = ((PyASCIIObject *)s)->hash;
    if (hash == -1) {
        if (PyUnicode_GET_LENGTH(s) > LONG_STRING) {
            long_string(s, out);
            return;
        }
        hash = PyObject_Hash(s); /* of an exact string: computed once and kept in it, as ever */
    }
    uint64_t id = ((uint64_t)hash ^ ((uint64_t)PyUnicode_GET_LENGTH(s) << 40)) | 1;
    *out = (Value){TAG_STR, id};
    if (!already_written(id))
        emit_string(s, *out);
}

/* -- everything else ------------------------------------------------------------------------------------------ */

static void encode_raw(int tag, const char *data, size_t size, Value *out)
{
    uint64_t id = (content_hash(data, size) ^ (uint64_t)tag << 56) | 1;
    *out = (Value){(uint8_t)tag, id};
    if (!already_written(id))
        emit_content(*out, data, size, size);
}

Value content_bytes(const char *data, size_t size)
{
    Value out = {(uint8_t)(TAG_BYTES_INLINE + size), 0};
    if (size > 8)
        encode_raw(TAG_BYTES, data, size, &out);
    else if (size > 0)
        memcpy(&out.bits, data, size);
    return out;
}

static void encode_int(PyObject *v, Value *out)
{
    int overflow;
    long long n = PyLong_AsLongLongAndOverflow(v, &overflow);
    if (overflow == 0) {
        *out = INT_VALUE(n);
        return;
    }
    PyObject *text = PyNumber_ToBase(v, 16);
    if (text == NULL) {
        drop_error();
        *out = NO_VALUE;
        return;
    }
    encode_raw(TAG_BIGINT, (const char *)PyUnicode_1BYTE_DATA(text), (size_t)PyUnicode_GET_LENGTH(text), out);
    Py_DECREF(text);
}

void content_encode(PyObject *v, Value *out)
{
    PyTypeObject *t = Py_TYPE(v);
    if (encode_quick(v, out))
        return;
    if (t == &PyUnicode_Type)
        encode_str(v, out);
    else if (t == &PyLong_Type)
        encode_int(v, out);
    else if (t == &PyFloat_Type) {
        double d = PyFloat_AS_DOUBLE(v);
        out->tag = TAG_FLOAT;
        memcpy(&out->bits, &d, 8);
    }
    else if (t == &PyBytes_Type)
        *out = content_bytes(PyBytes_AS_STRING(v), (size_t)PyBytes_GET_SIZE(v));
    else if (t == &PyComplex_Type) {
        Py_complex c = ((PyComplexObject *)v)->cval;
        encode_raw(TAG_COMPLEX, (const char *)&c, sizeof c, out);
    }
    else
        *out = (Value){TAG_CONST, v == Py_False      ? CONST_FALSE
                                  : v == Py_True     ? CONST_TRUE
                                  : v == Py_Ellipsis ? CONST_ELLIPSIS
                                                     : CONST_NOT_IMPLEMENTED};
}

void content_process(uint64_t process)
{
    contents->last_long = process << 40;
}

void contents_clear(void)
{
    memset(contents->written, 0, sizeof contents->written);
    memset(contents->oldest, 0, sizeof contents->oldest);
    for (int i = 0; i < RECENT_TEXTS; i++)
        contents->recent[i].size = 0;
    contents->last_long = 0;
}

/* -- names ------------------------------------------------------------------------------------------------------ */

static void emit_name(PyObject *name, uint64_t id)
{
    PyObject *owner;
    Py_ssize_t size;
    const char *text = utf8_of(name, 0, &size, &owner);
    emit_text(EV_NAME, NO_VALUE, NAME_VALUE(id), text, (size_t)size);
    Py_XDECREF(owner);
}

uint64_t name_id(PyObject *name)
{
    if (contents->name_ids == NULL)
        contents->name_ids = PyDict_New();
    PyObject *known = contents->name_ids == NULL ? NULL : PyDict_GetItemWithError(contents->name_ids, name);
    if (known != NULL)
        return (uint64_t)PyLong_AsUnsignedLongLong(known);
    uint64_t id = contents->name_ids == NULL ? 0 : (uint64_t)PyDict_GET_SIZE(contents->name_ids) + 1;
    PyObject *number = id == 0 || allocation_fails() ? NULL : PyLong_FromUnsignedLongLong(id);
    if (number == NULL || PyDict_SetItem(contents->name_ids, name, number) < 0) {
        Py_XDECREF(number);
        PyErr_Clear();
        allocation_failed();
        return 0;
    }
    Py_DECREF(number);
    emit_name(name, id);
    return id;
}

void names_again(void)
{
    PyObject *name, *id;
    Py_ssize_t at = 0;
    while (contents->name_ids != NULL && PyDict_Next(contents->name_ids, &at, &name, &id))
        emit_name(name, (uint64_t)PyLong_AsUnsignedLongLong(id));
}
