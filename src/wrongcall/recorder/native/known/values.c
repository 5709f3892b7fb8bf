/* Values that never change: which reader belongs to which type.

   `__repr__` is how people write the value; what it refers to are further parts. */
#include "base/compat.h"
#include "known/readers.h"
#include "known/value_readers.h"
#include "shadow/shape.h"

static void read_nothing(PyObject *o, Parts *parts)
{
}

#define FIXED(name, read) {name, read, false}

const KnownType known_values[] = {
    FIXED("datetime.datetime", read_datetime), /* before date, its base */
    FIXED("datetime.date", read_date),
    FIXED("datetime.time", read_time),
    FIXED("datetime.timedelta", read_timedelta),
    FIXED("datetime.timezone", read_timezone),
    FIXED("zoneinfo.ZoneInfo", read_nothing), /* its key is a member */
    FIXED("decimal.Decimal", read_decimal),
    FIXED("builtin_function_or_method", read_builtin_function),
    FIXED("builtin_method", read_builtin_function),
    FIXED("method-wrapper", read_method_wrapper),
    FIXED("wrapper_descriptor", read_nothing), /* name and class of these are members */
    FIXED("method_descriptor", read_nothing),
    FIXED("classmethod_descriptor", read_nothing),
    FIXED("getset_descriptor", read_nothing),
    FIXED("member_descriptor", read_nothing),
    FIXED("operator.itemgetter", read_operator),
    FIXED("operator.attrgetter", read_operator),
    FIXED("operator.methodcaller", read_operator),
    FIXED("_contextvars.Token", read_token),
    FIXED("Token", read_token),
    FIXED("dict_keys", read_dict_view),
    FIXED("dict_values", read_dict_view),
    FIXED("dict_items", read_dict_view),
    FIXED("odict_keys", read_dict_view),
    FIXED("odict_values", read_dict_view),
    FIXED("odict_items", read_dict_view),
    FIXED("mappingproxy", read_mapping_proxy),
    {"memoryview", read_memory_view, true}, /* it can be released */
    FIXED("re.Pattern", read_pattern),
    FIXED("re.Match", read_match),
    FIXED("collections.deque", read_deque),
    FIXED("array.array", read_array),
    FIXED("numpy.bool", read_numpy_scalar),
    FIXED("numpy.bool_", read_numpy_scalar),
    FIXED("numpy.int8", read_numpy_scalar),
    FIXED("numpy.int16", read_numpy_scalar),
    FIXED("numpy.int32", read_numpy_scalar),
    FIXED("numpy.int64", read_numpy_scalar),
    FIXED("numpy.intc", read_numpy_scalar),
    FIXED("numpy.longlong", read_numpy_scalar),
    FIXED("numpy.uint8", read_numpy_scalar),
    FIXED("numpy.uint16", read_numpy_scalar),
    FIXED("numpy.uint32", read_numpy_scalar),
    FIXED("numpy.uint64", read_numpy_scalar),
    FIXED("numpy.uintc", read_numpy_scalar),
    FIXED("numpy.ulonglong", read_numpy_scalar),
    FIXED("numpy.float16", read_numpy_scalar),
    FIXED("numpy.float32", read_numpy_scalar),
    FIXED("numpy.longdouble", read_numpy_scalar),
    FIXED("numpy.float128", read_numpy_scalar),
    FIXED("numpy.complex64", read_numpy_scalar),
    FIXED("numpy.clongdouble", read_numpy_scalar),
    FIXED("numpy.complex256", read_numpy_scalar),
    FIXED("numpy.datetime64", read_numpy_scalar),
    FIXED("numpy.timedelta64", read_numpy_scalar),
    {NULL, NULL, false},
};

const KnownType known_library[] = {
    FIXED("pathlib.PurePath", read_path),
    FIXED("pathlib._local.PurePath", read_path),
    {NULL, NULL, false},
};
