/* Scalars of numpy, read as numpy's public structs have them: the value follows the object's head. (Those that
   are a float, complex, str or bytes at the same time are recorded as such.) */
#include "base/compat.h"
#include "known/readers.h"
#include "known/value_readers.h"
#include <string.h>
#include <float.h>

/* The name without `numpy.`; of a subclass that of its base. */
static const char *scalar_name(PyObject *o)
{
    PyTypeObject *type = Py_TYPE(o);
    while (type != NULL && (type->tp_flags & Py_TPFLAGS_HEAPTYPE))
        type = type->tp_base;
    return type == NULL || strncmp(type->tp_name, "numpy.", 6) != 0 ? NULL : type->tp_name + 6;
}

typedef struct {
    PyObject_HEAD
    union {
        unsigned char b;
        int8_t i8;
        int16_t i16;
        int32_t i32;
        int64_t i64;
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
        char half[2];
        float f;
        float pair[2];
        long double g;
        long double long_pair[2];
    } value;
} Scalar;

typedef struct {
    PyObject_HEAD
    int64_t value;
    int unit, steps;
} TimeScalar;

static PyObject *integer(const char *name, const Scalar *s)
{
    bool is_unsigned = *name == 'u';
    name += is_unsigned;
    if (strcmp(name, "int8") == 0)
        return is_unsigned ? PyLong_FromUnsignedLong(s->value.u8) : PyLong_FromLong(s->value.i8);
    if (strcmp(name, "int16") == 0)
        return is_unsigned ? PyLong_FromUnsignedLong(s->value.u16) : PyLong_FromLong(s->value.i16);
    if (strcmp(name, "int32") == 0 || strcmp(name, "intc") == 0)
        return is_unsigned ? PyLong_FromUnsignedLong(s->value.u32) : PyLong_FromLong(s->value.i32);
    if (strcmp(name, "int64") == 0 || strcmp(name, "longlong") == 0)
        return is_unsigned ? PyLong_FromUnsignedLongLong(s->value.u64) : PyLong_FromLongLong(s->value.i64);
    return NULL;
}

static PyObject *floating(const char *name, const Scalar *s)
{
    if (strcmp(name, "float16") == 0)
        return PyFloat_FromDouble(PyFloat_Unpack2(s->value.half, PY_LITTLE_ENDIAN));
    if (strcmp(name, "float32") == 0)
        return PyFloat_FromDouble((double)s->value.f);
    if (strcmp(name, "complex64") == 0)
        return PyComplex_FromDoubles((double)s->value.pair[0], (double)s->value.pair[1]);
    return NULL;
}

/* No float of Python has room for it: its bytes, without those that only fill up. */
static void read_long_double(const long double *values, int count, Parts *parts)
{
    char bytes[2 * sizeof(long double)] = {0};
    size_t used = LDBL_MANT_DIG == 64 ? 10 : sizeof(long double);
    for (int i = 0; i < count; i++)
        memcpy(bytes + (size_t)i * sizeof(long double), &values[i], used);
    part_take(parts, "__data__",
              PyBytes_FromStringAndSize(bytes, (Py_ssize_t)((size_t)count * sizeof(long double))));
}

static void read_time_scalar(const TimeScalar *t, Parts *parts)
{
    static const char *const units[] = {"Y",  "M",  "W",  NULL, "D",  "h",  "m",      "s",
                                        "ms", "us", "ns", "ps", "fs", "as", "generic"};
    if (t->unit < 0 || (size_t)t->unit >= Py_ARRAY_LENGTH(units) || units[t->unit] == NULL || t->steps < 1)
        return;
    part_take(parts, "__value__", PyLong_FromLongLong(t->value));
    part_take(parts, "unit",
              t->steps == 1 ? PyUnicode_FromString(units[t->unit])
                            : PyUnicode_FromFormat("%d%s", t->steps, units[t->unit]));
}

void read_numpy_scalar(PyObject *o, Parts *parts)
{
    const char *name = scalar_name(o);
    const Scalar *s = (const Scalar *)o;
    if (name == NULL)
        return;
    if (strcmp(name, "bool") == 0 || strcmp(name, "bool_") == 0)
        part_see(parts, "__value__", s->value.b ? Py_True : Py_False);
    else if (strcmp(name, "datetime64") == 0 || strcmp(name, "timedelta64") == 0)
        read_time_scalar((const TimeScalar *)o, parts);
    else if (strcmp(name, "longdouble") == 0 || strcmp(name, "float128") == 0)
        read_long_double(&s->value.g, 1, parts);
    else if (strcmp(name, "clongdouble") == 0 || strcmp(name, "complex256") == 0)
        read_long_double(s->value.long_pair, 2, parts);
    else {
        PyObject *value = integer(name, s);
        part_take(parts, "__value__", value != NULL ? value : floating(name, s));
    }
}
