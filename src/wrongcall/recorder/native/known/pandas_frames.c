/* What pandas keeps in C: the blocks of a frame, their values and places, and single values such as Timestamp.

       DataFrame._mgr -> blocks -> values     arrays of one or more columns, one row for each column
                                -> _mgr_locs  which columns they are: start, stop, step, or array
                      -> axes                 the labels: columns, then index
       Series._mgr    -> the same with one block
       Index._data, and in arrays of pandas' own _ndarray or _data and _mask

   Fields that Cython made public are read by the getters of the very type that has them, which are C. A type of the
   same name whose getters are missing has no parts, so another version of pandas shows as what it is: not known.

   Of polars only shape, names and length are read, by methods of its compiled types.

   Everything else in objects of pandas is bookkeeping (caches, flags, weak references): it is not recorded. */
#include "base/compat.h"
#include "known/pandas_frames.h"
#include "base/allocate.h"
#include "base/function_names.h"
#include "base/lookup.h"
#include "known/known.h"
#include "known/readers.h"
#include "recorder.h"
#include "shadow/attributes.h"
#include "shadow/identity.h"
#include "shadow/lifetime.h"
#include "shadow/nodes.h"
#include "shadow/shape.h"
#include "shadow/slot.h"
#include <string.h>
#include <datetime.h>

/* -- getters ------------------------------------------------------------------------------------------------- */

static PyTypeObject *base_named(PyObject *o, const char *name)
{
    PyTypeObject *type = Py_TYPE(o);
    while (type != NULL && (strcmp(type->tp_name, name) != 0 || !is_made_in_c(type)))
        type = type->tp_base;
    return type;
}

/* A field of a type of C; a new reference or NULL. */
static PyObject *field(PyObject *o, PyTypeObject *type, const char *name)
{
    PyObject *dict = type == NULL ? NULL : compat_type_dict(type);
    PyObject *found = dict == NULL ? NULL : dict_find(dict, name);
    PyObject *value = NULL;
    if (found != NULL && Py_IS_TYPE(found, &PyGetSetDescr_Type) && PyDescr_TYPE(found) == type) {
        PyGetSetDef *def = ((PyGetSetDescrObject *)found)->d_getset;
        value = def->get == NULL ? NULL : def->get(o, def->closure);
    }
    else if (found != NULL && Py_IS_TYPE(found, &PyMemberDescr_Type) && PyDescr_TYPE(found) == type)
        value = Py_TYPE(found)->tp_descr_get(found, o, (PyObject *)type);
    Py_XDECREF(dict);
    drop_error();
    return value;
}

static bool int_field(PyObject *o, PyTypeObject *type, const char *name, int64_t *out)
{
    PyObject *value = field(o, type, name);
    bool known = value != NULL && PyLong_CheckExact(value);
    *out = known ? PyLong_AsLongLong(value) : 0;
    Py_XDECREF(value);
    return known && PyErr_Occurred() == NULL;
}

/* -- frames -------------------------------------------------------------------------------------------------- */

static void read_manager(PyObject *o, Parts *parts)
{
    PyTypeObject *type = base_named(o, "pandas._libs.internals.BlockManager");
    part_take(parts, "blocks", field(o, type, "blocks"));
    part_take(parts, "axes", field(o, type, "axes"));
}

/* Which columns a block holds: a range of them, or an array of their numbers. Placements have a free list of Cython's
   own, so one at the same address may be another one: they are told as parts of their block. */
static void read_placement(PyObject *placement, Parts *parts)
{
    PyTypeObject *type = base_named(placement, "pandas._libs.internals.BlockPlacement");
    PyObject *indexer = field(placement, type, "indexer");
    if (indexer != NULL && PySlice_Check(indexer)) {
        PySliceObject *slice = (PySliceObject *)indexer;
        part_see(parts, "start", slice->start);
        part_see(parts, "stop", slice->stop);
        part_see(parts, "step", slice->step);
    }
    else
        part_see(parts, "array", indexer);
    Py_XDECREF(indexer); /* the placement keeps it */
}

static void read_block(PyObject *o, Parts *parts)
{
    PyTypeObject *type = base_named(o, "pandas._libs.internals.Block");
    PyObject *placement = field(o, type, "_mgr_locs");
    part_take(parts, "values", field(o, type, "values"));
    if (placement != NULL)
        read_placement(placement, parts);
    Py_XDECREF(placement);
}

static void read_backed(PyObject *o, Parts *parts)
{
    PyTypeObject *type = base_named(o, "pandas._libs.arrays.NDArrayBacked");
    part_take(parts, "_ndarray", field(o, type, "_ndarray"));
    part_take(parts, "_dtype", field(o, type, "_dtype"));
}

static void read_indexer(PyObject *o, Parts *parts)
{
    PyTypeObject *type = base_named(o, "pandas._libs.indexing.NDFrameIndexerBase");
    part_take(parts, "obj", field(o, type, "obj"));
}

static void read_interval(PyObject *o, Parts *parts)
{
    PyTypeObject *type = base_named(o, "pandas._libs.interval.Interval");
    part_take(parts, "left", field(o, type, "left"));
    part_take(parts, "right", field(o, type, "right"));
    part_take(parts, "closed", field(o, type, "closed"));
}

/* -- single values ---------------------------------------------------------------------------------------------- */

#define TEXT 200
#define DAY 86400

/* How many units a second has; 0: not known. The numbers are numpy's. */
static int64_t per_second(int64_t resolution)
{
    static const int64_t units[] = {1, 1000, 1000000, 1000000000};
    return resolution >= 7 && resolution <= 10 ? units[resolution - 7] : 0;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Days since 1970 of a date of the Gregorian calendar. */
static int64_t days_of(int64_t year, int month, int day)
{
    int64_t y = month <= 2 ? year - 1 : year, era = floor_div(y, 400), of_era = y - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* A time zone as pandas names it, without running code of the program; false: not known. */
static bool zone_name(PyObject *zone, char *out)
{
    bool fixed = strcmp(Py_TYPE(zone)->tp_name, "datetime.timezone") == 0;
    bool named = strcmp(Py_TYPE(zone)->tp_name, "zoneinfo.ZoneInfo") == 0;
    if (!(fixed || named) || !is_made_in_c(Py_TYPE(zone)))
        return false;
    PyObject *name = fixed ? PyObject_Str(zone) : PyObject_GetAttrString(zone, "key");
    const char *text = name != NULL && PyUnicode_CheckExact(name) ? PyUnicode_AsUTF8(name) : NULL;
    snprintf(out, TEXT / 2, "%s", text == NULL ? "" : text);
    Py_XDECREF(name);
    drop_error();
    return text != NULL;
}

/* The offset from UTC follows from the value, which counts in UTC, and the fields, which are local. */
static void write_zone(PyObject *o, int64_t offset, char *out)
{
    char name[TEXT / 2];
    PyObject *zone = ((PyDateTime_DateTime *)o)->tzinfo;
    int64_t seconds = offset < 0 ? -offset : offset;
    int n = snprintf(out, TEXT, "%c%02d%02d", offset < 0 ? '-' : '+', (int)(seconds / 3600),
                     (int)(seconds / 60 % 60));
    if (seconds % 60 != 0)
        n += snprintf(out + n, (size_t)(TEXT - n), "%02d", (int)(seconds % 60));
    if (zone_name(zone, name))
        snprintf(out + n, (size_t)(TEXT - n), "', tz='%s", name);
}

static void read_timestamp(PyObject *o, Parts *parts)
{
    PyTypeObject *type = base_named(o, "pandas._libs.tslibs.timestamps._Timestamp");
    int64_t value, resolution, year, nanosecond;
    char fraction[16] = "", zone[TEXT] = "";
    (void)PyDateTimeAPI; /* the fields are read by macros that need none */
    if (!int_field(o, type, "_value", &value) || !int_field(o, type, "_creso", &resolution) ||
        !int_field(o, type, "_year", &year) || !int_field(o, type, "_nanosecond", &nanosecond) ||
        per_second(resolution) == 0 || type->tp_basicsize < (Py_ssize_t)sizeof(PyDateTime_DateTime))
        return;
    int month = PyDateTime_GET_MONTH(o), day = PyDateTime_GET_DAY(o), hour = PyDateTime_DATE_GET_HOUR(o);
    int minute = PyDateTime_DATE_GET_MINUTE(o), second = PyDateTime_DATE_GET_SECOND(o);
    int micro = PyDateTime_DATE_GET_MICROSECOND(o);
    int64_t local = days_of(year, month, day) * DAY + hour * 3600 + minute * 60 + second;
    int64_t offset = local - floor_div(value, per_second(resolution));
    bool aware = ((PyDateTime_DateTime *)o)->hastzinfo;
    if (offset <= -DAY || offset >= DAY || (!aware && offset != 0))
        return; /* the fields are not what they are taken for */
    if (nanosecond != 0)
        snprintf(fraction, sizeof fraction, ".%06d%03d", micro % 1000000, (int)(nanosecond % 1000));
    else if (micro != 0)
        snprintf(fraction, sizeof fraction, ".%06d", micro % 1000000);
    if (aware)
        write_zone(o, offset, zone);
    part_take(parts, "__repr__",
              PyUnicode_FromFormat("Timestamp('%04lld-%02d-%02d %02d:%02d:%02d%s%s')", (long long)year, month,
                                   day, hour, minute, second, fraction, zone));
}

static void read_pandas_timedelta(PyObject *o, Parts *parts)
{
    PyTypeObject *type = base_named(o, "pandas._libs.tslibs.timedeltas._Timedelta");
    int64_t value, resolution;
    char fraction[16] = "";
    if (!int_field(o, type, "_value", &value) || !int_field(o, type, "_creso", &resolution) ||
        per_second(resolution) == 0)
        return;
    int64_t unit = per_second(resolution), seconds = floor_div(value, unit), days = floor_div(seconds, DAY);
    int64_t nanos = (value - seconds * unit) * (1000000000 / unit);
    int rest = (int)(seconds - days * DAY);
    if (nanos % 1000 != 0)
        snprintf(fraction, sizeof fraction, ".%09d", (int)nanos);
    else if (nanos != 0)
        snprintf(fraction, sizeof fraction, ".%06d", (int)(nanos / 1000));
    part_take(parts, "__repr__",
              PyUnicode_FromFormat("Timedelta('%lld days %s%02d:%02d:%02d%s')", (long long)days,
                                   days < 0 ? "+" : "", rest / 3600, rest / 60 % 60, rest % 60, fraction));
}

static void read_nat(PyObject *o, Parts *parts)
{
    part_take(parts, "__repr__", PyUnicode_FromString("NaT"));
}

static void read_na(PyObject *o, Parts *parts)
{
    part_take(parts, "__repr__", PyUnicode_FromString("<NA>"));
}

/* -- polars -------------------------------------------------------------------------------------------------- */

/* What a method without arguments of the very type returns; a new reference or NULL. The values themselves are not
   read: handing them out rearranges the frame's memory, and lets other threads run meanwhile. */
static PyObject *told_by(PyObject *o, const char *name)
{
    PyTypeObject *type = Py_TYPE(o);
    PyObject *dict = compat_type_dict(type);
    PyObject *found = dict == NULL ? NULL : dict_find(dict, name);
    PyObject *value = NULL;
    if (found != NULL && Py_IS_TYPE(found, &PyMethodDescr_Type) && PyDescr_TYPE(found) == type)
        value = PyObject_CallOneArg(found, o);
    Py_XDECREF(dict);
    drop_error();
    return value;
}

/* As text: a list would be another one each time. */
static void read_polars_frame(PyObject *o, Parts *parts)
{
    PyObject *names = told_by(o, "columns");
    part_take(parts, "height", told_by(o, "height"));
    if (names != NULL && PyList_CheckExact(names))
        part_take(parts, "columns", PyObject_Repr(names));
    Py_XDECREF(names);
}

static void read_polars_series(PyObject *o, Parts *parts)
{
    part_take(parts, "length", told_by(o, "len"));
    part_take(parts, "name", told_by(o, "name"));
}

const KnownType known_rust[] = {
    {"builtins.PyDataFrame", read_polars_frame, true},
    {"builtins.PySeries", read_polars_series, true},
    {"PyDataFrame", read_polars_frame, true},
    {"PySeries", read_polars_series, true},
    {NULL, NULL, false},
};

const KnownType known_frames[] = {
    {"pandas._libs.internals.BlockManager", read_manager, true},
    {"pandas._libs.internals.Block", read_block, true},
    {"pandas._libs.arrays.NDArrayBacked", read_backed, true},
    {"pandas._libs.indexing.NDFrameIndexerBase", read_indexer, true},
    {"pandas._libs.interval.Interval", read_interval, false},
    {"pandas._libs.tslibs.timestamps._Timestamp", read_timestamp, false},
    {"pandas._libs.tslibs.timedeltas._Timedelta", read_pandas_timedelta, false},
    {"pandas._libs.tslibs.nattype._NaT", read_nat, false},
    {"pandas._libs.missing.C_NAType", read_na, false},
    {NULL, NULL, false},
};

/* -- what is recorded of it ---------------------------------------------------------------------------------------- */

static bool is_from(PyTypeObject *type, const char *package)
{
    PyObject *dict = compat_type_dict(type);
    PyObject *module = dict == NULL ? NULL : dict_find(dict, "__module__");
    size_t n = strlen(package);
    bool found = false;
    if (module != NULL && PyUnicode_CheckExact(module) && PyUnicode_IS_COMPACT_ASCII(module)) {
        const char *name = (const char *)PyUnicode_1BYTE_DATA(module);
        found = strncmp(name, package, n) == 0 && (name[n] == '\0' || name[n] == '.');
    }
    Py_XDECREF(dict);
    return found;
}

int frame_class(PyTypeObject *type)
{
    if (!(type->tp_flags & Py_TPFLAGS_HEAPTYPE) || type->tp_mro == NULL)
        return FRAME_NONE;
    if (is_from(type, "pandas"))
        return FRAME_OWN;
    for (Py_ssize_t i = 1; i < PyTuple_GET_SIZE(type->tp_mro); i++) {
        PyObject *base = PyTuple_GET_ITEM(type->tp_mro, i);
        if (PyType_Check(base) && (((PyTypeObject *)base)->tp_flags & Py_TPFLAGS_HEAPTYPE) &&
            is_from((PyTypeObject *)base, "pandas"))
            return FRAME_DERIVED;
    }
    return FRAME_NONE;
}

/* Cython may keep dead blocks and arrays in free lists. */
void frame_met(PyTypeObject *type)
{
    static const char *const names[] = {"pandas._libs.internals.Block", "pandas._libs.internals.BlockManager",
                                        "pandas._libs.arrays.NDArrayBacked", NULL};
    for (; type != NULL; type = type->tp_base) {
        if (is_made_in_c(type) && one_of(type->tp_name, names))
            lifetime_watch(type);
    }
}

static bool is_among(PyObject *name, const char *const *names)
{
    for (; *names != NULL; names++) {
        if (PyUnicode_CompareWithASCIIString(name, *names) == 0)
            return true;
    }
    return false;
}

bool frame_shows(Shape *shape, PyObject *name)
{
    static const char *const data[] = {
        "_mgr",     "_name",    "_data",     "_range",   "_levels", "_codes", "_names",      "_mask",
        "_dtype",   "blocks",   "axes",      "values",   "_left",   "_right", "_ndarray",    "start",
        "stop",     "step",     "array",     "obj",      "keys",    "window", "_categories", "_ordered",
        "_storage", "storage",  "_na_value", "_unit",    "_tz",     "left",   "right",       "closed",
        "_closed",  "_subtype", "_freq",     "__repr__", NULL};
    static const char *const bookkeeping[] = {"_attrs", "_flags", "_item_cache", "_is_copy", "_cacher",
                                              "_cache", "_id",    "_references", NULL};
    return shape->frame == FRAME_OWN ? is_among(name, data) : !is_among(name, bookkeeping);
}

void frame_visit(PyObject *o, visitproc visit, void *context)
{
    Node *node = node_find(o);
    InstanceNode *attrs = node == NULL ? NULL : attrs_of(node);
    for (int i = 0; attrs != NULL && i < attrs->head.capacity; i++) {
        Slot slot = attrs->slots[i];
        if (slot == 0 || SLOT_OWNED(slot) || known_for_ever(shape_of(Py_TYPE(SLOT_PTR(slot)))))
            continue;
        if (visit(SLOT_PTR(slot), context) != 0)
            return;
    }
}

bool is_frame(PyObject *o)
{
    return (Py_TYPE(o)->tp_flags & Py_TPFLAGS_HEAPTYPE) && shape_of(Py_TYPE(o))->frame != FRAME_NONE;
}
