/* Which object is this? A hash table from the address of an allocation to a node.

   The table holds no reference. An entry lives exactly as long as its object: lifetime.c reports each
   death, so an address that is used again is a new object. Keys and nodes lie in separate arrays,
   because most look-ups (every free of the process asks) miss and need the keys only. */
#include "base/compat.h"
#include "shadow/identity.h"
#include "base/allocate.h"
#include "base/branches.h"
#include "buffers/buffers.h"
#include "capture/follow.h"
#include "compare/watches.h"
#include "emit/emit.h"
#include "emit/event.h"
#include "emit/events.h"
#include "recorder.h"
#include "shadow/attributes.h"
#include "shadow/deaths.h"
#include "shadow/nodes.h"
#include "shadow/sequence.h"
#include "shadow/shape.h"
#include "shadow/slot.h"
#include "shadow/table.h"
#include <string.h>

static Identity *const table = &recorder.identity;

void *object_base(PyObject *o)
{
    return (char *)o - compat_prefix(Py_TYPE(o));
}

static inline size_t home(uintptr_t key)
{
    uint64_t hash = ((uint64_t)key >> 4) * 0x9E3779B97F4A7C15ull;
    return (size_t)(((unsigned __int128)hash * table->size) >> 64);
}

static inline size_t next(size_t at)
{
    return ++at == table->size ? 0 : at;
}

/* How far `to` lies behind `from`, going round. */
static inline size_t distance(size_t from, size_t to)
{
    return to >= from ? to - from : to + table->size - from;
}

/* -- small blocks ----------------------------------------------------------------------------------- */

#define UNIT 16
#define SLAB 65536

void *units_alloc(size_t bytes, uint32_t *units)
{
    size_t n = (bytes + UNIT - 1) / UNIT;
    *units = (uint32_t)n;
    if (n > SMALL_UNITS)
        return allocate(n, UNIT);
    void *block = table->free_blocks[n];
    if (block != NULL) {
        table->free_blocks[n] = *(void **)block;
    }
    else {
        if (table->slab_left < n * UNIT) {
            table->slab = allocate(SLAB, 1); /* kept for the life of the process */
            table->slab_left = SLAB;
        }
        block = table->slab;
        table->slab += n * UNIT;
        table->slab_left -= n * UNIT;
    }
    return memset(block, 0, n * UNIT);
}

void units_free(void *block, uint32_t units)
{
    if (units > SMALL_UNITS) {
        release(block);
        return;
    }
    *(void **)block = table->free_blocks[units];
    table->free_blocks[units] = block;
}

/* -- the table ---------------------------------------------------------------------------------------- */

static void insert(uintptr_t key, Node *node)
{
    size_t at = home(key);
    while (table->keys[at] != 0)
        at = next(at);
    table->keys[at] = key;
    table->nodes[at] = node;
}

/* Without memory the table stays as it is: a third of it is empty, and recording ends. */
static void grow(void)
{
    size_t old_size = table->size;
    uintptr_t *old_keys = table->keys;
    Node **old_nodes = table->nodes;
    size_t new_size = old_size == 0 ? 4096 : old_size + old_size / (old_size > 1 << 20 ? 4 : 2);
    uintptr_t *new_keys = allocate(new_size, sizeof *table->keys);
    Node **new_nodes = new_keys == NULL ? NULL : allocate(new_size, sizeof *table->nodes);
    if (new_nodes == NULL) {
        release(new_keys);
        return;
    }
    table->size = new_size;
    table->keys = new_keys;
    table->nodes = new_nodes;
    for (size_t i = 0; i < old_size; i++) {
        if (old_keys[i] != 0)
            insert(old_keys[i], old_nodes[i]);
    }
    release(old_keys);
    release(old_nodes);
}

Node *node_find_base(void *base)
{
    if (table->keys == NULL)
        return NULL;
    for (size_t at = home((uintptr_t)base); table->keys[at] != 0; at = next(at)) {
        if (table->keys[at] == (uintptr_t)base)
            return table->nodes[at];
    }
    return NULL;
}

static void put(uintptr_t key, Node *node)
{
    if (table->keys == NULL || (table->count + 1) * 3 > table->size * 2)
        grow();
    insert(key, node);
    table->count++;
}

Node *node_new(void *base, Shape *shape, int layout, size_t bytes)
{
    uint32_t units;
    Node *node = units_alloc(bytes, &units);
    node->oid = ++table->last_oid;
    node->shape = shape;
    node->layout = (uint8_t)layout;
    node->units = units;
    put((uintptr_t)base, node);
    return node;
}

Node *node_resize(void *base, Node *node, size_t bytes)
{
    if (bytes <= (size_t)node->units * UNIT)
        return node;
    uint32_t units;
    Node *bigger = units_alloc(bytes, &units);
    memcpy(bigger, node, (size_t)node->units * UNIT);
    bigger->units = units;
    units_free(node, node->units);
    size_t at = home((uintptr_t)base);
    while (table->keys[at] != (uintptr_t)base)
        at = next(at);
    table->nodes[at] = bigger;
    return bigger;
}

/* Takes the entry out and closes the gap; its node, or NULL. */
static Node *take(uintptr_t key)
{
    if (table->keys == NULL)
        return NULL;
    size_t at = home(key);
    while (table->keys[at] != key) {
        if (table->keys[at] == 0)
            return NULL;
        at = next(at);
    }
    Node *node = table->nodes[at];
    for (size_t later = next(at); table->keys[later] != 0; later = next(later)) {
        if (distance(home(table->keys[later]), later) >= distance(at, later)) {
            table->keys[at] = table->keys[later];
            table->nodes[at] = table->nodes[later];
            at = later;
        }
    }
    table->keys[at] = 0;
    table->count--;
    return node;
}

static void free_attrs(InstanceNode *attrs)
{
    if (attrs == NULL)
        return;
    for (int i = 0; i < attrs->head.capacity; i++)
        slot_release(attrs->slots[i]);
    units_free(attrs, attrs->head.units);
}

static void free_node(Node *node)
{
    switch (node->layout) {
    case LAYOUT_LIST:
    case LAYOUT_DEQUE:
    case LAYOUT_ELEMENT:
        free_attrs(((SequenceNode *)node)->attrs);
        sequence_free((SequenceNode *)node);
        break;
    case LAYOUT_BYTEARRAY:
    case LAYOUT_ARRAY:
        free_attrs(((RawNode *)node)->attrs);
        raw_free((RawNode *)node);
        break;
    case LAYOUT_NDARRAY:
        free_attrs(((ArrayNode *)node)->attrs);
        ndarray_free((ArrayNode *)node);
        break;
    case LAYOUT_DICT:
    case LAYOUT_SET:
    case LAYOUT_FROZENSET:
    case LAYOUT_CLASS:
    case LAYOUT_MODULE:
        free_attrs(((TableNode *)node)->attrs);
        watch_end((TableNode *)node);
        if (!(node->flags & NODE_ATTRS_OF))
            table_free((TableNode *)node);
        break;
    case LAYOUT_TUPLE:
    case LAYOUT_ACTIVATION:
        free_attrs(attrs_of(node));
        break;
    case LAYOUT_LONG_STR:
        break;
    default:
        free_attrs((InstanceNode *)node); /* frees the node too */
        return;
    }
    units_free(node, node->units);
}

void node_forget(void *base)
{
    Node *node = take((uintptr_t)base);
    if (node == NULL)
        return;
    if (node->flags & NODE_IN_SLOT)
        death_note(base);
    if (UNLIKELY(node->flags & NODE_FOLLOWED) && node->layout != LAYOUT_ACTIVATION)
        follow_end(base);
    if (node->layout == LAYOUT_ACTIVATION && !(node->flags & NODE_STARTED)) {
        uint64_t call = ((PlainNode *)node)->fingerprint;
        if (call != 0) /* created, never started */
            emit(EV_DROP, (Where){0, call}, 0, NO_VALUE, NO_VALUE);
    }
    if (node->layout == LAYOUT_CLASS)
        shape_forget((PyTypeObject *)((char *)base + 2 * sizeof(void *)));
    free_node(node);
}

/* The nodes themselves are left behind: their memory is the parent's, too, as long as nobody writes to it. */
void identity_drop(void)
{
    table->keys = NULL;
    table->nodes = NULL;
    table->size = table->count = 0;
    death_note(NULL);
    watches_drop();
    recorder.families.buckets = NULL;
    recorder.families.bucket_count = recorder.families.family_count = 0;
    recorder.sharing.count = 0;
    recorder.following.count = 0;
    recorder.following.version++;
    shapes_watch_again();
}

/* Deaths are not told any more. The table is taken away first: what is released here may die. */
void identity_clear(void)
{
    size_t size = table->size;
    uintptr_t *keys = table->keys;
    Node **nodes = table->nodes;
    table->keys = NULL;
    table->nodes = NULL;
    table->size = table->count = 0;
    table->last_oid = 0;
    for (size_t i = 0; i < size; i++) {
        if (keys[i] != 0)
            free_node(nodes[i]);
    }
    release(keys);
    release(nodes);
    death_note(NULL);
    recorder.sharing.count = 0;
    recorder.following.count = 0;
    recorder.following.version++;
    recorder.following.several_threads = false;
}

void node_moved(void *from, void *to)
{
    if (from == to)
        return;
    Node *node = take((uintptr_t)from);
    if (node != NULL)
        put((uintptr_t)to, node);
}

size_t identity_count(void)
{
    return table->count;
}
