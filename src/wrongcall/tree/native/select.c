/* Weights of subtrees, and the choice of a question by one pass over the suspects.
 *
 * In preorder the weight of a subtree is a difference of two running sums, so one forward pass is all
 * it takes, and only the nodes that a choice looks at are weighed. Sums of whole numbers are exact.
 *
 * All choices return the smallest admissible node, or -1 if there is no suspect below the root. A
 * cut node is jumped over; a subtree that cannot hold a better question is jumped over too.
 */
#include "kernels.h"

/* Running sums: sums[v] is the weight of all suspects before v. Not set inside of what is cut. */
typedef struct {
    const int32_t *whole; /* where every node weighs 1 */
    const double *real;   /* otherwise */
} Sums;

static int get_sums(Pool *pool, PyObject *object, const View *view, Sums *sums)
{
    Py_ssize_t length = view->count + 1;
    *sums = (Sums){NULL, NULL};
    if (view->own == NULL && view->class_of == NULL)
        return (sums->whole = column(pool, object, 4, &length)) == NULL ? -1 : 0;
    return (sums->real = column(pool, object, 8, &length)) == NULL ? -1 : 0;
}

static inline double weight_of(const View *view, const Sums *sums, Py_ssize_t v)
{
    if (sums->whole != NULL)
        return sums->whole[view->end[v]] - sums->whole[v];
    return sums->real[view->end[v]] - sums->real[v];
}

static double add_whole(const View *view, int32_t *out)
{
    int32_t sum = 0;
    Py_ssize_t v = view->first;
    while (v < view->last) {
        int code = code_of(view, v);
        out[v] = sum;
        sum += code == ASK;
        v = code == CUT ? view->end[v] : v + 1;
    }
    out[view->last] = sum;
    return sum;
}

static double add_real(const View *view, double *out)
{
    double sum = 0;
    Py_ssize_t v = view->first;
    while (v < view->last) {
        int code = code_of(view, v);
        out[v] = sum;
        if (code == ASK)
            sum += own_of(view, v);
        v = code == CUT ? view->end[v] : v + 1;
    }
    /* The column has one item more than there are nodes. NOLINTNEXTLINE(clang-analyzer-security.ArrayBound) */
    out[view->last] = sum;
    return sum;
}

/* sums(view, out) -> total weight of the nodes below the root of the search. The column out is one
 * longer than the others: of 32-bit integers where every node weighs 1, else of doubles. */
static PyObject *running_sums(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *tuple, *outs, *result = NULL;
    if (!PyArg_ParseTuple(args, "O!O", &PyTuple_Type, &tuple, &outs))
        return NULL;
    Pool pool = {.count = 0};
    View view;
    if (get_view(&pool, tuple, &view) < 0)
        goto done;
    int is_whole = view.own == NULL && view.class_of == NULL;
    Py_ssize_t length = view.count + 1;
    void *out = writable(&pool, outs, is_whole ? 4 : 8, &length);
    if (out != NULL)
        result = PyFloat_FromDouble(is_whole ? add_whole(&view, out) : add_real(&view, out));
done:
    release(&pool);
    return result;
}

/* The next kept node, from v on. */
static inline Py_ssize_t next_kept(const View *view, Py_ssize_t v, Py_ssize_t last)
{
    while (v < last) {
        int code = code_of(view, v);
        if (code == ASK)
            return v;
        v = code == CUT ? view->end[v] : v + 1;
    }
    return -1;
}

static Py_ssize_t choose_first(const View *view, const Sums *sums, double total, double below)
{
    return next_kept(view, view->first, view->last);
}

/* The first in postorder: from each kept node to the first one below it. */
static Py_ssize_t choose_leaf(const View *view, const Sums *sums, double total, double below)
{
    Py_ssize_t found = next_kept(view, view->first, view->last);
    while (found >= 0) {
        Py_ssize_t inner = next_kept(view, found + 1, view->end[found]);
        if (inner < 0)
            return found;
        found = inner;
    }
    return -1;
}

static Py_ssize_t choose_heaviest(const View *view, const Sums *sums, double total, double below)
{
    Py_ssize_t best = -1;
    double most = 0;
    for (Py_ssize_t v = next_kept(view, view->first, view->last); v >= 0;
         v = next_kept(view, view->end[v], view->last)) {
        double weight = weight_of(view, sums, v);
        if (best < 0 || weight > most) {
            best = v;
            most = weight;
        }
    }
    return best;
}

/* The node whose weight, twice, is nearest to a target; with `less_own` its own weight counts once.
 * Going down that never grows, so below a node that does not reach the target nothing is nearer. */
static inline Py_ssize_t nearest_to(const View *view, const Sums *sums, double target, int less_own)
{
    Py_ssize_t best = -1;
    double best_distance = 0;
    Py_ssize_t v = next_kept(view, view->first, view->last);
    while (v >= 0) {
        double own = less_own ? own_of(view, v) : 0;
        double excess = 2 * weight_of(view, sums, v) - own - target, distance = fabs(excess);
        if (best < 0 || distance < best_distance) {
            best = v;
            best_distance = distance;
        }
        v = next_kept(view, excess <= 0 ? view->end[v] : v + 1, view->last);
    }
    return best;
}

/* Nearest to half. */
static Py_ssize_t choose_nearest(const View *view, const Sums *sums, double total, double below)
{
    return nearest_to(view, sums, total, 0);
}

/* Optimal D&Q: the weights below v and outside of it are as equal as possible. */
static Py_ssize_t choose_optimal(const View *view, const Sums *sums, double total, double below)
{
    return nearest_to(view, sums, below, 1);
}

/* The shortest question among those that tell nearly as much as the most even one, see kernels.h. Going down from a node
 * that is not too heavy nothing gets more even, so below one that tells too little nothing is looked at. */
static Py_ssize_t choose_short(const View *view, const Sums *sums, double below, const uint16_t *cost)
{
    Py_ssize_t even = nearest_to(view, sums, below, 1);
    if (even < 0)
        return -1;
    double most = enough(fabs(2 * weight_of(view, sums, even) - own_of(view, even) - below), below);
    Short best = {-1, 0, 0};
    for (Py_ssize_t v = next_kept(view, view->first, view->last); v >= 0;) {
        double excess = 2 * weight_of(view, sums, v) - own_of(view, v) - below, distance = fabs(excess);
        if (distance <= most && is_shorter(&best, distance, cost[v]))
            best = (Short){v, distance, cost[v]};
        v = next_kept(view, -excess > most ? view->end[v] : v + 1, view->last);
    }
    return best.node;
}

/* choose_short(view, sums, total, below, cost) -> node: cost has the lines to read of each node. */
static PyObject *py_choose_short(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *tuple, *sums_column, *costs, *result = NULL;
    double total, below;
    if (!PyArg_ParseTuple(args, "O!OddO", &PyTuple_Type, &tuple, &sums_column, &total, &below, &costs))
        return NULL;
    Pool pool = {.count = 0};
    View view;
    Sums sums;
    const uint16_t *cost;
    if (get_view(&pool, tuple, &view) == 0 && get_sums(&pool, sums_column, &view, &sums) == 0 &&
        (cost = column(&pool, costs, 2, &view.count)) != NULL)
        result = PyLong_FromSsize_t(choose_short(&view, &sums, below, cost));
    release(&pool);
    return result;
}

static Py_ssize_t choose_shapiro(const View *view, const Sums *sums, double total, double below)
{
    Py_ssize_t best = -1, lightest = -1;
    double most = 0, least = 0;
    Py_ssize_t v = next_kept(view, view->first, view->last);
    while (v >= 0) {
        double weight = weight_of(view, sums, v);
        int fits = 2 * weight <= total;
        if (fits && (best < 0 || weight > most)) {
            best = v;
            most = weight;
        }
        if (lightest < 0 || weight < least) {
            lightest = v;
            least = weight;
        }
        v = next_kept(view, fits ? view->end[v] : v + 1, view->last);
    }
    return best >= 0 ? best : lightest;
}

typedef Py_ssize_t (*Choice)(const View *, const Sums *, double, double);

/* choice(view, sums, total, below): sums may be None where they are not looked at. */
static PyObject *choose(PyObject *args, Choice choice, int weighs)
{
    PyObject *tuple, *sums_column, *result = NULL;
    double total, below;
    if (!PyArg_ParseTuple(args, "O!Odd", &PyTuple_Type, &tuple, &sums_column, &total, &below))
        return NULL;
    Pool pool = {.count = 0};
    View view;
    Sums sums;
    if (get_view(&pool, tuple, &view) < 0 || (weighs && get_sums(&pool, sums_column, &view, &sums) < 0))
        goto done;
    result = PyLong_FromSsize_t(choice(&view, weighs ? &sums : NULL, total, below));
done:
    release(&pool);
    return result;
}

#define CHOICE(name, weighs)                                                                                 \
    static PyObject *py_##name(PyObject *Py_UNUSED(module), PyObject *args)                                  \
    {                                                                                                        \
        return choose(args, name, weighs);                                                                   \
    }

CHOICE(choose_first, 0)
CHOICE(choose_leaf, 0)
CHOICE(choose_heaviest, 1)
CHOICE(choose_nearest, 1)
CHOICE(choose_optimal, 1)
CHOICE(choose_shapiro, 1)

/* choose_diverse(view, function, functions): the child with the most distinct functions below. */
static PyObject *choose_diverse(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *tuple, *function_column, *result = NULL;
    Py_ssize_t functions;
    if (!PyArg_ParseTuple(args, "O!On", &PyTuple_Type, &tuple, &function_column, &functions))
        return NULL;
    Pool pool = {.count = 0};
    View view;
    const int32_t *function;
    int32_t *seen = NULL;
    if (get_view(&pool, tuple, &view) < 0 ||
        (function = column(&pool, function_column, 4, &view.count)) == NULL)
        goto done;
    seen = malloc((size_t)(functions > 0 ? functions : 1) * sizeof *seen);
    if (seen == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    for (Py_ssize_t f = 0; f < functions; f++)
        seen[f] = -1;
    Py_ssize_t best = -1, most = -1;
    for (Py_ssize_t child = next_kept(&view, view.first, view.last); child >= 0;
         child = next_kept(&view, view.end[child], view.last)) {
        Py_ssize_t distinct = 0;
        for (Py_ssize_t v = child; v >= 0; v = next_kept(&view, v + 1, view.end[child])) {
            int32_t f = function[v];
            if (f < 0 || f >= functions) {
                PyErr_Format(PyExc_ValueError, "node %zd has function %d of %zd", v, (int)f, functions);
                goto done;
            }
            /* f is below functions, as checked. NOLINTNEXTLINE(clang-analyzer-security.ArrayBound) */
            distinct += seen[f] != (int32_t)child;
            seen[f] = (int32_t)child;
        }
        if (distinct > most) {
            best = child;
            most = distinct;
        }
    }
    result = PyLong_FromSsize_t(best);
done:
    free(seen);
    release(&pool);
    return result;
}

PyMethodDef select_methods[] = {
    {"running_sums", running_sums, METH_VARARGS, "Weights as running sums."},
    {"choose_first", py_choose_first, METH_VARARGS, "First in preorder."},
    {"choose_leaf", py_choose_leaf, METH_VARARGS, "First in postorder."},
    {"choose_heaviest", py_choose_heaviest, METH_VARARGS, "Heaviest child."},
    {"choose_nearest", py_choose_nearest, METH_VARARGS, "Nearest to half."},
    {"choose_optimal", py_choose_optimal, METH_VARARGS, "Below and outside most equal."},
    {"choose_shapiro", py_choose_shapiro, METH_VARARGS, "Heaviest of at most half."},
    {"choose_short", py_choose_short, METH_VARARGS, "The shortest of those that tell nearly as much."},
    {"choose_diverse", choose_diverse, METH_VARARGS, "Child with the most functions below."},
    {NULL, NULL, 0, NULL},
};
