/* What was last seen in a dict, a set, or the namespace of a class or module.

   Entries lie in insertion order, found through an index by key. Two keys are the same slot if their
   encoded values are equal after True, False and whole floats are taken as ints, as Python's own
   equality does for the types that are encoded by value. */
#include "core.h"

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

static uint32_t hash_of(Value key)
{
    uint64_t h = (key.bits ^ (uint64_t)key.tag << 57) * 0x9E3779B97F4A7C15ull;
    return (uint32_t)(h >> 32);
}

#define EMPTY 0xFFFFFFFFu

static void index_put(TableNode *t, uint32_t number)
{
    size_t at = t->entries[number].hash & (t->index_size - 1);
    while (t->index[at] != EMPTY)
        at = (at + 1) & (t->index_size - 1);
    t->index[at] = number;
}

/* Makes room for one more entry; leaves deleted ones out. */
static void rebuild(TableNode *t)
{
    size_t room = t->count < 4 ? 8 : t->count * 2;
    TableEntry *entries = malloc(room * sizeof *entries);
    size_t index_size = 16;
    while (index_size < room * 2)
        index_size *= 2;
    uint32_t *index = malloc(index_size * sizeof *index);
    if (entries == NULL || index == NULL)
        Py_FatalError("wrongcall: out of memory");
    size_t n = 0;
    for (size_t i = 0; i < t->used; i++) {
        if (t->entries[i].used)
            entries[n++] = t->entries[i];
    }
    free(t->entries);
    free(t->index);
    t->entries = entries;
    t->index = index;
    t->room = room;
    t->used = n;
    t->index_size = index_size;
    memset(index, 0xFF, index_size * sizeof *index);
    for (size_t i = 0; i < n; i++)
        index_put(t, (uint32_t)i);
}

TableEntry *table_find(TableNode *t, Value key)
{
    if (t->count == 0)
        return NULL;
    key = normal(key);
    uint32_t hash = hash_of(key);
    for (size_t at = hash & (t->index_size - 1); t->index[at] != EMPTY;
         at = (at + 1) & (t->index_size - 1)) {
        TableEntry *e = &t->entries[t->index[at]];
        if (e->used && e->hash == hash) {
            Value known = normal((Value){e->tag, e->bits});
            if (known.tag == key.tag && known.bits == key.bits)
                return e;
        }
    }
    return NULL;
}

TableEntry *table_add(TableNode *t, Slot key, Value encoded, Slot value)
{
    if (t->used == t->room)
        rebuild(t);
    TableEntry *e = &t->entries[t->used];
    *e = (TableEntry){.key = key, .value = value, .bits = encoded.bits, .tag = encoded.tag,
                      .used = 1, .hash = hash_of(normal(encoded))};
    index_put(t, (uint32_t)t->used++);
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
    free(t->entries);
    free(t->index);
}

void table_clear(TableNode *t)
{
    table_free(t);
    t->entries = NULL;
    t->index = NULL;
    t->used = t->count = t->room = t->index_size = 0;
}
