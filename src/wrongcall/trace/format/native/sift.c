/* Which events of an extent an owner index keeps, and in which order (described in wrongcall/trace/format/owner_index.py). */
#include "packing.h"

#define SLOT_BITS 24
#define NONE UINT32_MAX
#define SEGMENTS 64
#define TAG_OBJECT 4 /* events.Tag.OBJ */
#define MODULE 13    /* events.Layout.MODULE */
#define ROUNDS 3

typedef struct {
    uint64_t id;
    uint32_t rank, events;
    uint8_t first, last; /* the segments in which it has events */
    uint8_t kept;
} Owner;

/* The owners that occur, and a hash table of where they are. */
typedef struct {
    Owner *all;
    uint32_t *table;
    uint32_t count, room, mask;
} Owners;

typedef struct {
    uint64_t key; /* rank of the owner, slot */
    uint32_t event;
} Row;

typedef struct {
    uint32_t length, row;
} Run;

typedef struct {
    const uint8_t *kind, *ktag, *vtag, *hi, *role, *group;
    const uint32_t *site, *call, *obj;
    const int64_t *key, *value;
    Py_ssize_t count, per_segment;
    uint64_t objects[SEGMENTS + 1], calls[SEGMENTS + 1]; /* the newest before each segment, and at the end */
} Extent;

static inline uint64_t hashed(uint64_t number)
{
    return number * 0x9E3779B97F4A7C15u;
}

static inline uint64_t obj_of(const Extent *v, Py_ssize_t i)
{
    return v->obj[i] | (uint64_t)(v->hi[i] >> 4) << 32;
}

static inline uint64_t call_of(const Extent *v, Py_ssize_t i)
{
    return v->call[i] | (uint64_t)(v->hi[i] & 15) << 32;
}

/* 0: the event has none. */
static inline uint64_t owner_of(const Extent *v, Py_ssize_t i, uint8_t role)
{
    uint64_t obj = obj_of(v, i);
    if (role & OF_OBJECT)
        return obj != 0 ? obj | IS_OBJECT : 0;
    return obj != 0 ? obj : call_of(v, i);
}

static inline uint32_t slot_of(const Extent *v, Py_ssize_t i, uint8_t role)
{
    uint8_t group = v->group[v->kind[i]];
    if (group == 0)
        return 0;
    uint64_t what = (uint64_t)group << 8, key = v->site[i];
    if (role & OF_OBJECT) {
        what |= v->ktag[i];
        key = (uint64_t)v->key[i];
    }
    uint32_t slot = (uint32_t)((hashed(key) + what * 0xC2B2AE3D27D4EB4Fu) >> (64 - SLOT_BITS));
    return slot != 0 ? slot : 1;
}

static int grow(Owners *owners)
{
    uint32_t room = owners->room * 2;
    Owner *all = realloc(owners->all, room * sizeof *all);
    if (all == NULL)
        return -1;
    owners->all = all;
    uint32_t *table = malloc(2 * (size_t)room * sizeof *table);
    if (table == NULL)
        return -1;
    free(owners->table);
    owners->table = table;
    owners->room = room;
    owners->mask = 2 * room - 1;
    memset(table, 0xFF, 2 * (size_t)room * sizeof *table);
    for (uint32_t i = 0; i < owners->count; i++) {
        uint32_t at = (uint32_t)(hashed(all[i].id) >> 32) & owners->mask;
        while (table[at] != NONE)
            at = (at + 1) & owners->mask;
        table[at] = i;
    }
    return 0;
}

/* Where in the table an owner is, or would be. */
static uint32_t place_of(const Owners *owners, uint64_t id)
{
    uint32_t at = (uint32_t)(hashed(id) >> 32) & owners->mask;
    while (owners->table[at] != NONE && owners->all[owners->table[at]].id != id)
        at = (at + 1) & owners->mask;
    return at;
}

/* Find an owner or add it; NONE: out of memory. */
static uint32_t find(Owners *owners, uint64_t id, uint8_t segment)
{
    uint32_t at = place_of(owners, id);
    if (owners->table[at] != NONE)
        return owners->table[at];
    if (owners->count == owners->room) {
        if (grow(owners) < 0)
            return NONE;
        at = place_of(owners, id);
    }
    owners->all[owners->count] = (Owner){.id = id, .first = segment};
    owners->table[at] = owners->count;
    return owners->count++;
}

/* Note the owner of each event, and the largest ids so far. */
static int note_owners(Extent *v, Owners *owners, uint32_t *whose)
{
    uint64_t objects = v->objects[0], calls = v->calls[0], last_id = 0;
    uint32_t last = NONE;
    for (Py_ssize_t i = 0, end = v->per_segment, segment = 0; i < v->count;
         segment++, end += v->per_segment) {
        for (; i < end && i < v->count; i++) {
            uint8_t role = v->role[v->kind[i]];
            whose[i] = NONE;
            if (role & BEGINNING && call_of(v, i) > calls)
                calls = call_of(v, i);
            if (!(role & (OF_OBJECT | OF_VARIABLE)))
                continue;
            if (role & FIRST_SIGHT && obj_of(v, i) > objects)
                objects = obj_of(v, i);
            uint64_t id = owner_of(v, i, role);
            if (id == 0)
                continue;
            if (id != last_id || last == NONE) {
                if ((last = find(owners, id, (uint8_t)segment)) == NONE)
                    return -1;
                last_id = id;
            }
            if (role & FIRST_SIGHT && v->ktag[i] == MODULE)
                owners->all[last].kept = 1;
            owners->all[last].last = (uint8_t)segment;
            owners->all[last].events++;
            whose[i] = last;
        }
        v->objects[segment + 1] = objects;
        v->calls[segment + 1] = calls;
    }
    return 0;
}

/* Keep modules, and all but those whose events are all in the segment in which they were first seen. */
static size_t keep_old(const Extent *v, Owners *owners)
{
    size_t rows = 0;
    for (uint32_t i = 0; i < owners->count; i++) {
        Owner *owner = &owners->all[i];
        const uint64_t *newest = owner->id & IS_OBJECT ? v->objects : v->calls;
        uint64_t id = owner->id & ~IS_OBJECT;
        int born_there = newest[owner->first] < id && id <= newest[owner->first + 1];
        owner->kept |= owner->first != owner->last || !born_there;
        if (owner->kept)
            rows += owner->events;
    }
    return rows;
}

/* Keep what is stored in what is kept, too, as long as there is room: most of it lives on. */
static void keep_stored(const Extent *v, Owners *owners, const uint32_t *whose, size_t room)
{
    for (int again = 1, round = 0; again && round < ROUNDS; round++) {
        again = 0;
        for (Py_ssize_t i = 0; i < v->count; i++) {
            /* whose has the numbers of owners. NOLINTNEXTLINE(clang-analyzer-security.ArrayBound) */
            if (v->vtag[i] != TAG_OBJECT || whose[i] == NONE || !owners->all[whose[i]].kept)
                continue;
            uint32_t stored = owners->table[place_of(owners, (uint64_t)v->value[i] | IS_OBJECT)];
            if (stored == NONE || owners->all[stored].kept || owners->all[stored].events > room)
                continue;
            owners->all[stored].kept = 1;
            room -= owners->all[stored].events;
            again = 1;
        }
    }
}

static int compare_owners(const void *one, const void *other)
{
    uint64_t a = (*(Owner *const *)one)->id, b = (*(Owner *const *)other)->id;
    return (a > b) - (a < b);
}

static int rank_owners(Owners *owners, uint32_t *kept)
{
    Owner **sorted = malloc((owners->count + 1) * sizeof *sorted);
    if (sorted == NULL)
        return -1;
    *kept = 0;
    for (uint32_t i = 0; i < owners->count; i++)
        if (owners->all[i].kept)
            sorted[(*kept)++] = &owners->all[i];
    qsort(sorted, *kept, sizeof *sorted, compare_owners);
    for (uint32_t i = 0; i < *kept; i++)
        sorted[i]->rank = i;
    free(sorted);
    return 0;
}

/* Sort rows by some bits of their keys, otherwise as they were. */
static void sort_rows(Row **rows, Row **spare, size_t count, int from, int to)
{
    enum { DIGIT = 11, VALUES = 1 << DIGIT };
    for (int shift = from; shift < to; shift += DIGIT) {
        size_t starts[VALUES] = {0}, sum = 0;
        uint64_t mask = to - shift < DIGIT ? ((uint64_t)1 << (to - shift)) - 1 : VALUES - 1;
        for (size_t i = 0; i < count; i++)
            starts[(*rows)[i].key >> shift & mask]++;
        for (int d = 0; d < VALUES; d++) {
            size_t many = starts[d];
            starts[d] = sum;
            sum += many;
        }
        for (size_t i = 0; i < count; i++)
            (*spare)[starts[(*rows)[i].key >> shift & mask]++] = (*rows)[i];
        Row *other = *rows;
        *rows = *spare;
        *spare = other;
    }
}

static int compare_runs(const void *one, const void *other)
{
    const Run *a = one, *b = other;
    if (a->length != b->length)
        return a->length < b->length ? 1 : -1; /* the longest first */
    return (a->row > b->row) - (a->row < b->row);
}

/* The runs of rows with the same key that must go so that at most so many rows are left. */
static Run *longest_runs(const Row *rows, size_t count, size_t most, size_t *gone)
{
    size_t runs = 0, left = count;
    *gone = 0;
    Run *all = malloc((count + 1) * sizeof *all);
    if (all == NULL || count <= most)
        return all;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || rows[i].key != rows[i - 1].key)
            all[runs++] = (Run){0, (uint32_t)i};
        all[runs - 1].length++;
    }
    qsort(all, runs, sizeof *all, compare_runs);
    while (*gone < runs && left > most)
        left -= all[(*gone)++].length;
    return all;
}

static PyObject *order_of(const Row *rows, size_t count)
{
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(count * 4));
    if (bytes != NULL)
        for (size_t i = 0; i < count; i++)
            memcpy(PyBytes_AS_STRING(bytes) + 4 * i, &rows[i].event, 4);
    return bytes;
}

static PyObject *numbers_of(const uint64_t *numbers, size_t count)
{
    return PyBytes_FromStringAndSize((const char *)numbers, (Py_ssize_t)(count * 8));
}

/* Take the rows of the longest runs out, and list their owners and slots. */
static int take_out(const Extent *v, Row *rows, size_t *count, size_t most, PyObject **told)
{
    size_t gone, left = 0;
    Run *runs = longest_runs(rows, *count, most, &gone);
    uint64_t *pairs = malloc((gone + 1) * 2 * sizeof *pairs);
    if (runs == NULL || pairs == NULL) {
        free(runs);
        free(pairs);
        return -1;
    }
    for (size_t i = 0; i < gone; i++) {
        Row first = rows[runs[i].row];
        pairs[2 * i] = owner_of(v, first.event, v->role[v->kind[first.event]]);
        pairs[2 * i + 1] = first.key & (((uint64_t)1 << SLOT_BITS) - 1);
        for (uint32_t k = 0; k < runs[i].length; k++)
            rows[runs[i].row + k].event = NONE;
    }
    for (size_t i = 0; i < *count; i++)
        if (rows[i].event != NONE)
            rows[left++] = rows[i];
    *count = left;
    *told = numbers_of(pairs, 2 * gone);
    free(runs);
    free(pairs);
    return *told == NULL ? -1 : 0;
}

static PyObject *slots_of(const Row *rows, size_t count)
{
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(count * 4));
    if (bytes != NULL)
        for (size_t i = 0; i < count; i++) {
            uint32_t slot = (uint32_t)(rows[i].key & (((uint64_t)1 << SLOT_BITS) - 1));
            memcpy(PyBytes_AS_STRING(bytes) + 4 * i, &slot, 4);
        }
    return bytes;
}

/* The rows of all owners that are kept, as events come; NULL: out of memory. */
static Row *rows_of(Extent *v, Owners *owners, uint32_t *whose, size_t most, size_t *count, uint32_t *kept)
{
    if (note_owners(v, owners, whose) < 0)
        return NULL;
    size_t old = keep_old(v, owners), at = 0;
    if (old < most)
        keep_stored(v, owners, whose, most - old);
    if (rank_owners(owners, kept) < 0)
        return NULL;
    *count = 0;
    for (Py_ssize_t i = 0; i < v->count; i++)
        /* whose has the numbers of owners. NOLINTNEXTLINE(clang-analyzer-security.ArrayBound) */
        *count += whose[i] != NONE && owners->all[whose[i]].kept;
    Row *rows = malloc((*count + 1) * sizeof *rows);
    for (Py_ssize_t i = 0; rows != NULL && i < v->count; i++) {
        if (whose[i] == NONE || !owners->all[whose[i]].kept)
            continue;
        uint64_t rank = owners->all[whose[i]].rank;
        rows[at++] = (Row){rank << SLOT_BITS | slot_of(v, i, v->role[v->kind[i]]), (uint32_t)i};
    }
    return rows;
}

static PyObject *sifted(Extent *v, Owners *owners, uint32_t *whose, size_t most)
{
    PyObject *by_owner = NULL, *by_slot = NULL, *slots = NULL, *left_out = NULL, *result = NULL;
    uint32_t kept = 0;
    Row *rows, *spare;
    size_t count = 0;
    int bits = SLOT_BITS;
    Py_BEGIN_ALLOW_THREADS
    rows = rows_of(v, owners, whose, most, &count, &kept);
    spare = malloc((count + 1) * sizeof *spare);
    while (bits < 64 && kept >> (bits - SLOT_BITS))
        bits++;
    if (rows != NULL && spare != NULL)
        sort_rows(&rows, &spare, count, SLOT_BITS, bits);
    Py_END_ALLOW_THREADS
    if (rows == NULL || spare == NULL)
        goto memory;
    if ((by_owner = order_of(rows, count)) == NULL)
        goto done;
    Py_BEGIN_ALLOW_THREADS
    sort_rows(&rows, &spare, count, 0, SLOT_BITS);
    sort_rows(&rows, &spare, count, SLOT_BITS, bits);
    Py_END_ALLOW_THREADS
    if (take_out(v, rows, &count, most, &left_out) < 0)
        goto memory;
    if ((by_slot = order_of(rows, count)) == NULL || (slots = slots_of(rows, count)) == NULL)
        goto done;
    size_t segments = (size_t)((v->count + v->per_segment - 1) / v->per_segment);
    result = Py_BuildValue("OOOONN", by_owner, by_slot, slots, left_out, numbers_of(v->objects + 1, segments),
                           numbers_of(v->calls + 1, segments));
    goto done;
memory:
    PyErr_NoMemory();
done:
    free(rows);
    free(spare);
    Py_XDECREF(by_owner);
    Py_XDECREF(by_slot);
    Py_XDECREF(slots);
    Py_XDECREF(left_out);
    return result;
}

static int get_extent(Pool *pool, PyObject *columns, Extent *v)
{
    PyObject *kind, *ktag, *vtag, *hi, *site, *call, *obj, *key, *value;
    if (!PyArg_ParseTuple(columns, "OOOOOOOOO", &kind, &ktag, &vtag, &hi, &site, &call, &obj, &key, &value))
        return -1;
    v->count = -1;
    if ((v->kind = column(pool, kind, 1, &v->count)) == NULL ||
        (v->ktag = column(pool, ktag, 1, &v->count)) == NULL ||
        (v->vtag = column(pool, vtag, 1, &v->count)) == NULL ||
        (v->hi = column(pool, hi, 1, &v->count)) == NULL ||
        (v->site = column(pool, site, 4, &v->count)) == NULL ||
        (v->call = column(pool, call, 4, &v->count)) == NULL ||
        (v->obj = column(pool, obj, 4, &v->count)) == NULL ||
        (v->key = column(pool, key, 8, &v->count)) == NULL ||
        (v->value = column(pool, value, 8, &v->count)) == NULL)
        return -1;
    if (v->per_segment < 1 || v->count > v->per_segment * SEGMENTS || v->count >= NONE) {
        PyErr_SetString(PyExc_ValueError, "too many segments for an extent");
        return -1;
    }
    return 0;
}

/* sift((kind, ktag, vtag, hi, site, call, obj, key, value), roles, groups, per_segment, newest_object, newest_call, most)
 * -> (by_owner, by_slot, slots, left_out, newest_objects, newest_calls) */
static PyObject *sift(PyObject *self, PyObject *args)
{
    PyObject *columns, *roles, *groups, *result = NULL;
    unsigned long long newest_object, newest_call;
    Py_ssize_t most, codes = 256;
    Extent v = {.count = 0};
    Pool pool = {.count = 0};
    Owners owners = {.count = 0, .room = 1 << 12};
    uint32_t *whose = NULL;
    if (!PyArg_ParseTuple(args, "O!OOnKKn", &PyTuple_Type, &columns, &roles, &groups, &v.per_segment,
                          &newest_object, &newest_call, &most))
        return NULL;
    v.objects[0] = newest_object;
    v.calls[0] = newest_call;
    if (get_extent(&pool, columns, &v) < 0 || (v.role = column(&pool, roles, 1, &codes)) == NULL ||
        (v.group = column(&pool, groups, 1, &codes)) == NULL)
        goto done;
    whose = malloc(((size_t)v.count + 1) * sizeof *whose);
    if (whose == NULL || grow(&owners) < 0) {
        PyErr_NoMemory();
        goto done;
    }
    result = sifted(&v, &owners, whose, most > 0 ? (size_t)most : 0);
done:
    free(owners.all);
    free(owners.table);
    free(whose);
    release(&pool);
    return result;
}

PyMethodDef sift_methods[] = {
    {"sift", sift, METH_VARARGS, "Choose and order the events that an owner index keeps."},
    {NULL, NULL, 0, NULL},
};
