/* Balancing: groups of sibling calls that are asked as one (Insa, Silva and Riesco, Algorithms 1-4).
 *
 * A group is a run of siblings: from the node `first` up to, not including, the node `end`. It is
 * *collapsed* (leaves of one function: they are asked together and not one by one), *projected* (its
 * members are asked after it) or *listed* (the same, but not every member finds the state as the one
 * before left it). Each caller is done on its own: its children become *items* (a call or a collapsed
 * run), chains are ranges of items, and what is projected is balanced again inside.
 *
 * Two neighbours have a *state link* if they have the same key, else a *list link* if they are calls of
 * one function or of one loop. A chain with a list link has at most `listed` calls, or `listed_long` if one of the
 * calls of its run takes more than a line to read.
 */
#include "kernels.h"

enum { COLLAPSED = 1, PROJECTED = 2, LISTED = 3, ALIKE = 4 };

typedef struct {
    int32_t first, end;
    int32_t calls;
    double weight;
} Item;

typedef struct {
    int32_t first, last; /* items, both included */
} Chain;

/* The heaviest part of a chain that can be a group. */
typedef struct {
    double weight;
    int32_t first, last;
    int32_t number;
    Chain of; /* the chain as it was: it may have been cut since */
} Option;

typedef struct {
    int32_t first, end, kind;
} Group;

typedef struct {
    const int32_t *end, *function;
    const int64_t *chain;
    const uint8_t *completed;
    const uint8_t *brief; /* of nodes: the call takes one line in a list */
    int32_t smallest, largest, listed, listed_long, near, loop;
    int shrink, project, recursive, unrestricted, count_nodes;
    Item *items;
    int64_t *keys;     /* of items: which chain of states they belong to */
    int32_t *breaks;   /* of items: how many list links there are before */
    int32_t *others;   /* of items: how often the function changes before */
    double *sums;      /* of the weights before an item */
    int32_t *order;    /* items by falling weight */
    int32_t *chain_of; /* of items: the number of the chain they are in, or -1 */
    uint8_t *gone;
    uint8_t *linked; /* of items: whether the next one can be in the same list */
    Chain *chains;
    int32_t chain_count;
    Option *heap; /* of chains: the heaviest option, of equals the first, is on top */
    int32_t heap_count;
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
#define ENLARGE(field, times)                                                                                \
    do {                                                                                                     \
        void *larger = realloc(b->field, (size_t)room * times * sizeof *b->field);                           \
        if (larger == NULL)                                                                                  \
            return -1;                                                                                       \
        b->field = larger;                                                                                   \
    } while (0)
    ENLARGE(items, 1);
    ENLARGE(keys, 1);
    ENLARGE(breaks, 1);
    ENLARGE(others, 1);
    ENLARGE(sums, 1);
    ENLARGE(order, 1);
    ENLARGE(chain_of, 1);
    ENLARGE(gone, 1);
    ENLARGE(linked, 1);
    /* Each cut takes an item away, and makes at most one chain and two options more. */
    ENLARGE(chains, 2);
    ENLARGE(heap, 3);
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

/* -- chains and their options ------------------------------------------------------------------- */

static void add_chain(Balance *b, int32_t first, int32_t last)
{
    if (last > first)
        b->chains[b->chain_count++] = (Chain){first, last};
}

static int comes_before(const Option *left, const Option *right)
{
    if (left->weight != right->weight)
        return left->weight > right->weight;
    return left->first < right->first;
}

static void push(Balance *b, Option option)
{
    int32_t at = b->heap_count++;
    while (at > 0 && comes_before(&option, &b->heap[(at - 1) / 2])) {
        b->heap[at] = b->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    b->heap[at] = option;
}

static Option pop(Balance *b)
{
    Option top = b->heap[0], moved = b->heap[--b->heap_count];
    int32_t at = 0;
    for (int32_t child; (child = 2 * at + 1) < b->heap_count; at = child) {
        if (child + 1 < b->heap_count && comes_before(&b->heap[child + 1], &b->heap[child]))
            child++;
        if (!comes_before(&b->heap[child], &moved))
            break;
        b->heap[at] = b->heap[child];
    }
    b->heap[at] = moved;
    return top;
}

/* Removes options of chains that were cut. Returns whether there is an option left. */
static int has_option(Balance *b)
{
    while (b->heap_count > 0) {
        const Option *top = b->heap;
        const Chain *now = &b->chains[top->number];
        if (now->first == top->of.first && now->last == top->of.last)
            return 1;
        pop(b);
    }
    return 0;
}

static double part_weight(const Balance *b, int32_t first, int32_t last)
{
    return b->sums[last + 1] - b->sums[first];
}

static void offer(Balance *b, int32_t number)
{
    const Chain chain = b->chains[number];
    int32_t length = chain.last - chain.first + 1;
    if (length < b->smallest)
        return;
    int32_t size = length < b->largest ? length : b->largest;
    int32_t best = chain.first;
    for (int32_t i = chain.first + 1; i + size - 1 <= chain.last; i++)
        if (part_weight(b, i, i + size - 1) > part_weight(b, best, best + size - 1))
            best = i;
    push(b, (Option){part_weight(b, best, best + size - 1), best, best + size - 1, number, chain});
}

/* Cuts the items first..last out of a chain; what is left of it, if it is still a chain, remains. Tells
 * how many chains there are more. */
static int32_t cut(Balance *b, int32_t number, int32_t first, int32_t last)
{
    Chain left = {b->chains[number].first, first - 1}, right = {last + 1, b->chains[number].last};
    int32_t before = left.last - left.first + 1, after = right.last - right.first + 1;
    /* The longer one keeps the number, so that few items get another one. */
    Chain longer = before >= after ? left : right, shorter = before >= after ? right : left;
    b->chains[number] = (Chain){-1, -1};
    int32_t made = -1;
    if (longer.last > longer.first) {
        b->chains[number] = longer;
        offer(b, number);
        made++;
    }
    int32_t renamed = -1;
    if (shorter.last > shorter.first) {
        renamed = b->chain_count++;
        b->chains[renamed] = shorter;
        offer(b, renamed);
        made++;
    }
    for (int32_t i = shorter.first; i <= shorter.last; i++)
        b->chain_of[i] = renamed;
    if (longer.last == longer.first)
        b->chain_of[longer.first] = -1;
    return made;
}

/* -- projecting --------------------------------------------------------------------------------- */

typedef struct {
    double distance;
    int32_t chain, first, last;
} Best;

/* The part of a chain whose weight is nearest to half; of equals, the first. */
static Best nearest(const Balance *b, int32_t number, double half)
{
    const Chain chain = b->chains[number];
    Best best = {0, -1, 0, 0};
    int32_t reach = chain.first; /* the first item with which the sum is at least half */
    for (int32_t i = chain.first; i <= chain.last; i++) {
        int32_t least = i + b->smallest - 1, most = chain.last;
        if (b->largest < most - i + 1)
            most = i + b->largest - 1;
        if (least > chain.last)
            break;
        if (reach < i)
            reach = i;
        while (reach < chain.last && part_weight(b, i, reach) < half)
            reach++;
        for (int32_t j = reach - 1; j <= reach; j++) {
            int32_t last = j < least ? least : j > most ? most : j;
            double distance = fabs(part_weight(b, i, last) - half);
            if (best.chain < 0 || distance < best.distance)
                best = (Best){distance, number, i, last};
        }
    }
    return best;
}

/* The part of all chains whose weight is nearest to half; of equals, the first.
 *
 * Half of all that is left: at most one chain has more, and has to be looked at closely. Of the others,
 * the heaviest parts are the nearest. */
static Best nearest_of_all(Balance *b, double half)
{
    Best best = {0, -1, 0, 0};
    if (!has_option(b))
        return best;
    if (b->heap[0].weight > half) {
        Option above = pop(b);
        best = nearest(b, above.number, half);
        if (has_option(b)) {
            const Option *next = b->heap;
            double distance = half - next->weight;
            if (distance < best.distance || (distance == best.distance && next->first < best.first))
                best = (Best){distance, next->number, next->first, next->last};
        }
        push(b, above);
        return best;
    }
    const Option *top = b->heap;
    return (Best){half - top->weight, top->number, top->first, top->last};
}

/* Projects parts of the chains among the items lo..hi under a parent that weighs `own` itself. Returns
 * how many groups were made. */
static int32_t project(Balance *b, int32_t lo, int32_t hi, double own)
{
    int32_t made = 0, heaviest = lo, open = b->chain_count;
    double total = own + part_weight(b, lo, hi);
    for (int32_t i = lo; i <= hi; i++) {
        b->order[i] = i;
        b->gone[i] = 0;
        b->chain_of[i] = -1;
    }
    b->heap_count = 0;
    for (int32_t s = 0; s < open; s++) {
        for (int32_t i = b->chains[s].first; i <= b->chains[s].last; i++)
            b->chain_of[i] = s;
        offer(b, s);
    }
    sorting = b;
    qsort(b->order + lo, (size_t)(hi - lo + 1), sizeof *b->order, heavier);
    Py_ssize_t mark = b->group_count; /* those of this level, to be balanced inside afterwards */
    while (open > 0) {
        double half = total / 2;
        while (b->gone[b->order[heaviest]])
            heaviest++;
        int32_t child = b->order[heaviest];
        double weight = b->items[child].weight;
        Best best = {0, -1, 0, 0};
        if (weight < half)
            best = nearest_of_all(b, half);
        if (best.chain < 0 || !(best.distance < fabs(half - weight))) {
            b->gone[child] = 1;
            total -= weight;
            if (b->chain_of[child] >= 0)
                open += cut(b, b->chain_of[child], child, child);
            continue;
        }
        for (int32_t i = best.first; i <= best.last; i++)
            b->gone[i] = 1;
        total -= part_weight(b, best.first, best.last);
        /* For the time being, items instead of nodes, and no kind. */
        if (add_group(b, best.first, best.last, 0) < 0)
            return -1;
        made++;
        open += cut(b, best.chain, best.first, best.last);
    }
    Py_ssize_t last = b->group_count;
    for (Py_ssize_t g = mark; g < last; g++) {
        int32_t from = b->groups[g].first, to = b->groups[g].end;
        b->groups[g].first = b->items[from].first;
        b->groups[g].end = b->items[to].end;
        b->groups[g].kind = (b->breaks[to] > b->breaks[from] ? LISTED : PROJECTED) |
                            (b->others[to] == b->others[from] ? ALIKE : 0);
        if (b->recursive) {
            b->chains[0] = (Chain){from, to};
            b->chain_count = 1;
            int32_t inner = project(b, from, to, b->count_nodes);
            if (inner < 0)
                return -1;
            made += inner;
        }
    }
    return made;
}

/* -- callers ------------------------------------------------------------------------------------ */

static int have_state_link(const Balance *b, int32_t left, int32_t right)
{
    return b->unrestricted || (b->chain[left] >= 0 && b->chain[left] == b->chain[right]);
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
                   have_state_link(b, c, stop) && b->function[stop] == b->function[c]) {
                stop++;
                run++;
            }
        if (run >= b->smallest) {
            if (add_group(b, c, stop, COLLAPSED | ALIKE) < 0)
                return -1;
            b->items[count] = (Item){c, stop, run, b->count_nodes ? 1 : run};
            *added -= run - 1;
        }
        else {
            stop = b->end[c];
            b->items[count] = (Item){c, stop, 1, weight_of(b, c)};
        }
        b->keys[count++] = key;
        c = stop;
    }
    return count;
}

static int is_same_state(const Balance *b, int32_t item)
{
    return b->keys[item] >= 0 && b->keys[item] == b->keys[item + 1];
}

/* The last item of those that state links join to an item, and how many calls they are. */
static int32_t joined(const Balance *b, int32_t item, int32_t last, int32_t *calls)
{
    *calls = b->items[item].calls;
    while (item < last && is_same_state(b, item))
        *calls += b->items[++item].calls;
    return item;
}

/* Cuts items, of so many calls together, into chains of about the same size that are not too large for
 * a list; what state links join stays together. */
static void share_out(Balance *b, int32_t first, int32_t last, int32_t calls, int32_t most)
{
    if (first > last)
        return;
    int32_t pieces = (calls - 1) / most + 1, goal = (calls - 1) / pieces + 1;
    int32_t start = first, size = 0;
    for (int32_t i = first, more; i <= last;) {
        int32_t until = joined(b, i, last, &more);
        if (size > 0 && (size >= goal || size + more > most)) {
            add_chain(b, start, i - 1);
            start = i;
            size = 0;
        }
        size += more;
        i = until + 1;
    }
    add_chain(b, start, last);
}

/* How many calls a list of these items has at most. */
static int32_t list_limit(const Balance *b, int32_t first, int32_t last)
{
    for (int32_t i = first; i <= last; i++)
        if (!b->brief[b->items[i].first])
            return b->listed_long;
    return b->listed;
}

/* Makes chains of items that have links of both kinds: a state can be as long as it likes. */
static void cut_run(Balance *b, int32_t first, int32_t last)
{
    int32_t start = first, calls = 0, most = list_limit(b, first, last);
    for (int32_t i = first, more; i <= last;) {
        int32_t until = joined(b, i, last, &more);
        if (more > most) {
            share_out(b, start, i - 1, calls, most);
            add_chain(b, i, until);
            start = until + 1;
            calls = 0;
        }
        else {
            calls += more;
        }
        i = until + 1;
    }
    share_out(b, start, last, calls, most);
}

static int are_alike(const Balance *b, int32_t item, int32_t other)
{
    return b->function[b->items[item].first] == b->function[b->items[other].first];
}

/* Links items that lie between two of one function that are near, and these. */
static void link_near(Balance *b, int32_t count)
{
    for (int32_t i = 1; i < count; i++)
        for (int32_t j = i - 1; j >= 0 && i - j <= b->near; j--)
            if (are_alike(b, i, j)) {
                memset(b->linked + j, 1, (size_t)(i - j));
                break;
            }
}

/* Finds out which items can be in one list: neighbours of one function, and a loop that makes several calls
 * again and again. */
static void find_lists(Balance *b, int32_t count)
{
    memset(b->linked, 0, (size_t)count);
    if (b->listed > 0)
        link_near(b, count);
    for (int32_t first = 0, last; first < count; first = last + 1) {
        for (last = first; b->linked[last]; last++)
            ;
        if (last - first + 1 < b->loop)
            for (int32_t i = first; i < last; i++)
                b->linked[i] = (uint8_t)are_alike(b, i, i + 1);
    }
    for (int32_t i = 0; i < count; i++)
        if (!b->completed[b->items[i].first]) {
            b->linked[i] = 0;
            if (i > 0)
                b->linked[i - 1] = 0;
        }
}

static void find_chains(Balance *b, int32_t count)
{
    b->chain_count = 0;
    b->breaks[0] = b->others[0] = 0;
    find_lists(b, count);
    int32_t first = 0;
    for (int32_t i = 0; i + 1 < count; i++) {
        int32_t here = b->items[i].first, next = b->items[i + 1].first;
        int is_state = is_same_state(b, i), is_list = !is_state && b->linked[i];
        b->breaks[i + 1] = b->breaks[i] + is_list;
        b->others[i + 1] = b->others[i] + (b->function[here] != b->function[next]);
        if (!is_state && !is_list) {
            cut_run(b, first, i);
            first = i + 1;
        }
    }
    cut_run(b, first, count - 1);
}

static int balance_caller(Balance *b, int32_t caller, int32_t last)
{
    int32_t added = 0, count = collect(b, caller, last, &added);
    if (count < 0)
        return -1;
    b->sums[0] = 0;
    for (int32_t i = 0; i < count; i++)
        b->sums[i + 1] = b->sums[i] + b->items[i].weight;
    b->chain_count = 0;
    if (b->project)
        find_chains(b, count);
    if (b->chain_count > 0) {
        int32_t made = project(b, 0, count - 1, 1);
        if (made < 0)
            return -1;
        added += made;
    }
    if (b->count_nodes && caller >= 0)
        b->delta[caller] += added;
    return 0;
}

static int may_have_links(const Balance *b, int32_t caller, int32_t last)
{
    int32_t c = caller + 1;
    if (c >= last)
        return 0;
    for (int32_t next = b->end[c]; next < last; c = next, next = b->end[next])
        if (b->listed > 0 || have_state_link(b, c, next))
            return 1;
    return 0;
}

/* balance(parent, end, function, chain, completed, wanted, brief, (smallest, largest, listed, listed_long, near, loop,
 * shrink, project, recursive, unrestricted, count_nodes)) -> groups as bytes of (first, end, kind).
 *
 * ALIKE is added to the kind of a group whose members are calls of one function. Only the children of callers that are wanted are grouped. */
static PyObject *balance(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *parents, *ends, *functions, *chains, *completeds, *wanteds, *briefs, *result = NULL;
    Balance b = {0};
    if (!PyArg_ParseTuple(args, "OOOOOOO(iiiiiippppp)", &parents, &ends, &functions, &chains, &completeds,
                          &wanteds, &briefs, &b.smallest, &b.largest, &b.listed, &b.listed_long, &b.near,
                          &b.loop, &b.shrink, &b.project, &b.recursive, &b.unrestricted, &b.count_nodes))
        return NULL;
    Pool pool = {.count = 0};
    Py_ssize_t n = -1;
    const int32_t *parent;
    const uint8_t *wanted;
    if ((parent = column(&pool, parents, 4, &n)) == NULL || (b.end = column(&pool, ends, 4, &n)) == NULL ||
        (b.function = column(&pool, functions, 4, &n)) == NULL ||
        (b.chain = column(&pool, chains, 8, &n)) == NULL ||
        (b.completed = column(&pool, completeds, 1, &n)) == NULL ||
        (wanted = column(&pool, wanteds, 1, &n)) == NULL || (b.brief = column(&pool, briefs, 1, &n)) == NULL)
        goto done;
    if (b.smallest < 2 || b.largest < b.smallest || b.listed < 0) {
        PyErr_SetString(PyExc_ValueError,
                        "a group has at least 2 members and at most as many as the largest");
        goto done;
    }
    if (b.count_nodes && (b.delta = calloc((size_t)n + 1, sizeof *b.delta)) == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    int failed = 0;
    Py_BEGIN_ALLOW_THREADS
    for (int32_t v = (int32_t)n - 1; v >= 0 && !failed; v--) {
        failed = wanted[v] && may_have_links(&b, v, b.end[v]) && balance_caller(&b, v, b.end[v]) < 0;
        if (b.count_nodes && parent[v] >= 0)
            b.delta[parent[v]] += b.delta[v];
    }
    Py_END_ALLOW_THREADS
    if (failed) {
        PyErr_NoMemory();
        goto done;
    }
    result = PyBytes_FromStringAndSize((const char *)b.groups, b.group_count * (Py_ssize_t)sizeof *b.groups);
done:
    free(b.items);
    free(b.keys);
    free(b.breaks);
    free(b.others);
    free(b.sums);
    free(b.order);
    free(b.chain_of);
    free(b.gone);
    free(b.linked);
    free(b.chains);
    free(b.heap);
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
    int32_t open = -1, wrong = -1; /* the innermost node that has not ended */
    Py_BEGIN_ALLOW_THREADS
    for (int32_t v = 0; v < n; v++) {
        while (open >= 0 && v >= end[open])
            open = parent[open];
        if (end[v] <= v || end[v] > (open >= 0 ? end[open] : (int32_t)n)) {
            wrong = v;
            break;
        }
        parent[v] = open;
        open = v;
    }
    Py_END_ALLOW_THREADS
    if (wrong >= 0)
        PyErr_Format(PyExc_ValueError, "the subtree of node %d ends at %d", (int)wrong, (int)end[wrong]);
    else
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
