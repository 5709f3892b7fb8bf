/* What was last seen in a dict, a set, or the namespace of a class or module.

   Entries lie in insertion order, found through an index by key. Two keys are the same slot if their
   encoded values are equal after True, False and whole floats are taken as ints, as Python's own
   equality does for the types that are encoded by value. */
#include "base/compat.h"
#include "shadow/table.h"
#include "base/allocate.h"
#include "base/branches.h"
#include "compare/watches.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "emit/events.h"
#include "shadow/nodes.h"
#include "shadow/slot.h"
#include <string.h>

static Value normal(Value key)
{
    if (key.tag == TAG_CONST && (key.bits == CONST_TRUE || key.bits == CONST_FALSE))
        return INT_VALUE(key.bits == CONST_TRUE);
    if (key.tag == TAG_FLOAT) {
        double d;
        memcpy(&d, &key.bits, 8);
        if (d >= -9.2e18 && d <= 9.2e18 && d == (double)(int64_t)d)
            return INT_VALUE((int64_t)d);
    }
    return key;
}

bool table_is_same(Value a, Value b)
{
    a = normal(a);
    b = normal(b);
    return a.tag == b.tag && a.bits == b.bits;
}

static uint32_t hash_of(Value key)
{
    uint64_t h = (key.bits ^ (uint64_t)key.tag << 57) * 0x9E3779B97F4A7C15ull;
    return (uint32_t)(h >> 32);
}

uint32_t table_hash(Value key)
{
    return hash_of(normal(key));
}

#define EMPTY 0xFFFFFFFFu

static void index_put(TableNode *t, uint32_t number)
{
    size_t at = t->entries[number].hash & (t->index_size - 1);
    while (t->index[at] != EMPTY)
        at = (at + 1) & (t->index_size - 1);
    t->index[at] = number;
}

#define FEW 8 /* so many entries are searched one by one */

/* False: there is no memory, all is as it was. */
static bool set_room(TableNode *t, size_t room)
{
    TableEntry *entries = allocate(room, sizeof *entries);
    if (entries == NULL)
        return false;
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->used; i++) {
        if (t->entries[i].used)
            entries[n++] = t->entries[i];
    }
    release(t->entries);
    t->entries = entries;
    t->room = (uint32_t)room;
    t->used = n;
    return true;
}

static void set_index(TableNode *t)
{
    release(t->index);
    t->index = NULL;
    t->index_size = 0;
    if (t->room <= FEW)
        return;
    t->index_size = 16;
    while (t->index_size < t->room + t->room / 2)
        t->index_size *= 2;
    t->index = allocate(t->index_size, sizeof *t->index);
    if (t->index == NULL)
        return; /* one by one, then */
    memset(t->index, 0xFF, t->index_size * sizeof *t->index);
    for (uint32_t i = 0; i < t->used; i++)
        index_put(t, i);
}

/* Makes room for one more entry; leaves deleted ones out. */
static void rebuild(TableNode *t)
{
    if (set_room(t, t->count < 4 ? 4 : t->count + t->count / 2))
        set_index(t);
}

void table_reserve(TableNode *t, size_t n)
{
    if (t->room > 0 || n == 0)
        return;
    if (set_room(t, n <= 64 ? n : n + n / 8)) /* the first entry added later must not cost a copy of all */
        set_index(t);
}

static bool is_key(TableEntry *e, Value key, uint32_t hash)
{
    if (!e->used || e->hash != hash)
        return false;
    Value known = normal((Value){e->tag, e->bits});
    return known.tag == key.tag && known.bits == key.bits;
}

TableEntry *table_find(TableNode *t, Value key)
{
    if (t->count == 0)
        return NULL;
    key = normal(key);
    uint32_t hash = hash_of(key);
    if (t->index == NULL) {
        for (uint32_t i = 0; i < t->used; i++) {
            if (is_key(&t->entries[i], key, hash))
                return &t->entries[i];
        }
        return NULL;
    }
    for (size_t at = hash & (t->index_size - 1); t->index[at] != EMPTY; at = (at + 1) & (t->index_size - 1)) {
        if (is_key(&t->entries[t->index[at]], key, hash))
            return &t->entries[t->index[at]];
    }
    return NULL;
}

TableEntry *table_add(TableNode *t, Slot key, Value encoded, Slot value)
{
    if (t->used == t->room)
        rebuild(t);
    if (UNLIKELY(t->used == t->room)) { /* there was no memory */
        slot_release(key);
        slot_release(value);
        return NULL;
    }
    TableEntry *e = &t->entries[t->used];
    *e = (TableEntry){.key = key,
                      .value = value,
                      .bits = encoded.bits,
                      .tag = encoded.tag,
                      .used = 1,
                      .seen = 1, /* it is always, but while a dict or set is compared */
                      .hash = hash_of(normal(encoded))};
    if (t->index != NULL)
        index_put(t, t->used);
    t->used++;
    t->count++;
    return e;
}

void table_set(TableEntry *e, Slot value)
{
    Slot old = e->value;
    e->value = value;
    slot_release(old);
}

/* The entry stays in the index as a dead one until the next rebuild. */
void table_delete(TableNode *t, TableEntry *e)
{
    slot_release(e->key);
    slot_release(e->value);
    e->key = e->value = 0;
    e->used = 0;
    t->count--;
}

void table_free(TableNode *t)
{
    for (size_t i = 0; i < t->used; i++) {
        if (t->entries[i].used) {
            slot_release(t->entries[i].key);
            slot_release(t->entries[i].value);
        }
    }
    release(t->entries);
    release(t->index);
}

void table_clear(TableNode *t)
{
    dict_watch_broken(t);
    table_free(t);
    t->entries = NULL;
    t->index = NULL;
    t->used = t->count = t->room = t->index_size = 0;
}
