/* The effective tree: the nodes that can be asked, with the nearest kept ancestor as parent. */
#include "kernels.h"

typedef struct {
    int32_t index;
    int32_t end;
} Open;

static Py_ssize_t count_kept(const View *view)
{
    Py_ssize_t kept = 0, v = view->first;
    while (v < view->last) {
        int code = code_of(view, v);
        kept += code == ASK;
        v = code == CUT ? view->end[v] : v + 1;
    }
    return kept;
}

/* compact(view) -> (nodes, parent, own), as bytes. Entry 0 stands for the root of the search: node
 * first - 1, parent -1, weight 0 (the caller knows what it weighs). */
static PyObject *compact(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *tuple, *result = NULL, *nodes = NULL, *parents = NULL, *owns = NULL;
    if (!PyArg_ParseTuple(args, "O!", &PyTuple_Type, &tuple))
        return NULL;
    Pool pool = {.count = 0};
    View view;
    Open *open = NULL;
    if (get_view(&pool, tuple, &view) < 0)
        goto done;
    Py_ssize_t kept = count_kept(&view) + 1;
    nodes = PyBytes_FromStringAndSize(NULL, kept * 4);
    parents = PyBytes_FromStringAndSize(NULL, kept * 4);
    owns = PyBytes_FromStringAndSize(NULL, kept * 8);
    open = malloc((size_t)kept * sizeof *open);
    if (nodes == NULL || parents == NULL || owns == NULL || open == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    int32_t *node = (int32_t *)PyBytes_AS_STRING(nodes), *parent = (int32_t *)PyBytes_AS_STRING(parents);
    double *own = (double *)PyBytes_AS_STRING(owns);
    node[0] = (int32_t)(view.first - 1);
    parent[0] = -1;
    own[0] = 0;
    Py_ssize_t depth = 0;
    int32_t filled = 1;
    open[0] = (Open){0, (int32_t)view.last};
    for (Py_ssize_t v = view.first; v < view.last;) {
        int code = code_of(&view, v);
        if (code == ASK) {
            while (v >= open[depth].end)
                depth--;
            node[filled] = (int32_t)v;
            parent[filled] = open[depth].index;
            own[filled] = own_of(&view, v);
            assert(depth + 1 < kept); /* the first pass counted the nodes */
            open[++depth] = (Open){filled++, view.end[v]};
        }
        v = code == CUT ? view.end[v] : v + 1;
    }
    result = PyTuple_Pack(3, nodes, parents, owns);
done:
    free(open);
    Py_XDECREF(nodes);
    Py_XDECREF(parents);
    Py_XDECREF(owns);
    release(&pool);
    return result;
}

/* mark_kept(view, flags): sets the flag of each node that can be asked: those that `compact` returns. */
static PyObject *mark_kept(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *tuple, *flags, *result = NULL;
    if (!PyArg_ParseTuple(args, "O!O", &PyTuple_Type, &tuple, &flags))
        return NULL;
    Pool pool = {.count = 0};
    View view;
    uint8_t *kept;
    if (get_view(&pool, tuple, &view) < 0 || (kept = writable(&pool, flags, 1, &view.count)) == NULL)
        goto done;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t v = view.first; v < view.last;) {
        int code = code_of(&view, v);
        kept[v] = code == ASK;
        v = code == CUT ? view.end[v] : v + 1;
    }
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    release(&pool);
    return result;
}

/* pruned_classes(end, state, right, class_of, counts): counts, for each class, the nodes in the
 * subtrees of nodes whose state is marked in the table `right`. */
static PyObject *pruned_classes(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *ends, *states, *tables, *classes, *counts, *result = NULL;
    if (!PyArg_ParseTuple(args, "OOOOO", &ends, &states, &tables, &classes, &counts))
        return NULL;
    Pool pool = {.count = 0};
    Py_ssize_t n = -1, codes = 256, size = -1;
    const int32_t *end, *class_of;
    const uint8_t *state, *right;
    int64_t *count;
    if ((end = column(&pool, ends, 4, &n)) == NULL || (state = column(&pool, states, 1, &n)) == NULL ||
        (right = column(&pool, tables, 1, &codes)) == NULL ||
        (class_of = column(&pool, classes, 4, &n)) == NULL ||
        (count = writable(&pool, counts, 8, &size)) == NULL)
        goto done;
    for (Py_ssize_t v = 0; v < n;) {
        if (!right[state[v]]) {
            v++;
            continue;
        }
        for (Py_ssize_t last = end[v]; v < last; v++)
            if (class_of[v] >= 0 && class_of[v] < size)
                count[class_of[v]]++;
    }
    result = Py_NewRef(Py_None);
done:
    release(&pool);
    return result;
}

/* replace_states(function, wanted, several, state, old, new): gives the calls of the wanted functions that
 * have the old state the new one. Groups that stand for several functions are left alone. */
static PyObject *replace_states(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *functions, *wanteds, *severals, *states, *result = NULL;
    unsigned char old, new;
    if (!PyArg_ParseTuple(args, "OOOObb", &functions, &wanteds, &severals, &states, &old, &new))
        return NULL;
    Pool pool = {.count = 0};
    Py_ssize_t n = -1, known = -1;
    const int32_t *function;
    const uint8_t *wanted, *several = NULL;
    uint8_t *state;
    if ((function = column(&pool, functions, 4, &n)) == NULL ||
        (wanted = column(&pool, wanteds, 1, &known)) == NULL ||
        (severals != Py_None && (several = column(&pool, severals, 1, &n)) == NULL) ||
        (state = writable(&pool, states, 1, &n)) == NULL)
        goto done;
    for (Py_ssize_t v = 0; v < n; v++)
        if ((state[v] & 0x7f) == old && function[v] >= 0 && function[v] < known && wanted[function[v]] &&
            (several == NULL || !several[v]))
            state[v] = (state[v] & 0x80) | new;
    result = Py_NewRef(Py_None);
done:
    release(&pool);
    return result;
}

PyMethodDef compact_methods[] = {
    {"replace_states", replace_states, METH_VARARGS, "Changes the states of the calls of functions."},
    {"compact", compact, METH_VARARGS, "The effective tree."},
    {"mark_kept", mark_kept, METH_VARARGS, "Which nodes are in the effective tree."},
    {"pruned_classes", pruned_classes, METH_VARARGS, "Classes of the nodes that were found right."},
    {NULL, NULL, 0, NULL},
};
