/* Columns of numbers as byte planes, and back (wrongcall/trace/format/columns.py describes the codings). */
#include "packing.h"

/* For a width: gather by an order (of 16 or 32 bits), differences with the sign in the lowest bit, and the inverse. */
#define WIDTH(BITS)                                                                                          \
    static void gather_##BITS(const uint##BITS##_t *from, const uint16_t *order, uint##BITS##_t *to,         \
                              Py_ssize_t count)                                                              \
    {                                                                                                        \
        for (Py_ssize_t i = 0; i < count; i++)                                                               \
            to[i] = from[order[i]];                                                                          \
    }                                                                                                        \
    static void stride_##BITS(const uint8_t *from, Py_ssize_t stride, const uint32_t *order,                 \
                              uint##BITS##_t *to, Py_ssize_t count)                                          \
    {                                                                                                        \
        for (Py_ssize_t i = 0; i < count; i++)                                                               \
            memcpy(&to[i], from + order[i] * stride, sizeof to[i]);                                          \
    }                                                                                                        \
    static void scatter_##BITS(const uint##BITS##_t *from, const uint16_t *order, uint##BITS##_t *to,        \
                               Py_ssize_t count)                                                             \
    {                                                                                                        \
        for (Py_ssize_t i = 0; i < count; i++)                                                               \
            to[order[i]] = from[i];                                                                          \
    }                                                                                                        \
    static inline uint##BITS##_t step_##BITS(uint##BITS##_t before, uint##BITS##_t number)                   \
    {                                                                                                        \
        uint##BITS##_t step = (uint##BITS##_t)(number - before);                                             \
        return (uint##BITS##_t)((uint##BITS##_t)(step << 1) ^ (uint##BITS##_t)(0 - (step >> (BITS - 1))));   \
    }                                                                                                        \
    static void delta_##BITS(const uint##BITS##_t *restrict from, uint##BITS##_t *restrict to,               \
                             Py_ssize_t count)                                                               \
    {                                                                                                        \
        if (count > 0)                                                                                       \
            to[0] = step_##BITS(0, from[0]);                                                                 \
        for (Py_ssize_t i = 1; i < count; i++)                                                               \
            to[i] = step_##BITS(from[i - 1], from[i]);                                                       \
    }                                                                                                        \
    static void gather_delta_##BITS(const uint##BITS##_t *restrict from, const uint16_t *order,              \
                                    uint##BITS##_t *restrict to, Py_ssize_t count)                           \
    {                                                                                                        \
        uint##BITS##_t before = 0;                                                                           \
        for (Py_ssize_t i = 0; i < count; i++) {                                                             \
            uint##BITS##_t number = from[order[i]];                                                          \
            to[i] = step_##BITS(before, number);                                                             \
            before = number;                                                                                 \
        }                                                                                                    \
    }                                                                                                        \
    static void undelta_##BITS(uint##BITS##_t *numbers, Py_ssize_t count)                                    \
    {                                                                                                        \
        uint##BITS##_t sum = 0;                                                                              \
        for (Py_ssize_t i = 0; i < count; i++) {                                                             \
            uint##BITS##_t step = numbers[i];                                                                \
            sum = (uint##BITS##_t)(sum + ((uint##BITS##_t)(step >> 1) ^ (uint##BITS##_t)(0 - (step & 1))));  \
            numbers[i] = sum;                                                                                \
        }                                                                                                    \
    }                                                                                                        \
    static int height_##BITS(const uint##BITS##_t *numbers, Py_ssize_t count)                                \
    {                                                                                                        \
        uint##BITS##_t all = 0;                                                                              \
        for (Py_ssize_t i = 0; i < count; i++)                                                               \
            all |= numbers[i];                                                                               \
        int height = 0;                                                                                      \
        for (uint64_t rest = all; rest != 0; rest >>= 8)                                                     \
            height++;                                                                                        \
        return height;                                                                                       \
    }                                                                                                        \
    static void split_##BITS(const uint##BITS##_t *numbers, uint8_t *planes, int height, Py_ssize_t count)   \
    {                                                                                                        \
        /* A few at a time, which stay in the cache for all planes. */                                       \
        for (Py_ssize_t begin = 0; begin < count; begin += 1024) {                                           \
            Py_ssize_t end = begin + 1024 < count ? begin + 1024 : count;                                    \
            for (int p = 0; p < height; p++)                                                                 \
                for (Py_ssize_t i = begin; i < end; i++)                                                     \
                    planes[p * count + i] = (uint8_t)(numbers[i] >> (8 * p));                                \
        }                                                                                                    \
    }                                                                                                        \
    static void join_##BITS(const uint8_t *planes, uint##BITS##_t *numbers, int height, Py_ssize_t count)    \
    {                                                                                                        \
        memset(numbers, 0, (size_t)count * (BITS / 8));                                                      \
        for (int p = 0; p < height; p++)                                                                     \
            for (Py_ssize_t i = 0; i < count; i++)                                                           \
                numbers[i] |= (uint##BITS##_t)((uint##BITS##_t)planes[p * count + i] << (8 * p));            \
    }

WIDTH(8)
WIDTH(16)
WIDTH(32)
WIDTH(64)

#define BY_WIDTH(width, call, ...)                                                                           \
    do {                                                                                                     \
        if ((width) == 1)                                                                                    \
            call##_8(__VA_ARGS__);                                                                           \
        else if ((width) == 2)                                                                               \
            call##_16(__VA_ARGS__);                                                                          \
        else if ((width) == 4)                                                                               \
            call##_32(__VA_ARGS__);                                                                          \
        else                                                                                                 \
            call##_64(__VA_ARGS__);                                                                          \
    } while (0)

static int height_of(int width, const void *numbers, Py_ssize_t count)
{
    return width == 1   ? height_8(numbers, count)
           : width == 2 ? height_16(numbers, count)
           : width == 4 ? height_32(numbers, count)
                        : height_64(numbers, count);
}

void split_planes(int width, const void *numbers, int height, Py_ssize_t count, uint8_t *to)
{
    BY_WIDTH(width, split, numbers, to, height, count);
}

int put_planes(int width, const void *numbers, const uint16_t *order, int delta, Py_ssize_t count, void *room,
               uint8_t *to)
{
    if (order != NULL || delta) {
        if (order == NULL)
            BY_WIDTH(width, delta, numbers, room, count);
        else if (delta)
            BY_WIDTH(width, gather_delta, numbers, order, room, count);
        else
            BY_WIDTH(width, gather, numbers, order, room, count);
        numbers = room;
    }
    int height = height_of(width, numbers, count);
    BY_WIDTH(width, split, numbers, to, height, count);
    return height;
}

static int check_width(int width)
{
    if (width == 1 || width == 2 || width == 4 || width == 8)
        return 0;
    PyErr_Format(PyExc_ValueError, "numbers of %d bytes", width);
    return -1;
}

static Py_ssize_t item_size(PyObject *object)
{
    Py_buffer view;
    if (PyObject_GetBuffer(object, &view, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) < 0)
        return -1;
    Py_ssize_t size = view.itemsize;
    PyBuffer_Release(&view);
    return size;
}

/* An order is None, or so many different indices: `group` makes nothing else. What comes from
 * elsewhere is checked, since it says where memory is written. */
static int get_order(Pool *pool, PyObject *object, Py_ssize_t count, const uint16_t **order)
{
    *order = NULL;
    if (object == Py_None)
        return 0;
    if ((*order = column(pool, object, 2, &count)) == NULL)
        return -1;
    uint16_t largest = 0;
    for (Py_ssize_t i = 0; i < count; i++)
        largest = (*order)[i] > largest ? (*order)[i] : largest;
    if (count > 0 && largest >= count) {
        PyErr_SetString(PyExc_ValueError, "the order is not one of these numbers");
        return -1;
    }
    return 0;
}

/* split(column, width, order, delta) -> (height, planes) */
static PyObject *split(PyObject *self, PyObject *args)
{
    PyObject *object, *order_object, *result = NULL, *planes = NULL;
    int width, delta;
    Pool pool = {.count = 0};
    if (!PyArg_ParseTuple(args, "OiOp", &object, &width, &order_object, &delta) || check_width(width) < 0)
        return NULL;
    Py_ssize_t count = -1;
    const uint16_t *order;
    void *copy = NULL;
    const void *numbers = column(&pool, object, width, &count);
    if (numbers == NULL || get_order(&pool, order_object, count, &order) < 0)
        goto done;
    if ((copy = malloc((size_t)(count ? count : 1) * (size_t)width * 2)) == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    int height;
    uint8_t *split_at = (uint8_t *)copy + count * width;
    Py_BEGIN_ALLOW_THREADS
    height = put_planes(width, numbers, order, delta, count, copy, split_at);
    Py_END_ALLOW_THREADS
    if ((planes = PyBytes_FromStringAndSize((const char *)split_at, height * count)) == NULL)
        goto done;
    result = Py_BuildValue("iN", height, planes);
done:
    free(copy);
    release(&pool);
    return result;
}

/* Put the numbers of one page of a column at `room`, unless they are there already. */
static const void *page_of(const Pages *pages, int field, Py_ssize_t begin, Py_ssize_t size, uint64_t *room)
{
    int width = pages->widths[field];
    const void *numbers = pages->columns[field];
    if (numbers == NULL) {
        for (Py_ssize_t i = 0; i < size; i++)
            room[i] = (uint64_t)(pages->first + (pages->order != NULL ? pages->order[begin + i] : begin + i));
        return room;
    }
    if (pages->stride == 0)
        return (const uint8_t *)numbers + begin * width;
    BY_WIDTH(width, stride, numbers, pages->stride, pages->order + begin, (void *)room, size);
    return room;
}

/* Two buffers for the numbers of a page are at `room`. */
static void fill(Pages *pages, uint64_t *room)
{
    uint8_t *to = pages->planes, *how = pages->how;
    for (Py_ssize_t begin = 0, number = 0; begin < pages->count; begin += pages->page, number++) {
        Py_ssize_t rest = pages->count - begin, size = rest < pages->page ? rest : pages->page;
        for (int f = 0; f < pages->fields; f++) {
            const void *numbers = page_of(pages, f, begin, size, room);
            int delta = pages->codings[f] == DELTA;
            int height = put_planes(pages->widths[f], numbers, NULL, delta, size, room + pages->page, to);
            *how++ = (uint8_t)(pages->codings[f] | height << 4);
            to += height * size;
        }
        pages->ends[number] = to - pages->planes;
    }
}

int fill_pages(Pages *pages)
{
    size_t numbers = (size_t)pages->count, many = numbers / (size_t)pages->page + 1, total = 0;
    for (int f = 0; f < pages->fields; f++)
        total += (size_t)pages->widths[f];
    size_t size = numbers * total + 1;
    pages->planes = pages->scratch != NULL ? scratch_for(pages->scratch, FOR_PLANES, size) : malloc(size);
    pages->how = malloc(many * (size_t)(pages->fields + 1));
    pages->ends = malloc(many * sizeof *pages->ends);
    uint64_t *room = malloc(2 * (size_t)pages->page * sizeof *room);
    int made = pages->planes != NULL && pages->how != NULL && pages->ends != NULL && room != NULL;
    if (made)
        fill(pages, room);
    free(room);
    return made ? 0 : -1;
}

void free_pages(Pages *pages)
{
    free(pages->ends);
    free(pages->how);
    if (pages->scratch == NULL)
        free(pages->planes);
}

PyObject *list_pages(const Pages *pages)
{
    Py_ssize_t count = (pages->count + pages->page - 1) / pages->page, begin = 0;
    PyObject *list = PyList_New(count);
    for (Py_ssize_t i = 0; list != NULL && i < count; i++) {
        Py_ssize_t rest = pages->count - i * pages->page;
        PyObject *block =
            Py_BuildValue("ny#y#", rest < pages->page ? rest : pages->page, pages->how + i * pages->fields,
                          (Py_ssize_t)pages->fields, pages->planes + begin, pages->ends[i] - begin);
        if (block == NULL)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, i, block);
        begin = pages->ends[i];
    }
    return list;
}

/* join(planes, height, width, order, delta, out): the inverse. */
static PyObject *join(PyObject *self, PyObject *args)
{
    PyObject *planes_object, *order_object, *out_object, *result = NULL;
    int height, width, delta;
    Pool pool = {.count = 0};
    if (!PyArg_ParseTuple(args, "OiiOpO", &planes_object, &height, &width, &order_object, &delta,
                          &out_object) ||
        check_width(width) < 0)
        return NULL;
    if (height < 0 || height > width) {
        PyErr_Format(PyExc_ValueError, "%d planes of %d", height, width);
        return NULL;
    }
    Py_ssize_t count = -1;
    const uint16_t *order;
    void *copy = NULL, *numbers, *out = writable(&pool, out_object, width, &count);
    Py_ssize_t size = height * count;
    const uint8_t *planes;
    if (out == NULL || (planes = column(&pool, planes_object, 1, &size)) == NULL ||
        get_order(&pool, order_object, count, &order) < 0)
        goto done;
    numbers = out;
    if (order != NULL && (numbers = copy = malloc((size_t)(count ? count : 1) * (size_t)width)) == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    BY_WIDTH(width, join, planes, numbers, height, count);
    if (delta)
        BY_WIDTH(width, undelta, numbers, count);
    if (order != NULL)
        BY_WIDTH(width, scatter, numbers, order, out, count);
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    free(copy);
    release(&pool);
    return result;
}

/* join_all(planes, codings, columns): the planes of several columns, one after the other. A byte of
 * `codings` for each says how: 1 or 2 (differences), and the height in the upper half. */
static PyObject *join_all(PyObject *self, PyObject *args)
{
    PyObject *planes_object, *codings_object, *outs, *result = NULL;
    Pool pool = {.count = 0};
    if (!PyArg_ParseTuple(args, "OOO!", &planes_object, &codings_object, &PyTuple_Type, &outs))
        return NULL;
    Py_ssize_t fields = PyTuple_GET_SIZE(outs), size = -1, count = -1, at = 0;
    const uint8_t *codings = column(&pool, codings_object, 1, &fields);
    const uint8_t *planes = codings == NULL ? NULL : column(&pool, planes_object, 1, &size);
    if (planes == NULL)
        goto done;
    for (Py_ssize_t i = 0; i < fields; i++) {
        int height = codings[i] >> 4;
        PyObject *object = PyTuple_GET_ITEM(outs, i);
        Py_ssize_t width = item_size(object);
        if (width < 0 || check_width((int)width) < 0)
            goto done;
        void *out = writable(&pool, object, width, &count);
        if (out == NULL)
            goto done;
        if (height > width || height * count > size - at) {
            PyErr_Format(PyExc_ValueError, "%d planes of %zd", height, width);
            goto done;
        }
        BY_WIDTH(width, join, planes + at, out, height, count);
        if ((codings[i] & 15) == 2)
            BY_WIDTH(width, undelta, out, count);
        at += height * count;
    }
    result = Py_NewRef(Py_None);
done:
    release(&pool);
    return result;
}

/* Where the events of each site begin, if they lie together; by the lowest 16 bits of their numbers. `next` has room for
 * MOST + 1 numbers. */
static void find_beginnings(const uint32_t *sites, Py_ssize_t count, uint32_t *next)
{
    memset(next, 0, (MOST + 1) * sizeof *next);
    for (Py_ssize_t i = 0; i < count; i++)
        next[(sites[i] & 0xFFFF) + 1]++;
    for (Py_ssize_t i = 0; i < MOST; i++)
        next[i + 1] += next[i];
}

void group_by_site(const uint32_t *sites, Py_ssize_t count, uint32_t *next, uint16_t *order)
{
    find_beginnings(sites, count, next);
    for (Py_ssize_t i = 0; i < count; i++)
        order[next[sites[i] & 0xFFFF]++] = (uint16_t)i;
}

static PyObject *arranged(PyObject *args, int ranks)
{
    PyObject *sites_object, *out_object, *result = NULL;
    Pool pool = {.count = 0};
    if (!PyArg_ParseTuple(args, "OO", &sites_object, &out_object))
        return NULL;
    Py_ssize_t count = -1;
    uint32_t *next = NULL;
    const uint32_t *sites = column(&pool, sites_object, 4, &count);
    uint16_t *out = sites == NULL ? NULL : writable(&pool, out_object, 2, &count);
    if (out == NULL)
        goto done;
    if (count > MOST) {
        PyErr_Format(PyExc_ValueError, "%zd events are too many to be grouped", count);
        goto done;
    }
    if ((next = malloc((MOST + 1) * sizeof *next)) == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    if (!ranks)
        group_by_site(sites, count, next, out);
    else {
        find_beginnings(sites, count, next);
        for (Py_ssize_t i = 0; i < count; i++)
            out[i] = (uint16_t)next[sites[i] & 0xFFFF]++;
    }
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    free(next);
    release(&pool);
    return result;
}

/* group(sites, out): the order in which numbers with the same lowest 16 bits lie together. */
static PyObject *group(PyObject *self, PyObject *args)
{
    return arranged(args, 0);
}

/* rank(sites, out): where each number is in that order. */
static PyObject *rank(PyObject *self, PyObject *args)
{
    return arranged(args, 1);
}

PyMethodDef planes_methods[] = {
    {"split", split, METH_VARARGS, "Numbers as byte planes, in an order, as differences."},
    {"join", join, METH_VARARGS, "Byte planes as numbers again."},
    {"join_all", join_all, METH_VARARGS, "The byte planes of several columns as numbers again."},
    {"group", group, METH_VARARGS, "The order in which events of a site lie together."},
    {"rank", rank, METH_VARARGS, "Where each event is in that order."},
    {NULL, NULL, 0, NULL},
};
