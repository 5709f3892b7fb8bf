/* What the kernels of the tree share.
 *
 * Vocabulary: nodes are numbered in preorder, so the subtree of v is [v, end[v]). A *code* says what
 * a node's state means for the search: it may be asked, or it is spliced (not asked, weighs nothing,
 * what is below it hangs from the nearest kept node above), or it is cut (gone with its subtree).
 * Weights are doubles: exact for whole numbers.
 */
#ifndef WRONGCALL_TREE_KERNELS_H
#define WRONGCALL_TREE_KERNELS_H

#include "pool.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ASK = 0, SPLICE = 1, CUT = 2 };

/* A tree with the states of its nodes, as seen by one search. Everything is borrowed from buffers. */
typedef struct {
    Py_ssize_t count;
    const int32_t *parent;
    const int32_t *end;
    const uint8_t *state;
    const uint8_t *table;    /* state -> code, 256 entries */
    const double *own;       /* NULL: every node weighs 1 */
    const int32_t *class_of; /* or: the weight of a node is by_class[class_of[node]] */
    const double *by_class;
    Py_ssize_t first, last; /* the nodes below the root of the search: [first, last) */
} View;

static inline int code_of(const View *view, Py_ssize_t node) { return view->table[view->state[node]]; }

static inline double own_of(const View *view, Py_ssize_t node)
{
    if (view->own != NULL)
        return view->own[node];
    if (view->class_of != NULL)
        return view->by_class[view->class_of[node]];
    return 1.0;
}

/* Fills the view from (parent, end, state, table, own, class_of, by_class, first, last). */
int get_view(Pool *pool, PyObject *tuple, View *view);

/* The methods, one table for each file. */
extern PyMethodDef order_methods[];
extern PyMethodDef select_methods[];
extern PyMethodDef compact_methods[];
extern PyMethodDef greedy_methods[];
extern PyMethodDef worst_methods[];
extern PyMethodDef optimum_methods[];
extern PyMethodDef balance_methods[];

#endif
