/* Which events of an extent an owner index keeps, and in which order (described in wrongcall/trace/format/owner_index.py). */
#include "packing.h"

#define SLOT_BITS 24
#define SLOT_MASK (((uint64_t)1 << SLOT_BITS) - 1)
#define NONE UINT32_MAX
#define TAG_OBJECT 4 /* events.Tag.OBJ */
#define MODULE 13    /* events.Layout.MODULE */
#define ROUNDS 3

typedef struct {
    uint64_t id;
    uint32_t rank, events;
    uint8_t first, last; /* the segments in which it has events */
    uint8_t kept;
} Owner;

/* Ids are given out one after the other, and what is used together was often made together. So the numbers of owners
 * with ids that differ in the lowest bits only are beside each other, in a block: one line of the cache. */
enum { BLOCK_BITS = 4, BLOCK = 1 << BLOCK_BITS };
typedef struct {
    uint64_t key; /* the ids without those bits */
    uint32_t owners[BLOCK];
} Block;

/* The numbers of owners that are new in the extent: their ids follow those that were given out before. */
typedef struct {
    uint64_t first;
    uint32_t *numbers;
    size_t noted, room; /* how many numbers are there, or could be */
} NewOwners;

/* The owners that occur, and where they are: new ones in a table by id, older ones in blocks, and a hash table of them. */
typedef struct {
    Scratch *scratch;
    Owner *all;
    NewOwners of_calls, of_objects;
    Block *blocks;
    uint32_t *table;
    uint32_t count, room, block_count, block_room, mask;
} Owners;

typedef struct {
    uint64_t key; /* rank of the owner, slot */
    uint32_t event;
} Row;

typedef struct {
    uint32_t length, row;
} Run;

static inline uint64_t hashed(uint64_t number)
{
    return number * 0x9E3779B97F4A7C15u;
}

/* 0: the event has none. */
uint64_t owner_of(const Event *event, uint8_t traits)
{
    uint64_t obj = obj_of(event);
    if (traits & OF_OBJECT)
        return obj != 0 ? obj | IS_OBJECT : 0;
    return obj != 0 ? obj : call_of(event);
}

static inline uint32_t slot_of(const Extent *extent, const Event *event)
{
    uint8_t group = extent->groups[event->kind];
    if (group == 0)
        return 0;
    uint64_t what = (uint64_t)group << 8, key = event->site;
    if (extent->traits[event->kind] & OF_OBJECT) {
        what |= event->ktag;
        key = (uint64_t)event->key;
    }
    uint32_t slot = (uint32_t)((hashed(key) + what * 0xC2B2AE3D27D4EB4Fu) >> (64 - SLOT_BITS));
    return slot != 0 ? slot : 1;
}

/* Where in the table a block is, or would be. */
static uint32_t place_of(const Owners *owners, uint64_t key)
{
    uint32_t at = (uint32_t)(hashed(key) >> 32) & owners->mask;
    while (owners->table[at] != NONE && owners->blocks[owners->table[at]].key != key)
        at = (at + 1) & owners->mask;
    return at;
}

/* Make room for more blocks. */
static int grow_blocks(Owners *owners)
{
    uint32_t room = owners->block_room * 2;
    size_t table_size = 2 * (size_t)room * sizeof *owners->table;
    Block *blocks = scratch_grown(owners->scratch, FOR_BLOCKS, room * sizeof *blocks);
    uint32_t *table = scratch_for(owners->scratch, FOR_TABLE, table_size);
    if (blocks == NULL || table == NULL)
        return -1;
    owners->blocks = blocks;
    owners->table = table;
    owners->block_room = room;
    owners->mask = 2 * room - 1;
    memset(table, 0xFF, table_size);
    for (uint32_t i = 0; i < owners->block_count; i++)
        table[place_of(owners, blocks[i].key)] = i;
    return 0;
}

static int grow_owners(Owners *owners)
{
    uint32_t room = owners->room * 2;
    Owner *all = scratch_grown(owners->scratch, FOR_OWNERS, room * sizeof *all);
    if (all == NULL)
        return -1;
    owners->all = all;
    owners->room = room;
    return 0;
}

static int begin_new(Owners *owners, NewOwners *these, int purpose, uint64_t newest, size_t room)
{
    these->first = newest + 1;
    these->room = room;
    these->numbers = scratch_for(owners->scratch, purpose, room * sizeof *these->numbers);
    return these->numbers != NULL ? 0 : -1;
}

/* Make room for what an extent has at most: as many new calls and objects as events. */
static int begin_owners(Owners *owners, const Extent *extent)
{
    size_t room = (size_t)extent->count + 1;
    *owners = (Owners){.scratch = extent->scratch, .room = 1 << 12, .block_room = 1 << 9};
    if (begin_new(owners, &owners->of_calls, FOR_NEW_CALLS, extent->calls[0], room) < 0 ||
        begin_new(owners, &owners->of_objects, FOR_NEW_OBJECTS, extent->objects[0], room) < 0)
        return -1;
    return grow_owners(owners) < 0 || grow_blocks(owners) < 0 ? -1 : 0;
}

/* Where the number of a new owner is; NULL: it is none. */
static inline uint32_t *new_number(Owners *owners, uint64_t id)
{
    NewOwners *these = id & IS_OBJECT ? &owners->of_objects : &owners->of_calls;
    size_t at = (id & ~IS_OBJECT) - these->first;
    if (at >= these->room)
        return NULL;
    if (at >= these->noted) {
        enum { AT_A_TIME = 1024 };
        size_t end = at + AT_A_TIME < these->room ? at + AT_A_TIME : these->room;
        memset(these->numbers + these->noted, 0xFF, (end - these->noted) * sizeof *these->numbers);
        these->noted = end;
    }
    return &these->numbers[at];
}

/* Find the block of an id or add it; NULL: out of memory. */
static Block *block_of(Owners *owners, uint64_t id)
{
    uint64_t key = id >> BLOCK_BITS;
    uint32_t at = place_of(owners, key);
    if (owners->table[at] != NONE)
        return &owners->blocks[owners->table[at]];
    if (owners->block_count == owners->block_room) {
        if (grow_blocks(owners) < 0)
            return NULL;
        at = place_of(owners, key);
    }
    Block *block = &owners->blocks[owners->block_count];
    block->key = key;
    memset(block->owners, 0xFF, sizeof block->owners);
    owners->table[at] = owners->block_count++;
    return block;
}

/* The number of an owner; NONE: it does not occur. */
static uint32_t number_of(Owners *owners, uint64_t id)
{
    const uint32_t *number = new_number(owners, id);
    if (number != NULL)
        return *number;
    uint32_t block = owners->table[place_of(owners, id >> BLOCK_BITS)];
    return block == NONE ? NONE : owners->blocks[block].owners[id & (BLOCK - 1)];
}

/* Find an owner or add it; NONE: out of memory. `*block` is the block of the owner that was found before, or NULL. */
static uint32_t find(Owners *owners, uint64_t id, uint8_t segment, Block **block)
{
    uint32_t *number = new_number(owners, id);
    if (number == NULL) {
        if (*block == NULL || (*block)->key != id >> BLOCK_BITS)
            if ((*block = block_of(owners, id)) == NULL)
                return NONE;
        number = &(*block)->owners[id & (BLOCK - 1)];
    }
    if (*number != NONE)
        return *number;
    if (owners->count == owners->room && grow_owners(owners) < 0)
        return NONE;
    owners->all[owners->count] = (Owner){.id = id, .first = segment};
    return *number = owners->count++;
}

/* The events of an extent by what they do. */
typedef struct {
    uint32_t *whose;  /* the number of each event's owner, or NONE */
    uint32_t *stores; /* the events that store an object in what has an owner */
    size_t store_count;
} Noted;

/* Note the owner of each event, the largest ids so far, stores of objects, and sites. */
static int note_owners(Extent *extent, Owners *owners, Noted *noted)
{
    uint32_t *whose = noted->whose, *stores = noted->stores;
    uint8_t *site_flags = extent->site_flags;
    size_t stored = 0;
    uint64_t objects = extent->objects[0], calls = extent->calls[0], last_id = 0;
    uint32_t last = NONE;
    Block *block = NULL;
    for (Py_ssize_t i = 0, end = extent->per_segment, segment = 0; i < extent->count;
         segment++, end += extent->per_segment) {
        for (; i < end && i < extent->count; i++) {
            const Event *event = &extent->events[i];
            uint8_t traits = extent->traits[event->kind];
            uint32_t site = event->site;
            whose[i] = NONE;
            if (site < MANY_SITES)
                site_flags[site] = 1;
            else
                extent->larger_sites = 1;
            if (traits & BEGINNING && call_of(event) > calls)
                calls = call_of(event);
            if (!(traits & (OF_OBJECT | OF_VARIABLE)))
                continue;
            if (traits & FIRST_SIGHT && obj_of(event) > objects)
                objects = obj_of(event);
            uint64_t id = owner_of(event, traits);
            if (id == 0)
                continue;
            if (id != last_id || last == NONE) {
                if ((last = find(owners, id, (uint8_t)segment, &block)) == NONE)
                    return -1;
                last_id = id;
            }
            if (traits & FIRST_SIGHT && event->ktag == MODULE)
                owners->all[last].kept = 1;
            owners->all[last].last = (uint8_t)segment;
            owners->all[last].events++;
            whose[i] = last;
            stores[stored] = (uint32_t)i; /* and overwritten, if it is none */
            stored += event->vtag == TAG_OBJECT;
        }
        extent->objects[segment + 1] = objects;
        extent->calls[segment + 1] = calls;
    }
    noted->store_count = stored;
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
static void keep_stored(const Extent *v, Owners *owners, const Noted *noted, size_t room)
{
    for (int again = 1, round = 0; again && round < ROUNDS; round++) {
        again = 0;
        for (size_t k = 0; k < noted->store_count; k++) {
            uint32_t i = noted->stores[k];
            /* whose has the numbers of owners. NOLINTNEXTLINE(clang-analyzer-security.ArrayBound) */
            if (!owners->all[noted->whose[i]].kept)
                continue;
            uint32_t stored = number_of(owners, (uint64_t)v->events[i].value | IS_OBJECT);
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
    Owner **sorted = scratch_for(owners->scratch, FOR_RANKS, (owners->count + 1) * sizeof(Owner *));
    if (sorted == NULL)
        return -1;
    *kept = 0;
    for (uint32_t i = 0; i < owners->count; i++)
        if (owners->all[i].kept)
            sorted[(*kept)++] = &owners->all[i];
    qsort(sorted, *kept, sizeof *sorted, compare_owners);
    for (uint32_t i = 0; i < *kept; i++)
        sorted[i]->rank = i;
    return 0;
}

/* Sort rows by some bits of their keys, otherwise as they were. */
static void sort_rows(Row **rows, Row **spare, size_t count, int from, int to)
{
    enum { DIGIT = 12, VALUES = 1 << DIGIT };
    for (int shift = from; shift < to; shift += DIGIT) {
        uint32_t starts[VALUES] = {0}, sum = 0;
        uint64_t mask = to - shift < DIGIT ? ((uint64_t)1 << (to - shift)) - 1 : VALUES - 1;
        for (size_t i = 0; i < count; i++)
            starts[(*rows)[i].key >> shift & mask]++;
        for (int d = 0; d < VALUES; d++) {
            uint32_t many = starts[d];
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

/* Take the rows of the longest runs out, and list their owners and slots. */
static int take_out(const Extent *v, Row *rows, size_t *count, size_t most, Sifted *sifted)
{
    size_t gone, left = 0;
    Run *runs = longest_runs(rows, *count, most, &gone);
    uint64_t *pairs = malloc((gone + 1) * 2 * sizeof *pairs);
    sifted->left_out = pairs;
    sifted->left = gone;
    if (runs == NULL || pairs == NULL) {
        free(runs);
        return -1;
    }
    for (size_t i = 0; i < gone; i++) {
        Row first = rows[runs[i].row];
        const Event *event = &v->events[first.event];
        pairs[2 * i] = owner_of(event, v->traits[event->kind]);
        pairs[2 * i + 1] = first.key & SLOT_MASK;
        for (uint32_t k = 0; k < runs[i].length; k++)
            rows[runs[i].row + k].event = NONE;
    }
    for (size_t i = 0; gone > 0 && i < *count; i++)
        if (rows[i].event != NONE)
            rows[left++] = rows[i];
    *count = gone > 0 ? left : *count;
    free(runs);
    return 0;
}

/* The rows of all owners that are kept, as events come; NULL: out of memory. */
static Row *rows_of(Extent *extent, Owners *owners, Noted *noted, size_t most, size_t *count, uint32_t *kept)
{
    const uint32_t *whose = noted->whose;
    if (note_owners(extent, owners, noted) < 0)
        return NULL;
    size_t old = keep_old(extent, owners), at = 0;
    if (old < most)
        keep_stored(extent, owners, noted, most - old);
    if (rank_owners(owners, kept) < 0)
        return NULL;
    *count = 0;
    for (uint32_t i = 0; i < owners->count; i++)
        *count += owners->all[i].kept ? owners->all[i].events : 0;
    Row *rows = scratch_for(extent->scratch, FOR_ROWS, (*count + 1) * sizeof *rows);
    if (rows == NULL)
        return NULL;
    uint32_t *events = noted->stores; /* which are not needed any more; there is one for each event */
    for (Py_ssize_t i = 0; i < extent->count; i++) {
        events[at] = (uint32_t)i; /* and overwritten, if its owner is not kept */
        /* whose has the numbers of owners. NOLINTNEXTLINE(clang-analyzer-security.ArrayBound) */
        at += whose[i] != NONE && owners->all[whose[i]].kept;
    }
    for (size_t k = 0; k < at; k++) {
        uint32_t i = events[k];
        uint64_t rank = owners->all[whose[i]].rank;
        rows[k] = (Row){rank << SLOT_BITS | slot_of(extent, &extent->events[i]), i};
    }
    return rows;
}

static uint32_t *order_of(Scratch *scratch, int purpose, const Row *rows, size_t count)
{
    uint32_t *order = scratch_for(scratch, purpose, (count + 1) * sizeof *order);
    for (size_t i = 0; order != NULL && i < count; i++)
        order[i] = rows[i].event;
    return order;
}

static uint32_t *slots_of(Scratch *scratch, const Row *rows, size_t count)
{
    uint32_t *slots = scratch_for(scratch, FOR_SLOTS, (count + 1) * sizeof *slots);
    for (size_t i = 0; slots != NULL && i < count; i++)
        slots[i] = (uint32_t)(rows[i].key & SLOT_MASK);
    return slots;
}

/* Sort the rows. */
static int arrange(const Extent *v, Row *rows, size_t count, uint32_t kept, size_t most, Sifted *sifted)
{
    int bits = SLOT_BITS;
    Row *spare = scratch_for(v->scratch, FOR_SPARE_ROWS, (count + 1) * sizeof *spare);
    if (rows == NULL || spare == NULL)
        return -1;
    while (bits < 64 && kept >> (bits - SLOT_BITS))
        bits++;
    sort_rows(&rows, &spare, count, SLOT_BITS, bits);
    sifted->owned = count;
    if ((sifted->by_owner = order_of(v->scratch, FOR_BY_OWNER, rows, count)) == NULL)
        return -1;
    sort_rows(&rows, &spare, count, 0, SLOT_BITS);
    sort_rows(&rows, &spare, count, SLOT_BITS, bits);
    if (take_out(v, rows, &count, most, sifted) < 0)
        return -1;
    sifted->indexed = count;
    sifted->by_slot = order_of(v->scratch, FOR_BY_SLOT, rows, count);
    sifted->slots = slots_of(v->scratch, rows, count);
    return sifted->by_slot != NULL && sifted->slots != NULL ? 0 : -1;
}

int sift_extent(Extent *v, size_t most, Sifted *sifted)
{
    Scratch *scratch = v->scratch;
    size_t numbers = ((size_t)v->count + 1) * sizeof(uint32_t), count = 0;
    uint32_t kept = 0;
    Owners owners;
    Noted noted = {.whose = scratch_for(scratch, FOR_WHOSE, numbers),
                   .stores = scratch_for(scratch, FOR_STORES, numbers)};
    *sifted = (Sifted){.by_owner = NULL};
    v->site_flags = scratch_for(scratch, FOR_SITE_FLAGS, MANY_SITES);
    if (noted.whose == NULL || noted.stores == NULL || v->site_flags == NULL || begin_owners(&owners, v) < 0)
        return -1;
    memset(v->site_flags, 0, MANY_SITES);
    Row *rows = rows_of(v, &owners, &noted, most, &count, &kept);
    return arrange(v, rows, count, kept, most, sifted);
}
