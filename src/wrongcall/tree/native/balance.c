/* Balancing: groups of sibling calls that are asked as one (Insa, Silva and Riesco, Algorithms 1-4).
 *
 * A group is a run of siblings: from the node `first` up to, not including, the node `end`. It is
 * *collapsed* (leaves of one function: they are asked together and not one by one) or *projected* (its
 * members are asked after it). Each caller is done on its own: its children become *items* (a call or
 * a collapsed run), chains are ranges of items, and what is projected is balanced again inside.
 */
#include "kernels.h"

enum { COLLAPSED = 1, PROJECTED = 2 };

typedef struct {
    int32_t first, end;
    double weight;
} Item;

typedef struct {
    int32_t first, last; /* items, both included */
} Chain;

typedef struct {
    int32_t first, end, kind;
} Group;

typedef struct {
    const int32_t *end, *function;
    const int64_t *chain;
    int32_t smallest, largest;
    int shrink, project, recursive, unrestricted, count_nodes;
    Item *items;
    int64_t *keys;  /* of items: which chain they belong to */
    double *sums;   /* of the weights before an item */
    int32_t *order; /* items by falling weight */
    uint8_t *gone;
    Chain *chains, *spare;
    int32_t room;
    Group *groups;
    Py_ssize_t group_count, group_room;
    int32_t *delta; /* by node: how many nodes grouping has added below it */
} Balance;

static int add_group(Balance *b, int32_t first, int32_t end, int32_t kind)
{
    if (b->group_count == b->group_room) {
        Py_ssize_t room = b->group_room ? b->group_room * 2 : 256;
        Group *larger = realloc(b->groups, (size_t)room * sizeof *larger);
        if (larger == NULL)
            return -1;
        b->groups = larger;
        b->group_room = room;
    }
    b->groups[b->group_count++] = (Group){first, end, kind};
    return 0;
}

static int make_room(Balance *b, int32_t count)
{
    if (count <= b->room)
        return 0;
    int32_t room = count * 2;
#define ENLARGE(field, extra)                                                                            \
    do {                                                                                                 \
        void *larger = realloc(b->field, (size_t)(room + extra) * sizeof *b->field);                     \
        if (larger == NULL)                                                                              \
            return -1;                                                                                   \
        b->field = larger;                                                                               \
    } while (0)
    ENLARGE(items, 0);
    ENLARGE(keys, 0);
    ENLARGE(sums, 1);
    ENLARGE(order, 0);
    ENLARGE(gone, 0);
    ENLARGE(chains, 0);
    ENLARGE(spare, 0);
#undef ENLARGE
    b->room = room;
    return 0;
}

static double weight_of(const Balance *b, int32_t node)
{
    return b->end[node] - node + (b->count_nodes ? b->delta[node] : 0);
}

static const Balance *sorting; /* qsort has no context; the interpreter's lock is held */

static int heavier(const void *left, const void *right)
{
    int32_t a = *(const int32_t *)left, c = *(const int32_t *)right;
    double x = sorting->items[a].weight, y = sorting->items[c].weight;
    if (x != y)
        return x > y ? -1 : 1;
    return a - c;
}

typedef struct {
    double distance;
    int32_t chain, first, last;
} Best;

/* The part of a chain whose weight is nearest to half; of equals, the first. */
static void nearest(const Balance *b, const Chain *chain, int32_t number, double half, Best *best)
{
    int32_t reach = chain->first; /* the first item with which the sum is at least half */
    for (int32_t i = chain->first; i <= chain->last; i++) {
        int32_t least = i + b->smallest - 1, most = chain->last;
        if (b->largest < most - i + 1)
            most = i + b->largest - 1;
        if (least > chain->last)
            break;
        if (reach < i)
            reach = i;
        while (reach < chain->last && b->sums[reach + 1] - b->sums[i] < half)
            reach++;
        for (int32_t j = reach - 1; j <= reach; j++) {
            int32_t last = j < least ? least : j > most ? most : j;
            double distance = fabs(b->sums[last + 1] - b->sums[i] - half);
            if (best->chain < 0 || distance < best->distance)
                *best = (Best){distance, number, i, last};
        }
    }
}

/* Cuts the items first..last out of a chain; what is left of it, if it is still a chain, takes its place. */
static int32_t cut(Chain *chains, int32_t count, int32_t number, int32_t first, int32_t last)
{
    Chain pieces[2];
    int made = 0;
    if (first - chains[number].first > 1)
        pieces[made++] = (Chain){chains[number].first, first - 1};
    if (chains[number].last - last > 1)
        pieces[made++] = (Chain){last + 1, chains[number].last};
    memmove(chains + number + made, chains + number + 1, (size_t)(count - number - 1) * sizeof *chains);
    memcpy(chains + number, pieces, (size_t)made * sizeof *chains);
    return count - 1 + made;
}

/* Projects parts of the chains among the items lo..hi under a parent that weighs `own` itself. The
 * chains are in `chains`; the inner levels find theirs behind them. Returns how many groups were made. */
static int32_t project(Balance *b, int32_t lo, int32_t hi, double own, Chain *chains, int32_t count)
{
    int32_t made = 0, heaviest = lo;
    double total = own + b->sums[hi + 1] - b->sums[lo];
    for (int32_t i = lo; i <= hi; i++) {
        b->order[i] = i;
        b->gone[i] = 0;
    }
    sorting = b;
    qsort(b->order + lo, (size_t)(hi - lo + 1), sizeof *b->order, heavier);
    Py_ssize_t mark = b->group_count; /* those of this level, to be balanced inside afterwards */
    while (count > 0) {
        double half = total / 2;
        while (b->gone[b->order[heaviest]])
            heaviest++;
        int32_t child = b->order[heaviest];
        double weight = b->items[child].weight;
        Best best = {0, -1, 0, 0};
        if (weight < half)
            for (int32_t s = 0; s < count; s++)
                nearest(b, &chains[s], s, half, &best);
        if (best.chain < 0 || !(best.distance < fabs(half - weight))) {
            b->gone[child] = 1;
            total -= weight;
            for (int32_t s = 0; s < count; s++)
                if (chains[s].first <= child && child <= chains[s].last) {
                    count = cut(chains, count, s, child, child);
                    break;
                }
            continue;
        }
        for (int32_t i = best.first; i <= best.last; i++)
            b->gone[i] = 1;
        total -= b->sums[best.last + 1] - b->sums[best.first];
        /* For the time being, items instead of nodes. */
        if (add_group(b, best.first, best.last, PROJECTED) < 0)
            return -1;
        made++;
        count = cut(chains, count, best.chain, best.first, best.last);
    }
    Py_ssize_t last = b->group_count;
    for (Py_ssize_t g = mark; g < last; g++) {
        int32_t from = b->groups[g].first, to = b->groups[g].end;
        b->groups[g].first = b->items[from].first;
        b->groups[g].end = b->items[to].end;
        if (b->recursive) {
            chains[0] = (Chain){from, to};
            int32_t inner = project(b, from, to, b->count_nodes, chains, 1);
            if (inner < 0)
                return -1;
            made += inner;
        }
    }
    return made;
}

/* Makes the items of a caller; returns how many, or -1. */
static int32_t collect(Balance *b, int32_t caller, int32_t last, int32_t *added)
{
    int32_t count = 0, children = 0;
    for (int32_t c = caller + 1; c < last; c = b->end[c])
        children++;
    if (make_room(b, children + 2) < 0)
        return -1;
    for (int32_t c = caller + 1; c < last;) {
        int64_t key = b->unrestricted ? 0 : b->chain[c];
        int32_t run = 1, stop = b->end[c];
        if (b->shrink && key >= 0 && b->end[c] == c + 1)
            while (run < b->largest && stop < last && b->end[stop] == stop + 1 &&
                   (b->unrestricted || b->chain[stop] == key) && b->function[stop] == b->function[c]) {
                stop++;
                run++;
            }
        if (run >= b->smallest) {
            if (add_group(b, c, stop, COLLAPSED) < 0)
                return -1;
            b->items[count] = (Item){c, stop, b->count_nodes ? 1 : run};
            *added -= run - 1;
        } else {
            stop = b->end[c];
            b->items[count] = (Item){c, stop, weight_of(b, c)};
        }
        b->keys[count++] = key;
        c = stop;
    }
    return count;
}

static int balance_caller(Balance *b, int32_t caller, int32_t last)
{
    int32_t added = 0, count = collect(b, caller, last, &added), chains = 0;
    if (count < 0)
        return -1;
    b->sums[0] = 0;
    for (int32_t i = 0; i < count; i++)
        b->sums[i + 1] = b->sums[i] + b->items[i].weight;
    for (int32_t i = 0; b->project && i < count;) {
        int32_t j = i;
        while (j + 1 < count && b->keys[j + 1] == b->keys[i])
            j++;
        if (b->keys[i] >= 0 && j > i)
            b->chains[chains++] = (Chain){i, j};
        i = j + 1;
    }
    if (chains > 0) {
        memcpy(b->spare, b->chains, (size_t)chains * sizeof *b->chains);
        int32_t made = project(b, 0, count - 1, 1, b->spare, chains);
        if (made < 0)
            return -1;
        added += made;
    }
    if (b->count_nodes && caller >= 0)
        b->delta[caller] += added;
    return 0;
}

static int has_chain(const Balance *b, int32_t caller, int32_t last)
{
    int32_t c = caller + 1;
    if (c >= last)
        return 0;
    for (int32_t next = b->end[c]; next < last; c = next, next = b->end[next])
        if (b->unrestricted || (b->chain[c] >= 0 && b->chain[c] == b->chain[next]))
            return 1;
    return 0;
}

/* balance(parent, end, function, chain, wanted, (smallest, largest, shrink, project, recursive,
 * unrestricted, count_nodes)) -> groups as bytes of (first, end, kind).
 *
 * Only the children of callers that are wanted are grouped. */
static PyObject *balance(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *parents, *ends, *functions, *chains, *wanteds, *result = NULL;
    Balance b = {0};
    if (!PyArg_ParseTuple(args, "OOOOO(iippppp)", &parents, &ends, &functions, &chains, &wanteds,
                          &b.smallest, &b.largest, &b.shrink, &b.project, &b.recursive, &b.unrestricted,
                          &b.count_nodes))
        return NULL;
    Pool pool = {.count = 0};
    Py_ssize_t n = -1;
    const int32_t *parent;
    const uint8_t *wanted;
    if ((parent = column(&pool, parents, 4, &n)) == NULL || (b.end = column(&pool, ends, 4, &n)) == NULL ||
        (b.function = column(&pool, functions, 4, &n)) == NULL ||
        (b.chain = column(&pool, chains, 8, &n)) == NULL ||
        (wanted = column(&pool, wanteds, 1, &n)) == NULL)
        goto done;
    if (b.smallest < 2 || b.largest < b.smallest) {
        PyErr_SetString(PyExc_ValueError, "a group has at least 2 members and at most as many as the largest");
        goto done;
    }
    if (b.count_nodes && (b.delta = calloc((size_t)n + 1, sizeof *b.delta)) == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    for (int32_t v = (int32_t)n - 1; v >= 0; v--) {
        if (wanted[v] && has_chain(&b, v, b.end[v]) && balance_caller(&b, v, b.end[v]) < 0) {
            PyErr_NoMemory();
            goto done;
        }
        if (b.count_nodes && parent[v] >= 0)
            b.delta[parent[v]] += b.delta[v];
    }
    result = PyBytes_FromStringAndSize((const char *)b.groups, b.group_count * (Py_ssize_t)sizeof *b.groups);
done:
    free(b.items);
    free(b.keys);
    free(b.sums);
    free(b.order);
    free(b.gone);
    free(b.chains);
    free(b.spare);
    free(b.groups);
    free(b.delta);
    release(&pool);
    return result;
}

/* parents(end, parent): the parents of nodes in preorder, from where their subtrees end. */
static PyObject *parents(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *ends, *outs, *result = NULL;
    if (!PyArg_ParseTuple(args, "OO", &ends, &outs))
        return NULL;
    Pool pool = {.count = 0};
    Py_ssize_t n = -1;
    const int32_t *end;
    int32_t *parent;
    if ((end = column(&pool, ends, 4, &n)) == NULL || (parent = writable(&pool, outs, 4, &n)) == NULL)
        goto done;
    int32_t open = -1; /* the innermost node that has not ended */
    for (int32_t v = 0; v < n; v++) {
        while (open >= 0 && v >= end[open])
            open = parent[open];
        if (end[v] <= v || end[v] > (open >= 0 ? end[open] : (int32_t)n)) {
            PyErr_Format(PyExc_ValueError, "the subtree of node %d ends at %d", (int)v, (int)end[v]);
            goto done;
        }
        parent[v] = open;
        open = v;
    }
    result = Py_NewRef(Py_None);
done:
    release(&pool);
    return result;
}

PyMethodDef balance_methods[] = {
    {"balance", balance, METH_VARARGS, "Groups of siblings."},
    {"parents", parents, METH_VARARGS, "Parents from ends."},
    {NULL, NULL, 0, NULL},
};
