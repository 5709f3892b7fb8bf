/* The rows of checkpoints: which of them matter, and those of several extents put together
 * (described in wrongcall/trace/format/checkpoint.py and compaction.py). */
#include "checkpoint.h"

/* A hash table of the slots that are written, for one epoch after the other. */
typedef struct {
    int64_t key;
    uint32_t epoch;       /* 0: free */
    uint32_t first, last; /* rows */
    uint16_t what;        /* kind and tag */
} Slot;

static inline size_t hash_of(int64_t key, uint16_t what, uint32_t epoch)
{
    uint64_t mixed = (uint64_t)key * 0x9E3779B97F4A7C15u + (uint64_t)what * 0xC2B2AE3D27D4EB4Fu;
    return (size_t)((mixed ^ (uint64_t)epoch * 0xD6E8FEB86659FD93u) >> 20);
}

/* Of the writes to a slot in an epoch, mark all but the first and the last: their time becomes -1. */
static void drop_between(CheckpointRow *rows, size_t count, const uint8_t *traits, Slot *slots, size_t mask)
{
    uint32_t epoch = 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t trait = traits[rows[i].kind];
        if (trait & BARRIER || i == 0 || rows[i].obj != rows[i - 1].obj)
            epoch++;
        if (!(trait & WRITE))
            continue;
        uint16_t what = (uint16_t)((rows[i].kind & ~SEEN) << 8 | rows[i].ktag);
        size_t at = hash_of(rows[i].key, what, epoch) & mask;
        while (slots[at].epoch != 0 &&
               (slots[at].epoch != epoch || slots[at].key != rows[i].key || slots[at].what != what))
            at = (at + 1) & mask;
        Slot *slot = &slots[at];
        if (slot->epoch == 0) {
            *slot = (Slot){rows[i].key, epoch, (uint32_t)i, (uint32_t)i, what};
            continue;
        }
        if (slot->last != slot->first)
            rows[slot->last].time = -1;
        slot->last = (uint32_t)i;
    }
}

int compact_rows(CheckpointRow *rows, size_t *count, const uint8_t *traits, Scratch *scratch)
{
    size_t writes = 0, size = 16, left = 0;
    for (size_t i = 0; i < *count; i++)
        writes += (traits[rows[i].kind] & WRITE) != 0;
    while (size < 2 * writes)
        size *= 2;
    Slot *slots = scratch_for(scratch, FOR_WRITTEN, size * sizeof *slots);
    if (slots == NULL)
        return -1;
    memset(slots, 0, size * sizeof *slots);
    drop_between(rows, *count, traits, slots, size - 1);
    for (size_t i = 0; i < *count; i++)
        if (rows[i].time >= 0)
            rows[left++] = rows[i];
    *count = left;
    return 0;
}

PyObject *list_block(Pages *block)
{
    PyObject *result = NULL;
    block->page = block->count > 0 ? block->count : 1;
    if (fill_pages(block) < 0)
        PyErr_NoMemory();
    else
        result = Py_BuildValue("ny#y#", block->count, block->count > 0 ? block->how : block->codings,
                               (Py_ssize_t)block->fields, block->planes,
                               block->count > 0 ? block->ends[0] : (Py_ssize_t)0);
    free_pages(block);
    return result;
}

/* The objects in a checkpoint, with the number of their rows. */
static PyObject *pack_objects(const CheckpointRow *rows, size_t count)
{
    static const uint8_t codings[] = {DELTA, PLANES};
    int64_t *objs = malloc((count + 1) * sizeof *objs);
    uint32_t *counts = malloc((count + 1) * sizeof *counts);
    PyObject *result = NULL;
    Py_ssize_t many = 0;
    if (objs == NULL || counts == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || rows[i].obj != rows[i - 1].obj) {
            objs[many] = rows[i].obj;
            counts[many++] = 0;
        }
        counts[many - 1]++;
    }
    Pages block = {
        .columns = {objs, counts}, .widths = {8, 4}, .codings = codings, .fields = 2, .count = many};
    result = list_block(&block);
done:
    free(objs);
    free(counts);
    return result;
}

static PyObject *pack_chunks(const CheckpointRow *rows, size_t count, Py_ssize_t chunk)
{
    static const uint8_t codings[] = {DELTA, PLANES, PLANES, PLANES, DELTA, PLANES};
    uint64_t *memory = malloc((count + 1) * 27);
    if (memory == NULL)
        return PyErr_NoMemory();
    int64_t *time = (int64_t *)memory, *key = time + count, *value = key + count;
    uint8_t *kind = (uint8_t *)(value + count), *ktag = kind + count, *vtag = ktag + count;
    Pages pages = {.columns = {time, kind, ktag, vtag, key, value},
                   .widths = {8, 1, 1, 1, 8, 8},
                   .codings = codings,
                   .fields = 6,
                   .count = (Py_ssize_t)count,
                   .page = chunk};
    int made;
    Py_BEGIN_ALLOW_THREADS
    for (size_t i = 0; i < count; i++) {
        time[i] = rows[i].time;
        key[i] = rows[i].key;
        value[i] = rows[i].value;
        kind[i] = rows[i].kind;
        ktag[i] = rows[i].ktag;
        vtag[i] = rows[i].vtag;
    }
    made = fill_pages(&pages);
    Py_END_ALLOW_THREADS
    PyObject *result = made < 0 ? PyErr_NoMemory() : list_pages(&pages);
    free_pages(&pages);
    free(memory);
    return result;
}

PyObject *pack_rows(const CheckpointRow *rows, size_t count, Py_ssize_t chunk)
{
    PyObject *objects = pack_objects(rows, count);
    PyObject *chunks = objects == NULL ? NULL : pack_chunks(rows, count, chunk);
    PyObject *result = chunks == NULL ? NULL : Py_BuildValue("OO", objects, chunks);
    Py_XDECREF(objects);
    Py_XDECREF(chunks);
    return result;
}

/* Merge runs that are sorted by object; rows of an object stay in the order of the runs. */
static void merge(const CheckpointRow *const *runs, const size_t *sizes, int count, CheckpointRow *to)
{
    size_t at[MOST_MERGED] = {0};
    for (;;) {
        int least = -1;
        for (int i = 0; i < count; i++)
            if (at[i] < sizes[i] && (least < 0 || runs[i][at[i]].obj < runs[least][at[least]].obj))
                least = i;
        if (least < 0)
            return;
        int64_t obj = runs[least][at[least]].obj;
        while (at[least] < sizes[least] && runs[least][at[least]].obj == obj)
            *to++ = runs[least][at[least]++];
    }
}

/* merge_checkpoints(parts, traits, chunk) -> (objects, chunks), as `pack_extent` has them: one checkpoint from the rows of
 * several. */
static PyObject *merge_checkpoints(PyObject *self, PyObject *args)
{
    PyObject *parts, *table, *result = NULL;
    Py_ssize_t chunk, kinds = KINDS;
    Pool pool = {.count = 0};
    const CheckpointRow *runs[MOST_MERGED];
    size_t sizes[MOST_MERGED], total = 0;
    CheckpointRow *rows = NULL;
    if (!PyArg_ParseTuple(args, "O!On", &PyList_Type, &parts, &table, &chunk))
        return NULL;
    Py_ssize_t count = PyList_GET_SIZE(parts);
    const uint8_t *traits = column(&pool, table, 1, &kinds);
    if (traits == NULL)
        goto done;
    if (count > MOST_MERGED || chunk < 1) {
        PyErr_Format(PyExc_ValueError, "%zd checkpoints, %zd rows to a chunk", count, chunk);
        goto done;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        Py_ssize_t size = -1;
        if ((runs[i] = column(&pool, PyList_GET_ITEM(parts, i), 1, &size)) == NULL)
            goto done;
        sizes[i] = (size_t)size / sizeof(CheckpointRow);
        total += sizes[i];
    }
    if ((rows = malloc((total + 1) * sizeof *rows)) == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    int made;
    Scratch *scratch = take_scratch();
    if (scratch == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    merge(runs, sizes, (int)count, rows);
    made = compact_rows(rows, &total, traits, scratch);
    put_back_scratch(scratch);
    Py_END_ALLOW_THREADS
    result = made < 0 ? PyErr_NoMemory() : pack_rows(rows, total, chunk);
done:
    free(rows);
    release(&pool);
    return result;
}

PyMethodDef checkpoint_methods[] = {
    {"merge_checkpoints", merge_checkpoints, METH_VARARGS, "One checkpoint from the rows of several."},
    {NULL, NULL, 0, NULL},
};
