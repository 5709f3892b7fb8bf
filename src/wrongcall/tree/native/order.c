/* The order of the nodes: from a parent array in which callers come first to preorder. */
#include "kernels.h"

/* preorder(parent, position, end) -> bool
 *
 * Gives each node its position in preorder (siblings by number) and, indexed by position, where its
 * subtree ends. Returns whether the positions are the numbers themselves. */
static PyObject *preorder(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *parents, *positions, *ends;
    if (!PyArg_ParseTuple(args, "OOO", &parents, &positions, &ends))
        return NULL;
    Pool pool = {.count = 0};
    Py_ssize_t n = -1;
    const int32_t *parent;
    int32_t *position, *end, *next = NULL;
    PyObject *result = NULL;
    if ((parent = column(&pool, parents, 4, &n)) == NULL ||
        (position = writable(&pool, positions, 4, &n)) == NULL ||
        (end = writable(&pool, ends, 4, &n)) == NULL)
        goto done;
    next = malloc((size_t)(n ? n : 1) * sizeof *next); /* first the sizes, then the next free place */
    if (next == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    for (Py_ssize_t v = 0; v < n; v++) {
        if (parent[v] >= v || parent[v] < -1) {
            PyErr_Format(PyExc_ValueError, "node %zd has parent %d: a caller comes before its calls", v,
                         (int)parent[v]);
            goto done;
        }
        next[v] = 1;
    }
    for (Py_ssize_t v = n - 1; v >= 0; v--)
        if (parent[v] >= 0)
            next[parent[v]] += next[v];
    int32_t top = 0;
    int same = 1;
    for (Py_ssize_t v = 0; v < n; v++) {
        int32_t *slot = parent[v] >= 0 ? &next[parent[v]] : &top;
        int32_t here = *slot, size = next[v];
        *slot = here + size;
        position[v] = here;
        end[here] = here + size;
        next[v] = here + 1;
        same &= here == v;
    }
    result = PyBool_FromLong(same);
done:
    free(next);
    release(&pool);
    return result;
}

/* levels(parent, left_out, level): how many nodes are above each node, without those with a flag in `left_out`
 * (None: all count). */
static PyObject *levels(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *parents, *flags, *out, *result = NULL;
    if (!PyArg_ParseTuple(args, "OOO", &parents, &flags, &out))
        return NULL;
    Pool pool = {.count = 0};
    Py_ssize_t n = -1, wrong = -1;
    const int32_t *parent;
    const uint8_t *left_out = NULL;
    int32_t *level;
    if ((parent = column(&pool, parents, 4, &n)) == NULL ||
        (flags != Py_None && (left_out = column(&pool, flags, 1, &n)) == NULL) ||
        (level = writable(&pool, out, 4, &n)) == NULL)
        goto done;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t v = 0; v < n && wrong < 0; v++) {
        int32_t above = parent[v];
        if (above >= v)
            wrong = v;
        else if (above < 0)
            level[v] = 0;
        else
            level[v] = level[above] + (left_out == NULL || !left_out[above]);
    }
    Py_END_ALLOW_THREADS
    if (wrong >= 0)
        PyErr_Format(PyExc_ValueError, "node %zd has parent %d: a caller comes before its calls", wrong,
                     (int)parent[wrong]);
    else
        result = Py_NewRef(Py_None);
done:
    release(&pool);
    return result;
}

PyMethodDef order_methods[] = {
    {"levels", levels, METH_VARARGS, "How many nodes are above each node."},
    {"preorder", preorder, METH_VARARGS, "Positions and ends in preorder."},
    {NULL, NULL, 0, NULL},
};
