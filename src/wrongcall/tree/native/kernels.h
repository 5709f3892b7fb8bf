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

static inline int code_of(const View *view, Py_ssize_t node)
{
    return view->table[view->state[node]];
}

static inline double own_of(const View *view, Py_ssize_t node)
{
    if (view->own != NULL)
        return view->own[node];
    if (view->class_of != NULL)
        return view->by_class[view->class_of[node]];
    return 1.0;
}

/* Which question is short, among those that tell about as much as the best one.
 *
 * With what lies below it and what lies outside at a distance d (0: as much here as there, 1: all on one
 * side) an answer brings H((1 - d) / 2) bits, for which (1 - d^2)^(3/4) is a good measure. A question tells *nearly as
 * much* as another one if it brings at least ENOUGH of that. Of questions that cost the same, the more even one is better,
 * so that with equal costs the choice is exactly that of Optimal D&Q. */
#define ENOUGH 0.9

/* The largest distance at which a question still tells nearly as much as one at this distance. */
static inline double enough(double distance, double below)
{
    double d = below > 0 ? distance / below : 0, even = d < 1 ? 1 - d * d : 0;
    double least = even * pow(ENOUGH, 4.0 / 3.0);
    return fmax(distance, sqrt(1 - least) * below);
}

typedef struct {
    Py_ssize_t node; /* -1: none yet */
    double distance;
    uint16_t lines;
} Short;

static inline int is_shorter(const Short *best, double distance, uint16_t lines)
{
    if (best->node < 0 || lines < best->lines)
        return 1;
    return lines == best->lines && distance < best->distance;
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
extern PyMethodDef chains_methods[];

#endif
