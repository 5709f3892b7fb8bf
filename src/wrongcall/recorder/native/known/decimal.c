/* decimal.Decimal, written out from its struct.

   Its own repr asks for the current context, which makes one where there is none yet: the program could
   notice. The struct has been the same since CPython 3.3; its size is compared, and what it says about
   itself must fit together. */
#include "base/compat.h"
#include "base/allocate.h"
#include "known/readers.h"
#include "known/value_readers.h"

typedef struct {
    PyObject_HEAD
    Py_hash_t hash;
    struct {
        uint8_t flags;
        Py_ssize_t exponent, digits, length, room;
        size_t *words; /* the least significant one first */
    } number;
    size_t inline_words[4];
} DecimalObject;

enum { NEGATIVE = 1, INFINITE = 2, QUIET_NAN = 4, SIGNALING_NAN = 8 };

#define WORD_DIGITS (sizeof(size_t) == 8 ? 19 : 9)

static bool has_known_layout(PyObject *o)
{
    PyTypeObject *type = Py_TYPE(o);
    while (type->tp_base != NULL && type->tp_base != &PyBaseObject_Type)
        type = type->tp_base;
    return type->tp_basicsize == (Py_ssize_t)sizeof(DecimalObject) && type->tp_itemsize == 0;
}

static bool fits_together(DecimalObject *d)
{
    Py_ssize_t words = (d->number.digits + WORD_DIGITS - 1) / WORD_DIGITS;
    if (d->number.length == 0)
        return d->number.digits == 0 && (d->number.flags & (INFINITE | QUIET_NAN | SIGNALING_NAN));
    return d->number.digits > 0 && d->number.digits < PY_SSIZE_T_MAX / 2 && d->number.length == words &&
           d->number.room >= words && d->number.words != NULL;
}

/* The coefficient's digits; NULL: there is no memory. To be released. */
static char *digits_of(DecimalObject *d)
{
    size_t digits = (size_t)d->number.digits;
    char *text = allocate(digits + 32, 1), *at = text;
    if (text == NULL)
        return NULL;
    for (Py_ssize_t i = d->number.length - 1; i >= 0; i--)
        at += snprintf(at, digits + 32 - (size_t)(at - text), "%0*zu", at == text ? 1 : (int)WORD_DIGITS,
                       d->number.words[i]);
    if ((size_t)(at - text) == digits)
        return text;
    release(text);
    return NULL;
}

/* As the decimal arithmetic specification has it: to-scientific-string. */
static PyObject *number_text(const char *sign, const char *digits, Py_ssize_t n, Py_ssize_t exponent)
{
    Py_ssize_t left = exponent + n; /* digits before the point, if there were no exponent */
    Py_ssize_t dot = exponent <= 0 && left > -6 ? left : 1;
    char power[32] = "";
    if (left != dot)
        snprintf(power, sizeof power, "E%+zd", left - dot);
    if (dot <= 0)
        return PyUnicode_FromFormat("Decimal('%s0.%s%s%s')", sign, &"000000"[6 + dot], digits, power);
    if (dot >= n)
        return PyUnicode_FromFormat("Decimal('%s%s%s')", sign, digits, power);
    PyObject *whole = PyUnicode_FromStringAndSize(digits, dot);
    PyObject *text =
        whole == NULL ? NULL : PyUnicode_FromFormat("Decimal('%s%U.%s%s')", sign, whole, digits + dot, power);
    Py_XDECREF(whole);
    return text;
}

void read_decimal(PyObject *o, Parts *parts)
{
    DecimalObject *d = (DecimalObject *)o;
    if (!has_known_layout(o) || !fits_together(d))
        return;
    uint8_t flags = d->number.flags;
    const char *sign = flags & NEGATIVE ? "-" : "";
    char *digits = d->number.length == 0 ? NULL : digits_of(d);
    if (d->number.length != 0 && digits == NULL)
        return;
    PyObject *text;
    if (flags & INFINITE)
        text = PyUnicode_FromFormat("Decimal('%sInfinity')", sign);
    else if (flags & (QUIET_NAN | SIGNALING_NAN))
        text = PyUnicode_FromFormat("Decimal('%s%s%s')", sign, flags & QUIET_NAN ? "NaN" : "sNaN",
                                    digits == NULL ? "" : digits);
    else
        text = number_text(sign, digits, d->number.digits, d->number.exponent);
    release(digits);
    part_take(parts, "__repr__", text);
}
