/* Strings, bytes and big numbers: written once, then named by an id. */
#ifndef WRONGCALL_CONTENT_H
#define WRONGCALL_CONTENT_H

#include "base/compat.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "emit/events.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

void content_encode(PyObject *v, Value *out);       /* str, bytes, int, float, complex, None ... */
Value content_bytes(const char *data, size_t size); /* as those of a bytes object */
uint64_t name_id(PyObject *name);                   /* an attribute's or variable's name */
void emit_text(int kind, Value key, Value value, const char *text, size_t size);
void contents_clear(void); /* after a recording: nothing is written yet */
void names_again(void);    /* in another recording: names keep their ids, which instrumented code holds */
void content_process(uint64_t process); /* numbers of long strings differ between processes */
uint64_t content_hash(const void *data, size_t size);

/* Most values are small ints, short strings, None. */
static inline bool encode_quick(PyObject *v, Value *out)
{
    PyTypeObject *t = Py_TYPE(v);
    if (t == &PyLong_Type) {
        int64_t n;
        if (!compat_small_int(v, &n))
            return false;
        *out = INT_VALUE(n);
        return true;
    }
    if (t == &PyUnicode_Type) {
        if (!PyUnicode_IS_COMPACT_ASCII(v))
            return false;
        Py_ssize_t n = ((PyASCIIObject *)v)->length;
        if (n > 8)
            return false;
        uint64_t bits = 0;
        memcpy(&bits, PyUnicode_1BYTE_DATA(v), (size_t)n);
        *out = (Value){(uint8_t)(TAG_STR_INLINE + n), bits};
        return true;
    }
    if (v == Py_None) {
        *out = (Value){TAG_CONST, CONST_NONE};
        return true;
    }
    return false;
}

#endif
