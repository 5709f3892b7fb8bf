/* Which object is this? A hash table from the address of an allocation to a node.

   The table holds no reference. An entry lives exactly as long as its object: lifetime.c reports each
   death, so an address that is used again is a new object. Keys and nodes lie in separate arrays,
   because most look-ups (every free of the process asks) miss and need the keys only. */
#include "core.h"

static uintptr_t *keys; /* 0: empty */
static Node **nodes;
static size_t mask, count;
static uint64_t last_oid;
uint64_t slot_deaths;

void *object_base(PyObject *o)
{
    return (char *)o - compat_prefix(Py_TYPE(o));
}

static inline size_t home(uintptr_t key)
{
    return (size_t)(((uint64_t)key >> 4) * 0x9E3779B97F4A7C15ull >> 20) & mask;
}

/* The recorder cannot lose track of objects and still tell the truth: without memory it ends. */
static void *must(void *memory)
{
    if (memory == NULL)
        Py_FatalError("wrongcall: out of memory");
    return memory;
}

/* -- small blocks ----------------------------------------------------------------------------------- */

#define UNIT 16
#define SMALL_UNITS 16
#define SLAB 65536

static void *free_blocks[SMALL_UNITS + 1];
static char *slab;
static size_t slab_left;

void *units_alloc(size_t size, uint32_t *units)
{
    size_t n = (size + UNIT - 1) / UNIT;
    *units = (uint32_t)n;
    if (n > SMALL_UNITS)
        return must(calloc(n, UNIT));
    void *block = free_blocks[n];
    if (block != NULL) {
        free_blocks[n] = *(void **)block;
    }
    else {
        if (slab_left < n * UNIT) {
            slab = must(malloc(SLAB)); /* kept for the life of the process */
            slab_left = SLAB;
        }
        block = slab;
        slab += n * UNIT;
        slab_left -= n * UNIT;
    }
    return memset(block, 0, n * UNIT);
}

void units_free(void *block, uint32_t units)
{
    if (units > SMALL_UNITS) {
        free(block);
        return;
    }
    *(void **)block = free_blocks[units];
    free_blocks[units] = block;
}

/* -- the table ---------------------------------------------------------------------------------------- */

static void grow(void)
{
    size_t old_size = keys == NULL ? 0 : mask + 1;
    uintptr_t *old_keys = keys;
    Node **old_nodes = nodes;
    size_t size = old_size == 0 ? 4096 : old_size * 2;
    keys = must(calloc(size, sizeof *keys));
    nodes = must(malloc(size * sizeof *nodes));
    mask = size - 1;
    for (size_t i = 0; i < old_size; i++) {
        if (old_keys[i] == 0)
            continue;
        size_t at = home(old_keys[i]);
        while (keys[at] != 0)
            at = (at + 1) & mask;
        keys[at] = old_keys[i];
        nodes[at] = old_nodes[i];
    }
    free(old_keys);
    free(old_nodes);
}

Node *node_find_base(void *base)
{
    if (keys == NULL)
        return NULL;
    for (size_t at = home((uintptr_t)base); keys[at] != 0; at = (at + 1) & mask) {
        if (keys[at] == (uintptr_t)base)
            return nodes[at];
    }
    return NULL;
}

static void put(uintptr_t key, Node *node)
{
    if (keys == NULL || (count + 1) * 3 > (mask + 1) * 2)
        grow();
    size_t at = home(key);
    while (keys[at] != 0)
        at = (at + 1) & mask;
    keys[at] = key;
    nodes[at] = node;
    count++;
}

Node *node_new(void *base, Shape *shape, int layout, size_t size)
{
    uint32_t units;
    Node *node = units_alloc(size, &units);
    node->oid = ++last_oid;
    node->shape = shape;
    node->layout = (uint8_t)layout;
    node->units = units;
    put((uintptr_t)base, node);
    return node;
}

Node *node_resize(void *base, Node *node, size_t size)
{
    if (size <= (size_t)node->units * UNIT)
        return node;
    uint32_t units;
    Node *bigger = units_alloc(size, &units);
    memcpy(bigger, node, (size_t)node->units * UNIT);
    bigger->units = units;
    units_free(node, node->units);
    size_t at = home((uintptr_t)base);
    while (keys[at] != (uintptr_t)base)
        at = (at + 1) & mask;
    nodes[at] = bigger;
    return bigger;
}

/* Takes the entry out and closes the gap; its node, or NULL. */
static Node *take(uintptr_t key)
{
    if (keys == NULL)
        return NULL;
    size_t at = home(key);
    while (keys[at] != key) {
        if (keys[at] == 0)
            return NULL;
        at = (at + 1) & mask;
    }
    Node *node = nodes[at];
    for (size_t next = (at + 1) & mask; keys[next] != 0; next = (next + 1) & mask) {
        size_t wanted = home(keys[next]);
        if (((next - wanted) & mask) >= ((next - at) & mask)) {
            keys[at] = keys[next];
            nodes[at] = nodes[next];
            at = next;
        }
    }
    keys[at] = 0;
    count--;
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
    case LAYOUT_BYTEARRAY:
    case LAYOUT_ARRAY:
    case LAYOUT_NDARRAY:
        free_attrs(((SequenceNode *)node)->attrs);
        sequence_free((SequenceNode *)node);
        break;
    case LAYOUT_DICT:
    case LAYOUT_SET:
    case LAYOUT_FROZENSET:
    case LAYOUT_CLASS:
    case LAYOUT_MODULE:
        free_attrs(((TableNode *)node)->attrs);
        table_free((TableNode *)node);
        break;
    case LAYOUT_TUPLE:
    case LAYOUT_ACTIVATION:
        free_attrs(((PlainNode *)node)->attrs);
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
        slot_deaths++;
    if (node->layout == LAYOUT_ACTIVATION && !(node->flags & NODE_STARTED)) {
        uint64_t call = ((PlainNode *)node)->fingerprint;
        if (call != 0) /* created, never started */
            emit(EV_DROP, (Where){0, call}, 0, NO_VALUE, NO_VALUE);
    }
    if (node->layout == LAYOUT_CLASS)
        shape_forget((PyTypeObject *)((char *)base + 2 * sizeof(void *)));
    free_node(node);
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
    return count;
}
