/* The entries of dicts in their order. An OrderedDict keeps its own, in a linked list of private layout
   beside the dict: it is read where it lies and never asked, for a subclass may answer with code of the
   program. At the start the layout is tried out on one of our own; if it has changed, or a list does not fit
   its dict, the dict's own order stands for it. */
#include "base/compat.h"
#include "shadow/dict_order.h"
#include "base/allocate.h"

typedef struct OrderNode {
    PyObject *key;
    Py_hash_t hash;
    struct OrderNode *next, *previous;
} OrderNode;

typedef struct {
    PyDictObject dict;
    OrderNode *first, *last; /* more follows */
} OrderedDict;

static bool layout_known;

static size_t home(PyObject *key, size_t size)
{
    return (size_t)(((uint64_t)(uintptr_t)key >> 4) * 0x9E3779B97F4A7C15ull >> 32) & (size - 1);
}

/* The pairs of a dict, found by the address of the key: comparing keys could run code of the program. */
typedef struct {
    DictPair *pairs;
    uint32_t *index;
    size_t size;
} ByAddress;

static ByAddress by_address(PyObject *dict, size_t count)
{
    ByAddress found = {allocate(count, sizeof(DictPair)), NULL, 16};
    while (found.size < count * 2)
        found.size *= 2;
    found.index = allocate(found.size, sizeof *found.index);
    if (found.pairs == NULL || found.index == NULL)
        return found;
    PyObject *key, *value;
    Py_ssize_t at = 0;
    for (uint32_t n = 0; n < count && PyDict_Next(dict, &at, &key, &value); n++) {
        found.pairs[n] = (DictPair){key, value};
        size_t place = home(key, found.size);
        while (found.index[place] != 0)
            place = (place + 1) & (found.size - 1);
        found.index[place] = n + 1;
    }
    return found;
}

static DictPair *pair_at(ByAddress *found, PyObject *key)
{
    for (size_t place = home(key, found->size); found->index[place] != 0;
         place = (place + 1) & (found->size - 1)) {
        DictPair *pair = &found->pairs[found->index[place] - 1];
        if (pair->key == key)
            return pair;
    }
    return NULL;
}

/* The pairs in the order of the list; NULL if the list does not fit the dict, or without memory. */
static DictPair *in_order(PyObject *o, size_t count)
{
    ByAddress found = by_address(o, count);
    DictPair *pairs = allocate(count, sizeof *pairs);
    size_t n = 0;
    bool complete = pairs != NULL && found.pairs != NULL && found.index != NULL;
    for (OrderNode *node = ((OrderedDict *)o)->first; complete && node != NULL && n < count;
         node = node->next) {
        DictPair *pair = pair_at(&found, node->key);
        if (pair == NULL)
            break;
        pairs[n++] = *pair;
    }
    release(found.pairs);
    release(found.index);
    if (complete && n == count)
        return pairs;
    release(pairs);
    return NULL;
}

void dict_walk(DictWalk *walk, PyObject *o)
{
    *walk = (DictWalk){.dict = o, .count = (size_t)PyDict_GET_SIZE(o)};
    if (layout_known && PyODict_Check(o))
        walk->pairs = in_order(o, walk->count);
}

bool dict_next(DictWalk *walk, PyObject **key, PyObject **value)
{
    if (walk->pairs == NULL)
        return PyDict_Next(walk->dict, &walk->at, key, value);
    if ((size_t)walk->at == walk->count)
        return false;
    *key = walk->pairs[walk->at].key;
    *value = walk->pairs[walk->at++].value;
    return true;
}

void dict_walked(DictWalk *walk)
{
    release(walk->pairs);
}

/* An OrderedDict whose order is not that of its dict: is it found where it is looked for? */
void ordered_setup(void)
{
    PyObject *o = PyODict_New(), *keys = Py_BuildValue("(sss)", "a", "b", "c");
    for (Py_ssize_t i = 0; o != NULL && keys != NULL && i < 3; i++)
        PyODict_SetItem(o, PyTuple_GET_ITEM(keys, i), Py_None);
    PyObject *moved = o == NULL ? NULL : PyObject_CallMethod(o, "move_to_end", "s", "a");
    if (moved != NULL && keys != NULL && (size_t)PyODict_Type.tp_basicsize >= sizeof(OrderedDict)) {
        OrderNode *first = ((OrderedDict *)o)->first, *last = ((OrderedDict *)o)->last;
        layout_known = first != NULL && first->key == PyTuple_GET_ITEM(keys, 1) && first->next != NULL &&
                       first->next->key == PyTuple_GET_ITEM(keys, 2) && first->next->next == last &&
                       last->next == NULL;
    }
    Py_XDECREF(moved);
    Py_XDECREF(keys);
    Py_XDECREF(o);
    drop_error();
}
