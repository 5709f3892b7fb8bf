/* The least average number of questions: branch and bound over all strategies, with a time limit.
 *
 * A *state* is a compact tree whose root is known to be wrong: asking v splits it into v's subtree and
 * the rest, and costs the weight of the state. What keeps this feasible:
 *  - with equal weights, leaves can be asked last: a leaf of weight 1 is folded into its parent (weight
 *    w), which costs w + 1 questions and leaves a parent of weight w + 1;
 *  - a star is asked by falling weight;
 *  - states of the same shape have the same value: a table by a hash that ignores the order of siblings;
 *  - Huffman's code for the weights is a lower bound, and its entropy a quicker one.
 */
#include "kernels.h"
#include <time.h>

typedef struct {
    int32_t n;
    int32_t *parent;
    int32_t *id; /* in the tree that was given */
    double *weight;
    double constant; /* what folding has cost */
    uint64_t hash[2];
} State;

typedef struct {
    uint64_t hash[2];
    double low;   /* the value is at least this; */
    double value; /* negative: not known */
} Entry;

typedef struct {
    Entry *entries;
    size_t mask, used;
    int folding;
    double deadline;
    unsigned ticks;
    int out_of_time, out_of_memory;
    int32_t root_choice;
} Solver;

enum { TABLE_SIZE = 1 << 21 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static State *new_state(int32_t n)
{
    size_t size = sizeof(State) + (size_t)n * (sizeof(double) + 2 * sizeof(int32_t));
    State *state = malloc(size);
    if (state == NULL)
        return NULL;
    state->weight = (double *)(state + 1);
    state->parent = (int32_t *)(state->weight + n);
    state->id = state->parent + n;
    state->n = n;
    state->constant = 0;
    return state;
}

static void fold(State *state)
{
    /* Where the root cannot be the bug, its only child may better be asked after a leaf. */
    /* Every state has a root, and is filled up to n. NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
    if (state->weight[0] < 1)
        return;
    /* Going backwards, children are seen before their parent: a node is a leaf if nobody named it. */
    int32_t *place = malloc((size_t)state->n * sizeof *place);
    if (place == NULL)
        return; /* without folding the value is the same */
    memset(place, 0, (size_t)state->n * sizeof *place);
    for (int32_t v = state->n - 1; v > 0; v--) {
        int32_t parent = state->parent[v];
        if (place[v] == 0 && state->weight[v] == 1) {
            state->constant += state->weight[parent] + 1;
            state->weight[parent] += 1;
            place[v] = -1;
        }
        else
            place[parent] = 1;
    }
    int32_t kept = 0;
    for (int32_t v = 0; v < state->n; v++) {
        if (place[v] < 0)
            continue;
        state->parent[kept] = v ? place[state->parent[v]] : -1;
        /* Every state is filled up to n. NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign) */
        state->weight[kept] = state->weight[v];
        state->id[kept] = state->id[v];
        place[v] = kept++;
    }
    state->n = kept;
    free(place);
}

static int hash_state(State *state)
{
    uint64_t *sums = calloc((size_t)state->n * 2, sizeof *sums);
    if (sums == NULL)
        return -1;
    for (int32_t v = state->n - 1; v >= 0; v--) {
        uint64_t bits;
        memcpy(&bits, &state->weight[v], sizeof bits);
        uint64_t a = mix(sums[2 * v] + mix(bits + 0x9e3779b97f4a7c15u));
        uint64_t b = mix(sums[2 * v + 1] ^ mix(bits * 0xd1342543de82ef95u + 1));
        if (v) {
            sums[2 * state->parent[v]] += mix(a + 0x632be59bd9b4e019u);
            sums[2 * state->parent[v] + 1] += mix(b + 0x2545f4914f6cdd1du);
        }
        else {
            state->hash[0] = a;
            state->hash[1] = b;
        }
    }
    free(sums);
    return 0;
}

static int by_weight(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Huffman's total for the weights, by two queues. */
static double huffman(const State *state)
{
    int32_t n = state->n;
    if (n < 2)
        return 0;
    double *leaves = malloc((size_t)n * 2 * sizeof *leaves), total = 0;
    if (leaves == NULL)
        return 0; /* a bound that says nothing */
    double *joined = leaves + n;
    memcpy(leaves, state->weight, (size_t)n * sizeof *leaves);
    qsort(leaves, (size_t)n, sizeof *leaves, by_weight);
    int32_t leaf = 0, first = 0, last = 0;
    for (int32_t step = 1; step < n; step++) {
        double sum = 0;
        for (int i = 0; i < 2; i++) {
            if (leaf < n && (first == last || leaves[leaf] <= joined[first]))
                sum += leaves[leaf++];
            else
                sum += joined[first++];
        }
        joined[last++] = sum;
        total += sum;
    }
    free(leaves);
    return total;
}

static Entry *look_up(Solver *solver, const State *state)
{
    size_t at = (size_t)state->hash[0] & solver->mask;
    for (;;) {
        Entry *entry = &solver->entries[at];
        if (entry->hash[0] == 0 && entry->hash[1] == 0) {
            if (solver->used * 4 > solver->mask * 3)
                return NULL;
            solver->used++;
            entry->hash[0] = state->hash[0];
            entry->hash[1] = state->hash[1];
            entry->low = huffman(state);
            entry->value = -1;
            return entry;
        }
        if (entry->hash[0] == state->hash[0] && entry->hash[1] == state->hash[1])
            return entry;
        at = (at + 1) & solver->mask;
    }
}

static double total_weight(const State *state)
{
    double total = 0;
    for (int32_t v = 0; v < state->n; v++)
        total += state->weight[v];
    return total;
}

/* The value of a star, or -1 if it is none. */
static double star_value(const State *state)
{
    for (int32_t v = 1; v < state->n; v++)
        if (state->parent[v] != 0)
            return -1;
    int32_t k = state->n - 1;
    if (k == 0)
        return 0;
    double *weights = malloc((size_t)k * sizeof *weights);
    if (weights == NULL)
        return -1;
    memcpy(weights, state->weight + 1, (size_t)k * sizeof *weights);
    qsort(weights, (size_t)k, sizeof *weights, by_weight);
    double total = k * state->weight[0];
    for (int32_t i = 0; i < k; i++)
        total += (k - i) * weights[i];
    free(weights);
    return total;
}

typedef struct {
    double bound;
    int32_t node, end;
} Candidate;

static int by_bound(const void *left, const void *right)
{
    const Candidate *a = left, *b = right;
    if (a->bound != b->bound)
        return a->bound < b->bound ? -1 : 1;
    return a->node - b->node;
}

static double entropy(double weight, double logs)
{
    double bound = weight > 0 ? weight * log2(weight) - logs : 0;
    return bound > 1e-6 ? bound - 1e-6 : 0;
}

static Candidate *candidates(const State *state, double total)
{
    int32_t n = state->n;
    Candidate *found = malloc((size_t)n * sizeof *found);
    double *weight = malloc((size_t)n * 2 * sizeof *weight), *logs = weight + n;
    if (found == NULL || weight == NULL) {
        free(found);
        free(weight);
        return NULL;
    }
    for (int32_t v = 0; v < n; v++) {
        weight[v] = state->weight[v];
        logs[v] = weight[v] > 0 ? weight[v] * log2(weight[v]) : 0;
        found[v] = (Candidate){0, v, v + 1};
    }
    for (int32_t v = n - 1; v > 0; v--) {
        int32_t parent = state->parent[v];
        weight[parent] += weight[v];
        logs[parent] += logs[v];
        /* A parent comes before its children: it was filled above. NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
        if (found[v].end > found[parent].end)
            found[parent].end = found[v].end;
    }
    for (int32_t v = 1; v < n; v++)
        found[v].bound = total + entropy(weight[v], logs[v]) + entropy(total - weight[v], logs[0] - logs[v]);
    free(weight);
    qsort(found + 1, (size_t)n - 1, sizeof *found, by_bound);
    return found;
}

static State *part(const Solver *solver, const State *state, int32_t first, int32_t last, int inside)
{
    int32_t gone = last - first, n = inside ? gone : state->n - gone;
    State *made = new_state(n);
    if (made == NULL)
        return NULL;
    int32_t filled = 0;
    for (int32_t v = 0; v < state->n; v++) {
        if ((v >= first && v < last) != inside)
            continue;
        int32_t parent = state->parent[v];
        if (inside)
            parent = v == first ? -1 : parent - first;
        else if (parent >= last)
            parent -= gone;
        /* n counts the nodes that are not left out. NOLINTNEXTLINE(clang-analyzer-security.ArrayBound) */
        made->parent[filled] = parent;
        made->weight[filled] = state->weight[v];
        /* n counts the nodes that are not left out. NOLINTNEXTLINE(clang-analyzer-security.ArrayBound) */
        made->id[filled++] = state->id[v];
    }
    if (solver->folding)
        fold(made);
    if (hash_state(made) < 0) {
        free(made);
        return NULL;
    }
    return made;
}

static double solve(Solver *solver, const State *state, double limit, int32_t *choice);

/* The value of asking the candidate first, or something >= limit. */
static double ask(Solver *solver, const State *state, const Candidate *candidate, double total, double limit)
{
    State *inner = part(solver, state, candidate->node, candidate->end, 1);
    State *outer = part(solver, state, candidate->node, candidate->end, 0);
    double result = limit;
    if (inner == NULL || outer == NULL) {
        solver->out_of_memory = 1;
        goto done;
    }
    double cost = total + inner->constant + outer->constant;
    const Entry *known = outer->n > 1 ? look_up(solver, outer) : NULL;
    double low = known == NULL ? 0 : known->value >= 0 ? known->value : known->low;
    double rest = limit - cost - low;
    if (rest <= 0)
        goto done;
    double value = solve(solver, inner, rest, NULL);
    if (value >= rest || solver->out_of_time)
        goto done;
    cost += value;
    value = solve(solver, outer, limit - cost, NULL);
    if (value < limit - cost)
        result = cost + value;
done:
    free(inner);
    free(outer);
    return result;
}

/* The value of a state (its constant left out) if it is below the limit, else something >= limit. */
static double solve(Solver *solver, const State *state, double limit, int32_t *choice)
{
    double star = star_value(state);
    if (star >= 0 && choice == NULL)
        return star;
    if ((++solver->ticks & 63) == 0 && now() > solver->deadline)
        solver->out_of_time = 1;
    if (solver->out_of_time || solver->out_of_memory)
        return limit;
    Entry *entry = look_up(solver, state);
    if (entry != NULL && choice == NULL) {
        if (entry->value >= 0)
            return entry->value;
        if (entry->low >= limit)
            return entry->low;
    }
    double total = total_weight(state), best = limit;
    Candidate *found = candidates(state, total);
    if (found == NULL) {
        solver->out_of_memory = 1;
        return limit;
    }
    for (int32_t i = 1; i < state->n && found[i].bound < best; i++) {
        double value = ask(solver, state, &found[i], total, best);
        if (solver->out_of_time || solver->out_of_memory)
            break;
        if (value < best) {
            best = value;
            if (choice != NULL)
                *choice = state->id[found[i].node];
        }
    }
    free(found);
    if (solver->out_of_time || solver->out_of_memory)
        return limit;
    if (entry != NULL) {
        if (best < limit)
            entry->value = entry->low = best;
        else if (limit > entry->low)
            entry->low = limit;
    }
    return best;
}

static State *given(const int32_t *parent, const double *own, int32_t n, int folding)
{
    State *state = new_state(n);
    if (state == NULL)
        return NULL;
    for (int32_t v = 0; v < n; v++) {
        state->parent[v] = parent[v];
        state->weight[v] = own[v];
        state->id[v] = v;
    }
    if (folding)
        fold(state);
    return state;
}

/* All weights are 1; the root's may be 0 (it is not a place of the bug). */
static int is_uniform(const double *own, Py_ssize_t n)
{
    for (Py_ssize_t v = 1; v < n; v++)
        if (own[v] != 1)
            return 0;
    return own[0] == 0 || own[0] == 1;
}

/* What to ask first where folding has left nothing but the root, or a star. */
static int32_t plain_choice(const State *state, Py_ssize_t n)
{
    int32_t best = -1;
    for (int32_t v = 1; v < state->n; v++)
        if (state->parent[v] == 0 && (best < 0 || state->weight[v] > state->weight[best]))
            best = v;
    if (best >= 0)
        return state->id[best];
    return n > 1 ? 1 : -1;
}

/* optimum(parent, own, limit, seconds) -> (value, first question, solved)
 *
 * The least total below the limit. (limit, -1, True): there is none below it. Not solved: the time
 * was not enough, or the memory. */
static PyObject *optimum(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *parents, *owns, *result = NULL;
    double limit, seconds;
    if (!PyArg_ParseTuple(args, "OOdd", &parents, &owns, &limit, &seconds))
        return NULL;
    Pool pool = {.count = 0};
    Py_ssize_t n = -1;
    const int32_t *parent;
    const double *own;
    State *state = NULL;
    Solver solver = {0};
    if ((parent = column(&pool, parents, 4, &n)) == NULL || (own = column(&pool, owns, 8, &n)) == NULL)
        goto done;
    for (Py_ssize_t v = 0; v < n; v++)
        if (parent[v] >= v || (v > 0) != (parent[v] >= 0)) {
            PyErr_Format(PyExc_ValueError, "node %zd has parent %d", v, (int)parent[v]);
            goto done;
        }
    if (n == 0) {
        PyErr_SetString(PyExc_ValueError, "a compact tree begins with its root");
        goto done;
    }
    solver.folding = is_uniform(own, n);
    solver.mask = TABLE_SIZE - 1;
    solver.entries = calloc(TABLE_SIZE, sizeof *solver.entries);
    state = given(parent, own, (int32_t)n, solver.folding);
    if (solver.entries == NULL || state == NULL || hash_state(state) < 0) {
        PyErr_NoMemory();
        goto done;
    }
    solver.deadline = now() + seconds;
    int32_t choice = -1;
    double value = star_value(state);
    if (value >= 0)
        choice = plain_choice(state, n);
    else {
        Py_BEGIN_ALLOW_THREADS
        value = solve(&solver, state, limit - state->constant, &choice);
        Py_END_ALLOW_THREADS
    }
    value += state->constant;
    int solved = !solver.out_of_time && !solver.out_of_memory;
    if (value >= limit) {
        value = limit;
        choice = -1;
    }
    result = Py_BuildValue("(diO)", value, (int)choice, solved ? Py_True : Py_False);
done:
    free(state);
    free(solver.entries);
    release(&pool);
    return result;
}

PyMethodDef optimum_methods[] = {
    {"optimum", optimum, METH_VARARGS, "The least average, exactly."},
    {NULL, NULL, 0, NULL},
};
