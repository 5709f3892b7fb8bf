/* The indexes of an extent in their stored form, but for compression: its owner index and its checkpoint
 * (described in wrongcall/trace/format/owner_index.py and checkpoint.py). */
#include "checkpoint.h"

#define SITE_LINE ((uint32_t)1 << 31) /* events.SITE_LINE */

typedef struct {
    Extent extent;
    int64_t first; /* the time of its first event */
    Sifted sifted;
    CheckpointRow *rows;
    size_t row_count;
    uint32_t *sites; /* the distinct ones, ascending */
    Py_ssize_t site_count;
} Indexes;

static int compare_sites(const void *one, const void *other)
{
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

/* The sites that are too large for a flag, ascending; -1: out of memory. */
static Py_ssize_t list_larger_sites(const Extent *v, uint32_t **larger)
{
    size_t all = 0, count = 0;
    uint32_t *sites = *larger = malloc(((size_t)v->count + 1) * sizeof *sites);
    if (sites == NULL)
        return -1;
    for (Py_ssize_t i = 0; i < v->count; i++)
        if (v->events[i].site >= MANY_SITES && v->events[i].site < SITE_LINE)
            sites[all++] = v->events[i].site;
    qsort(sites, all, sizeof *sites, compare_sites);
    for (size_t i = 0; i < all; i++)
        if (i == 0 || sites[i] != sites[i - 1])
            sites[count++] = sites[i];
    return (Py_ssize_t)count;
}

/* The sites at which anything happens, without lines that stand for sites. */
static int find_sites(Indexes *indexes)
{
    const Extent *v = &indexes->extent;
    uint32_t *larger = NULL;
    size_t count = 0;
    Py_ssize_t others = v->larger_sites ? list_larger_sites(v, &larger) : 0;
    for (uint32_t i = 0; i < MANY_SITES; i++)
        count += v->site_flags[i];
    uint32_t *sites = others < 0 ? NULL : malloc((count + (size_t)others + 1) * sizeof *sites);
    indexes->sites = sites;
    if (sites != NULL) {
        count = 0;
        for (uint32_t i = 0; i < MANY_SITES; i++)
            if (v->site_flags[i])
                sites[count++] = i;
        if (others > 0)
            memcpy(sites + count, larger, (size_t)others * sizeof *sites);
        indexes->site_count = (Py_ssize_t)count + others;
    }
    free(larger);
    return sites != NULL ? 0 : -1;
}

/* The rows of the checkpoint. */
static int find_rows(Indexes *indexes)
{
    const Extent *v = &indexes->extent;
    const Sifted *sifted = &indexes->sifted;
    CheckpointRow *rows = scratch_for(v->scratch, FOR_CHECKPOINT, (sifted->owned + 1) * sizeof *rows);
    size_t count = 0;
    indexes->rows = rows;
    if (rows == NULL)
        return -1;
    for (size_t k = 0; k < sifted->owned; k++) {
        uint32_t i = sifted->by_owner[k];
        const Event *event = &v->events[i];
        if (!(v->traits[event->kind] & OF_OBJECT))
            continue;
        /* A generator's identity is the call of its event: it is in a column that is free. */
        int64_t value = event->kind == KIND_ACTIVATION ? (int64_t)call_of(event) : event->value;
        rows[count++] = (CheckpointRow){.time = indexes->first + i,
                                        .obj = (int64_t)obj_of(event),
                                        .key = event->key,
                                        .value = value,
                                        .kind = event->kind,
                                        .ktag = event->ktag,
                                        .vtag = event->vtag};
    }
    indexes->row_count = count;
    return compact_rows(rows, &indexes->row_count, v->traits, v->scratch);
}

static PyObject *list_newest(const Extent *extent, Py_ssize_t segments)
{
    static const uint8_t codings[] = {DELTA, DELTA};
    Pages block = {.columns = {extent->objects + 1, extent->calls + 1},
                   .widths = {8, 8},
                   .codings = codings,
                   .fields = 2,
                   .count = segments};
    return list_block(&block);
}

/* Owner, slot and time of the first event of each page. */
static PyObject *list_heads(const Indexes *indexes, Py_ssize_t page)
{
    static const uint8_t codings[] = {DELTA, PLANES, DELTA};
    const Extent *v = &indexes->extent;
    const Sifted *sifted = &indexes->sifted;
    size_t count = (sifted->indexed + (size_t)page - 1) / (size_t)page;
    uint64_t *owners = malloc((count + 1) * sizeof *owners);
    int64_t *times = malloc((count + 1) * sizeof *times);
    uint32_t *slots = malloc((count + 1) * sizeof *slots);
    PyObject *result = NULL;
    if (owners == NULL || times == NULL || slots == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t event = sifted->by_slot[i * (size_t)page];
        owners[i] = owner_of(&v->events[event], v->traits[v->events[event].kind]);
        times[i] = indexes->first + event;
        slots[i] = sifted->slots[i * (size_t)page];
    }
    Pages block = {.columns = {owners, slots, times}, .widths = {8, 4, 8}, .codings = codings, .fields = 3};
    block.count = (Py_ssize_t)count;
    result = list_block(&block);
done:
    free(owners);
    free(times);
    free(slots);
    return result;
}

static PyObject *list_left_out(const Sifted *sifted)
{
    static const uint8_t codings[] = {DELTA, PLANES};
    uint64_t *owners = malloc((sifted->left + 1) * sizeof *owners);
    uint32_t *slots = malloc((sifted->left + 1) * sizeof *slots);
    PyObject *result = NULL;
    if (owners == NULL || slots == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    for (size_t i = 0; i < sifted->left; i++) {
        owners[i] = sifted->left_out[2 * i];
        slots[i] = (uint32_t)sifted->left_out[2 * i + 1];
    }
    Pages block = {.columns = {owners, slots}, .widths = {8, 4}, .codings = codings, .fields = 2};
    block.count = (Py_ssize_t)sifted->left;
    result = list_block(&block);
done:
    free(owners);
    free(slots);
    return result;
}

static PyObject *list_sites(const Indexes *indexes)
{
    static const uint8_t codings[] = {DELTA};
    Pages block = {.columns = {indexes->sites}, .widths = {4}, .codings = codings, .fields = 1};
    block.count = indexes->site_count;
    return list_block(&block);
}

static PyObject *list_owner_pages(const Indexes *indexes, Py_ssize_t page)
{
    static const uint8_t codings[] = {DELTA, DELTA, DELTA, DELTA, DELTA, DELTA, DELTA, DELTA, DELTA, PLANES};
    const Event *v = indexes->extent.events;
    Pages pages = {.columns = {NULL, &v->kind, &v->ktag, &v->vtag, &v->hi, &v->site, &v->call, &v->obj,
                               &v->key, &v->value},
                   .stride = sizeof(Event),
                   .widths = {8, 1, 1, 1, 1, 4, 4, 4, 8, 8},
                   .codings = codings,
                   .fields = 10,
                   .order = indexes->sifted.by_slot,
                   .first = indexes->first,
                   .count = (Py_ssize_t)indexes->sifted.indexed,
                   .page = page,
                   .scratch = indexes->extent.scratch};
    int made;
    Py_BEGIN_ALLOW_THREADS
    made = fill_pages(&pages);
    Py_END_ALLOW_THREADS
    PyObject *result = made < 0 ? PyErr_NoMemory() : list_pages(&pages);
    free_pages(&pages);
    return result;
}

static PyObject *list_indexes(Indexes *indexes, Py_ssize_t segments, Py_ssize_t page, Py_ssize_t chunk)
{
    const Extent *extent = &indexes->extent;
    PyObject *parts[7] = {NULL}, *result = NULL;
    if ((parts[0] = list_newest(extent, segments)) == NULL ||
        (parts[1] = list_heads(indexes, page)) == NULL ||
        (parts[2] = list_left_out(&indexes->sifted)) == NULL || (parts[3] = list_sites(indexes)) == NULL ||
        (parts[4] = list_owner_pages(indexes, page)) == NULL ||
        (parts[5] = pack_rows(indexes->rows, indexes->row_count, chunk)) == NULL ||
        (parts[6] = PyBytes_FromStringAndSize(
             (const char *)indexes->rows, (Py_ssize_t)(indexes->row_count * sizeof *indexes->rows))) == NULL)
        goto done;
    result = Py_BuildValue("(OOOOO)OO(KK)", parts[0], parts[1], parts[2], parts[3], parts[4], parts[5],
                           parts[6], (unsigned long long)extent->objects[segments],
                           (unsigned long long)extent->calls[segments]);
done:
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        Py_XDECREF(parts[i]);
    return result;
}

/* pack_extent(events, traits, groups, per_segment, share, page, chunk, first, newest_object, newest_call)
 * -> ((newest, heads, left_out, sites, pages), (objects, chunks), rows, (newest_object, newest_call))
 *
 * `rows` are those of the checkpoint, for `merge_checkpoints`. */
static PyObject *pack_extent(PyObject *self, PyObject *args)
{
    PyObject *records, *traits, *groups, *result = NULL;
    unsigned long long newest_object, newest_call;
    Py_ssize_t share, page, chunk, kinds = KINDS;
    long long first;
    Indexes indexes = {.rows = NULL};
    Extent *v = &indexes.extent;
    Pool pool = {.count = 0};
    if (!PyArg_ParseTuple(args, "OOOnnnnLKK", &records, &traits, &groups, &v->per_segment, &share, &page,
                          &chunk, &first, &newest_object, &newest_call))
        return NULL;
    indexes.first = first;
    v->objects[0] = newest_object;
    v->calls[0] = newest_call;
    if ((v->events = get_records(&pool, records, &v->count)) == NULL ||
        (v->traits = column(&pool, traits, 1, &kinds)) == NULL ||
        (v->groups = column(&pool, groups, 1, &kinds)) == NULL)
        goto done;
    if (v->per_segment < 1 || share < 1 || page < 1 || chunk < 1 || v->count > v->per_segment * SEGMENTS ||
        v->count >= UINT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "too many segments for an extent");
        goto done;
    }
    if ((v->scratch = take_scratch()) == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    int made;
    Py_BEGIN_ALLOW_THREADS
    made = sift_extent(v, (size_t)(v->count / share), &indexes.sifted) < 0 || find_rows(&indexes) < 0 ||
                   find_sites(&indexes) < 0
               ? -1
               : 0;
    Py_END_ALLOW_THREADS
    Py_ssize_t segments = (v->count + v->per_segment - 1) / v->per_segment;
    result = made < 0 ? PyErr_NoMemory() : list_indexes(&indexes, segments, page, chunk);
done:
    put_back_scratch(v->scratch);
    free(indexes.sifted.left_out);
    free(indexes.sites);
    release(&pool);
    return result;
}

PyMethodDef extent_methods[] = {
    {"pack_extent", pack_extent, METH_VARARGS,
     "The owner index and the checkpoint of an extent as byte planes."},
    {NULL, NULL, 0, NULL},
};
