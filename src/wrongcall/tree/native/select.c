/* Weights of subtrees, and the choice of a question by one pass over the suspects.
 *
 * All choices return the smallest admissible node, or -1 if there is no suspect below the root. A
 * cut node is jumped over; a subtree that cannot hold a better question is jumped over too.
 */
#include "kernels.h"

/* weights(view, out) -> total weight of the nodes below the root of the search.
 *
 * Below a cut node the sums are of no use; no choice looks at them. */
static PyObject *weights(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *tuple, *outs, *result = NULL;
    if (!PyArg_ParseTuple(args, "O!O", &PyTuple_Type, &tuple, &outs))
        return NULL;
    Pool pool = {.count = 0};
    View view;
    double *out, total = 0;
    if (get_view(&pool, tuple, &view) < 0 || (out = writable(&pool, outs, 8, &view.count)) == NULL)
        goto done;
    memset(out + view.first, 0, (size_t)(view.last - view.first) * sizeof *out);
    for (Py_ssize_t v = view.last - 1; v >= view.first; v--) {
        int code = code_of(&view, v);
        if (code == CUT) {
            out[v] = 0;
            continue;
        }
        if (code == ASK)
            out[v] += own_of(&view, v);
        if (view.parent[v] >= view.first)
            out[view.parent[v]] += out[v];
        else
            total += out[v];
    }
    result = PyFloat_FromDouble(total);
done:
    release(&pool);
    return result;
}

/* What a choice looks at: the next kept node, from v on. */
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

static Py_ssize_t choose_first(const View *view, const double *weight, double total, double below)
{
    return next_kept(view, view->first, view->last);
}

/* The first in postorder: from each kept node to the first one below it. */
static Py_ssize_t choose_leaf(const View *view, const double *weight, double total, double below)
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

static Py_ssize_t choose_heaviest(const View *view, const double *weight, double total, double below)
{
    Py_ssize_t best = -1;
    for (Py_ssize_t v = next_kept(view, view->first, view->last); v >= 0;
         v = next_kept(view, view->end[v], view->last))
        if (best < 0 || weight[v] > weight[best])
            best = v;
    return best;
}

/* Nearest to half. Below a node that weighs at most half nothing is nearer. */
static Py_ssize_t choose_nearest(const View *view, const double *weight, double total, double below)
{
    Py_ssize_t best = -1;
    double best_distance = 0;
    Py_ssize_t v = next_kept(view, view->first, view->last);
    while (v >= 0) {
        double excess = 2 * weight[v] - total, distance = fabs(excess);
        if (best < 0 || distance < best_distance) {
            best = v;
            best_distance = distance;
        }
        v = next_kept(view, excess <= 0 ? view->end[v] : v + 1, view->last);
    }
    return best;
}

/* Optimal D&Q: what lies below v and what lies outside, as equal as can be. Going down, twice the
 * weight less the node's own never grows, so the same jump is right. */
static Py_ssize_t choose_optimal(const View *view, const double *weight, double total, double below)
{
    Py_ssize_t best = -1;
    double best_distance = 0;
    Py_ssize_t v = next_kept(view, view->first, view->last);
    while (v >= 0) {
        double excess = 2 * weight[v] - own_of(view, v) - below, distance = fabs(excess);
        if (best < 0 || distance < best_distance) {
            best = v;
            best_distance = distance;
        }
        v = next_kept(view, excess <= 0 ? view->end[v] : v + 1, view->last);
    }
    return best;
}

static Py_ssize_t choose_shapiro(const View *view, const double *weight, double total, double below)
{
    Py_ssize_t best = -1, lightest = -1;
    Py_ssize_t v = next_kept(view, view->first, view->last);
    while (v >= 0) {
        int fits = 2 * weight[v] <= total;
        if (fits && (best < 0 || weight[v] > weight[best]))
            best = v;
        if (lightest < 0 || weight[v] < weight[lightest])
            lightest = v;
        v = next_kept(view, fits ? view->end[v] : v + 1, view->last);
    }
    return best >= 0 ? best : lightest;
}

typedef Py_ssize_t (*Choice)(const View *, const double *, double, double);

/* choice(view, weight, total, below): weight may be None where it is not looked at. */
static PyObject *choose(PyObject *args, Choice choice, int weighs)
{
    PyObject *tuple, *weight_column, *result = NULL;
    double total, below;
    if (!PyArg_ParseTuple(args, "O!Odd", &PyTuple_Type, &tuple, &weight_column, &total, &below))
        return NULL;
    Pool pool = {.count = 0};
    View view;
    const double *weight = NULL;
    if (get_view(&pool, tuple, &view) < 0 ||
        (weighs && (weight = column(&pool, weight_column, 8, &view.count)) == NULL))
        goto done;
    result = PyLong_FromSsize_t(choice(&view, weight, total, below));
done:
    release(&pool);
    return result;
}

#define CHOICE(name, weighs)                                                                             \
    static PyObject *py_##name(PyObject *Py_UNUSED(module), PyObject *args)                              \
    {                                                                                                    \
        return choose(args, name, weighs);                                                               \
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
    {"weights", weights, METH_VARARGS, "Weights of the subtrees."},
    {"choose_first", py_choose_first, METH_VARARGS, "First in preorder."},
    {"choose_leaf", py_choose_leaf, METH_VARARGS, "First in postorder."},
    {"choose_heaviest", py_choose_heaviest, METH_VARARGS, "Heaviest child."},
    {"choose_nearest", py_choose_nearest, METH_VARARGS, "Nearest to half."},
    {"choose_optimal", py_choose_optimal, METH_VARARGS, "Below and outside most equal."},
    {"choose_shapiro", py_choose_shapiro, METH_VARARGS, "Heaviest of at most half."},
    {"choose_diverse", choose_diverse, METH_VARARGS, "Child with the most functions below."},
    {NULL, NULL, 0, NULL},
};
