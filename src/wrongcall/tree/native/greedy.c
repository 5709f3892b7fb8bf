/* Optimal D&Q played to the end, for every position of the bug at once; and lookahead on top of it.
 *
 * Works on a compact tree: entry 0 is the root, known to be wrong, parents come first. Each node but
 * the root is asked exactly once in the whole decision tree: in the state with root r, asking v
 * splits off v's subtree, which is then searched on its own. A question costs 1 for each unit of
 * weight in its state, root included, so the total is a sum over the questions.
 *
 * The children of a node lie in a heap by *key* (twice the weight less the own weight, smaller index
 * first among equals): the node nearest to an even split is on the path of largest keys.
 */
#include "kernels.h"

/* A question that leads to so many times as many questions, on average, is still about as good. */
#define ABOUT 1.01

typedef struct {
    Py_ssize_t n;
    const int32_t *parent;
    const double *own;
    const uint16_t *cost; /* lines to read of each question; NULL: questions are counted */
    double *weight;       /* of the subtree as it is now, own weight included */
    int32_t *first;       /* where a node's heap begins in `heap` */
    int32_t *count;       /* how many children it has now */
    int32_t *heap;
    int32_t *place; /* index in its parent's heap */
    int32_t *stack;
    double *full_weight; /* as at the beginning */
    int32_t *full_count;
    double lines; /* the total of what is to be read in the game played last */
    Py_ssize_t steps;
    Py_ssize_t budget; /* no more steps than this; 0: as many as it takes */
} Game;

static void game_free(Game *game)
{
    free(game->weight);
    free(game->first);
    free(game->count);
    free(game->heap);
    free(game->place);
    free(game->stack);
    free(game->full_weight);
    free(game->full_count);
}

static inline double key(const Game *game, int32_t v)
{
    return 2 * game->weight[v] - game->own[v];
}

static inline int before(const Game *game, int32_t a, int32_t b)
{
    double key_a = key(game, a), key_b = key(game, b);
    return key_a > key_b || (key_a == key_b && a < b);
}

static void sift_down(Game *game, int32_t parent, int32_t index)
{
    int32_t *heap = game->heap + game->first[parent], count = game->count[parent], moved = heap[index];
    for (;;) {
        int32_t child = 2 * index + 1;
        if (child >= count)
            break;
        /* The children of a parent are its part of the heap, filled up to count. NOLINTNEXTLINE(clang-analyzer-security.ArrayBound,clang-analyzer-core.CallAndMessage) */
        if (child + 1 < count && before(game, heap[child + 1], heap[child]))
            child++;
        game->steps++;
        /* The children of a parent are its part of the heap, filled up to count. NOLINTNEXTLINE(clang-analyzer-security.ArrayBound,clang-analyzer-core.CallAndMessage) */
        if (!before(game, heap[child], moved))
            break;
        heap[index] = heap[child];
        game->place[heap[index]] = index;
        index = child;
    }
    heap[index] = moved;
    game->place[moved] = index;
}

static void sift_up(Game *game, int32_t parent, int32_t index)
{
    int32_t *heap = game->heap + game->first[parent], moved = heap[index];
    while (index > 0) {
        int32_t above = (index - 1) / 2;
        if (!before(game, moved, heap[above]))
            break;
        heap[index] = heap[above];
        game->place[heap[index]] = index;
        index = above;
    }
    heap[index] = moved;
    game->place[moved] = index;
}

static int game_init(Game *game)
{
    size_t n = (size_t)(game->n ? game->n : 1);
    game->weight = malloc(n * sizeof *game->weight);
    game->full_weight = malloc(n * sizeof *game->full_weight);
    game->first = malloc((n + 1) * sizeof *game->first);
    game->count = malloc(n * sizeof *game->count);
    game->full_count = calloc(n, sizeof *game->full_count);
    game->heap = malloc(n * sizeof *game->heap);
    game->place = malloc(n * sizeof *game->place);
    game->stack = malloc(n * sizeof *game->stack);
    if (!game->weight || !game->full_weight || !game->first || !game->count || !game->full_count ||
        !game->heap || !game->place || !game->stack)
        return -1;
    for (Py_ssize_t v = 0; v < game->n; v++)
        game->full_weight[v] = game->own[v];
    for (Py_ssize_t v = game->n - 1; v > 0; v--) {
        game->full_weight[game->parent[v]] += game->full_weight[v];
        game->full_count[game->parent[v]]++;
    }
    int32_t next = 0;
    for (Py_ssize_t v = 0; v < game->n; v++) {
        game->first[v] = next;
        next += game->full_count[v];
    }
    return 0;
}

static void game_reset(Game *game)
{
    memcpy(game->weight, game->full_weight, (size_t)game->n * sizeof *game->weight);
    memset(game->count, 0, (size_t)game->n * sizeof *game->count);
    for (Py_ssize_t v = 1; v < game->n; v++) {
        int32_t parent = game->parent[v];
        game->heap[game->first[parent] + game->count[parent]] = (int32_t)v;
        game->place[v] = game->count[parent]++;
    }
    for (Py_ssize_t v = 0; v < game->n; v++)
        for (int32_t i = game->count[v] / 2 - 1; i >= 0; i--)
            sift_down(game, (int32_t)v, i);
    game->steps += game->n;
}

static inline double lines_of(const Game *game, int32_t v)
{
    return game->cost != NULL ? game->cost[v] : 1;
}

/* With weights of zero a sibling may split as evenly as the chosen node: the smaller one is taken. */
static int32_t smaller_twin(const Game *game, int32_t chosen, double below, double distance)
{
    int32_t parent = game->parent[chosen];
    const int32_t *heap = game->heap + game->first[parent];
    for (int32_t i = 0; i < game->count[parent]; i++)
        if (heap[i] < chosen && fabs(key(game, heap[i]) - below) == distance)
            chosen = heap[i];
    return chosen;
}

static int32_t pick(Game *game, int32_t root)
{
    double below = game->weight[root] - game->own[root], best_distance = 0;
    int32_t best = -1, at = root;
    while (game->count[at] > 0) {
        int32_t child = game->heap[game->first[at]];
        double excess = key(game, child) - below, distance = fabs(excess);
        game->steps++;
        if (best < 0 || distance < best_distance) {
            best = child;
            best_distance = distance;
        }
        if (excess <= 0)
            break;
        at = child;
    }
    return game->own[best] == 0 ? smaller_twin(game, best, below, best_distance) : best;
}

static void split_off(Game *game, int32_t root, int32_t v)
{
    int32_t parent = game->parent[v], hole = game->place[v];
    int32_t *heap = game->heap + game->first[parent];
    int32_t last = --game->count[parent];
    if (hole < last) {
        heap[hole] = heap[last];
        game->place[heap[hole]] = hole;
        sift_down(game, parent, hole);
        sift_up(game, parent, game->place[heap[hole]]);
    }
    double gone = game->weight[v];
    for (int32_t at = parent; at != root; at = game->parent[at]) {
        game->weight[at] -= gone;
        sift_down(game, game->parent[at], game->place[at]);
        game->steps++;
    }
    game->weight[root] -= gone;
}

/* The total when `asked` is the first question (-1: the greedy one); negative: out of budget. */
static double play(Game *game, int32_t asked)
{
    double total = 0;
    Py_ssize_t depth = 0;
    game->lines = 0;
    game_reset(game);
    game->stack[depth++] = 0;
    while (depth > 0) {
        int32_t root = game->stack[--depth];
        while (game->count[root] > 0) {
            if (game->budget && game->steps > game->budget)
                return -1;
            int32_t v = asked >= 0 ? asked : pick(game, root);
            asked = -1;
            total += game->weight[root];
            game->lines += game->weight[root] * lines_of(game, v);
            split_off(game, root, v);
            game->stack[depth++] = v;
        }
    }
    return total;
}

/* The candidates of lookahead: the nearest to an even split, and the heaviest off the heavy path. */
typedef struct {
    int32_t *nodes;
    int count;
} Candidates;

static void add(Candidates *found, int32_t node)
{
    for (int i = 0; i < found->count; i++)
        if (found->nodes[i] == node)
            return;
    found->nodes[found->count++] = node;
}

static int32_t nearest_but(const Game *game, const Candidates *found, double below)
{
    int32_t best = -1;
    double best_distance = 0;
    for (int32_t v = 1; v < game->n; v++) {
        double distance = fabs(2 * game->full_weight[v] - game->own[v] - below);
        if (best >= 0 && distance >= best_distance)
            continue;
        int known = 0;
        for (int i = 0; i < found->count; i++)
            known |= found->nodes[i] == v;
        if (!known) {
            best = v;
            best_distance = distance;
        }
    }
    return best;
}

static int is_among(const Candidates *found, int32_t node)
{
    for (int i = 0; i < found->count; i++)
        if (found->nodes[i] == node)
            return 1;
    return 0;
}

/* Adds the shortest questions among those that tell nearly as much as the first candidate, the greedy one; unless all
 * costs are equal: then the others are as good. */
static void add_shortest(const Game *game, Candidates *found, double below, int how_many)
{
    int32_t even = found->nodes[0];
    double most = enough(fabs(2 * game->full_weight[even] - game->own[even] - below), below);
    int differ = 0;
    for (int32_t v = 2; v < game->n && !differ; v++)
        differ = game->cost[v] != game->cost[1];
    for (int i = 0; i < how_many && differ; i++) {
        Short best = {-1, 0, 0};
        for (int32_t v = 1; v < game->n; v++) {
            double distance = fabs(2 * game->full_weight[v] - game->own[v] - below);
            if (distance <= most && is_shorter(&best, distance, game->cost[v]) && !is_among(found, v))
                best = (Short){v, distance, game->cost[v]};
        }
        if (best.node < 0)
            return;
        add(found, (int32_t)best.node);
    }
}

static void add_heaviest_off_path(const Game *game, Candidates *found, int how_many)
{
    uint8_t *on_path = (uint8_t *)game->place; /* not needed between games, like the stack */
    int32_t *heavy = game->stack;
    memset(on_path, 0, (size_t)game->n);
    for (int32_t v = 0; v < game->n; v++)
        heavy[v] = -1;
    for (int32_t v = (int32_t)game->n - 1; v > 0; v--) {
        int32_t *child = &heavy[game->parent[v]];
        if (*child < 0 || game->full_weight[v] >= game->full_weight[*child])
            *child = v;
    }
    for (int32_t v = 0; v >= 0; v = heavy[v])
        on_path[v] = 1;
    for (int i = 0; i < how_many; i++) {
        int32_t best = -1;
        for (int32_t v = 1; v < game->n; v++)
            if (!on_path[v] && (best < 0 || game->full_weight[v] > game->full_weight[best]))
                best = v;
        if (best < 0)
            return;
        on_path[best] = 1;
        add(found, best);
    }
}

static int get_game(Pool *pool, PyObject *parents, PyObject *owns, Game *game)
{
    Py_ssize_t n = -1;
    memset(game, 0, sizeof *game);
    if ((game->parent = column(pool, parents, 4, &n)) == NULL ||
        (game->own = column(pool, owns, 8, &n)) == NULL)
        return -1;
    if (n == 0 || game->parent[0] != -1) {
        PyErr_SetString(PyExc_ValueError, "a compact tree begins with its root");
        return -1;
    }
    for (Py_ssize_t v = 1; v < n; v++)
        if (game->parent[v] < 0 || game->parent[v] >= v) {
            PyErr_Format(PyExc_ValueError, "node %zd has parent %d", v, (int)game->parent[v]);
            return -1;
        }
    game->n = n;
    if (game_init(game) < 0) {
        PyErr_NoMemory();
        return -1;
    }
    return 0;
}

/* greedy_total(parent, own, asked) -> the total of Optimal D&Q. */
static PyObject *greedy_total(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *parents, *owns, *result = NULL;
    int asked;
    if (!PyArg_ParseTuple(args, "OOi", &parents, &owns, &asked))
        return NULL;
    Pool pool = {.count = 0};
    Game game = {0};
    if (get_game(&pool, parents, owns, &game) == 0) {
        if (asked == 0 || asked >= game.n)
            PyErr_Format(PyExc_ValueError, "node %d cannot be asked", asked);
        else
            result = PyFloat_FromDouble(play(&game, asked));
    }
    game_free(&game);
    release(&pool);
    return result;
}

/* lookahead(parent, own, near, off_path, budget[, cost, shortest]) -> (node, total, complete)
 *
 * Scores the candidates by playing greedily after each; the greedy question wins ties. With a budget
 * of steps, what is not scored in time is left out: complete tells. With a column of costs, the one with the fewest lines to read
 * is chosen among those with about as few questions, and so many more candidates are short questions. */
static PyObject *lookahead(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *parents, *owns, *costs = NULL, *result = NULL;
    int near, off_path, shortest = 0;
    Py_ssize_t budget;
    if (!PyArg_ParseTuple(args, "OOiin|Oi", &parents, &owns, &near, &off_path, &budget, &costs, &shortest))
        return NULL;
    Pool pool = {.count = 0};
    Game game = {0};
    Candidates found = {NULL, 0};
    double *totals = NULL, *lines;
    if (get_game(&pool, parents, owns, &game) < 0)
        goto done;
    if (costs != NULL && (game.cost = column(&pool, costs, 2, &game.n)) == NULL)
        goto done;
    size_t room = (size_t)(near + off_path + shortest + 1);
    found.nodes = malloc(room * sizeof *found.nodes);
    totals = malloc(2 * room * sizeof *totals);
    lines = totals + room;
    if (found.nodes == NULL || totals == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    if (game.n < 2) {
        result = Py_BuildValue("(idO)", -1, 0.0, Py_True);
        goto done;
    }
    game_reset(&game);
    add(&found, pick(&game, 0));
    double below = game.full_weight[0] - game.own[0];
    while (found.count < near) {
        int32_t next = nearest_but(&game, &found, below);
        if (next < 0)
            break;
        add(&found, next);
    }
    add_heaviest_off_path(&game, &found, off_path);
    if (game.cost != NULL)
        add_shortest(&game, &found, below, shortest);
    int32_t best = found.nodes[0];
    int complete = 1, scored = 0;
    double best_total = -1, best_lines = -1, least = -1;
    game.steps = 0;
    game.budget = budget;
    for (; scored < found.count; scored++) {
        double total = play(&game, found.nodes[scored]);
        if (total < 0) {
            complete = 0;
            break;
        }
        totals[scored] = total;
        lines[scored] = game.lines;
        least = least < 0 || total < least ? total : least;
    }
    for (int i = 0; i < scored; i++) {
        int is_better = game.cost == NULL
                            ? best_total < 0 || totals[i] < best_total
                            : totals[i] <= ABOUT * least && (best_lines < 0 || lines[i] < best_lines);
        if (is_better) {
            best = found.nodes[i];
            best_total = totals[i];
            best_lines = lines[i];
        }
    }
    result = Py_BuildValue("(idO)", (int)best, best_total, complete ? Py_True : Py_False);
done:
    free(totals);
    free(found.nodes);
    game_free(&game);
    release(&pool);
    return result;
}

PyMethodDef greedy_methods[] = {
    {"greedy_total", greedy_total, METH_VARARGS, "Total of questions of Optimal D&Q."},
    {"lookahead", lookahead, METH_VARARGS, "The best of a few candidates by greedy completion."},
    {NULL, NULL, 0, NULL},
};
