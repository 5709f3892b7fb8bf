/* The strategy with the fewest questions in the worst case.
 *
 * A question about v cuts the edge above v, so this is searching a tree by edges: give each edge a
 * *label* such that between two edges with the same label there is one with a larger label; asking
 * the largest label first needs at most (largest label + 1) questions. Going up from the leaves, each
 * node gets the lexicographically smallest set of *visible* labels (those with no larger one on the
 * way up), which is known to be optimal.
 *
 * At a node with children c, each edge to c gets a label that is not visible at c; it hides the
 * visible labels of c below it. All that is then visible at the node must be different. So, from the
 * largest clash v (two children show v; at last, v = -1: an edge has no label yet): take the smallest
 * label w > v that nobody shows. If some child shows a label of its own between v and w, the child
 * with the largest such label is moved up to w and its smaller labels are free again. Otherwise w goes
 * to one of those that clash, the one that shows most below.
 *
 * The cell of a label is the node below its edge. Lists of cells rise, and the part of the longest
 * list above everything that is looked at is shared with the list of the parent: linear in practice.
 */
#include "kernels.h"

typedef struct {
    int32_t value;
    int32_t cell;
    int32_t child; /* whose label it is: position among the children */
    int32_t next;  /* the next element with the same value */
} Element;

typedef struct {
    int32_t n;
    const int32_t *parent;
    int32_t *value, *next, *head, *top; /* by node; top: the cell of its largest visible label */
    int32_t *first, *children;
    /* Scratch, by value. */
    int32_t *shown, *bucket, *cell_at;
    uint8_t *taken;
    /* Scratch, by position among the children of the node at hand. */
    int32_t *label, *start, *length, *order;
    Element *elements;
    int32_t element_count, element_room;
    /* The node at hand. */
    int32_t long_child, long_cell; /* the child with the longest list, and what is not yet unpacked */
    int32_t clash, free_label, between, unlabelled;
} Search;

static Search *sorting; /* qsort has no context; the interpreter's lock is held */

static int32_t top_value(const Search *s, int32_t node)
{
    return s->top[node] < 0 ? -1 : s->value[s->top[node]];
}

static int push(Search *s, int32_t cell, int32_t child)
{
    if (s->element_count == s->element_room) {
        int32_t room = s->element_room * 2;
        Element *larger = realloc(s->elements, (size_t)room * sizeof *larger);
        if (larger == NULL)
            return -1;
        s->elements = larger;
        s->element_room = room;
    }
    int32_t value = s->value[cell], index = s->element_count++;
    s->elements[index] = (Element){value, cell, child, s->bucket[value]};
    s->bucket[value] = index;
    s->shown[value]++;
    return 0;
}

static int is_free(Search *s, int32_t value)
{
    if (s->long_cell >= 0 && s->value[s->long_cell] == value) {
        int32_t cell = s->long_cell;
        s->long_cell = s->next[cell];
        if (push(s, cell, s->long_child) < 0)
            return -1;
        s->length[s->long_child]++;
    }
    return s->shown[value] == 0 && !s->taken[value];
}

/* Elements of the long child are the last ones pushed; those of a child rise. */
static const Element *element(const Search *s, int32_t child, int32_t i)
{
    return &s->elements[s->start[child] + i];
}

static void relabel(Search *s, int32_t child, int32_t label)
{
    int32_t old = s->label[child], lowest = label;
    if (old < 0)
        s->unlabelled--;
    else {
        s->taken[old] = 0;
        lowest = old;
    }
    for (int32_t i = 0; i < s->length[child]; i++) {
        int32_t value = element(s, child, i)->value;
        if (value >= label)
            break;
        if (value < old)
            continue;
        s->shown[value]--;
        if (value > s->clash) {
            s->between--;
            if (value < lowest)
                lowest = value;
        }
    }
    s->label[child] = label;
    s->taken[label] = 1;
    for (int32_t value = lowest + 1; value < label; value++)
        s->between -= s->shown[value] > 0;
    s->free_label = lowest < label ? lowest : label + 1;
}

/* The child that shows `value`, alone. */
static int32_t shower(const Search *s, int32_t value)
{
    int32_t index = s->bucket[value];
    while (s->label[s->elements[index].child] > value)
        index = s->elements[index].next;
    return s->elements[index].child;
}

/* Gives one more label; the one that clashes is used if there is nothing to move up. */
static int settle(Search *s, int32_t clashing)
{
    for (;;) {
        int free_here = is_free(s, s->free_label);
        if (free_here < 0)
            return -1;
        if (free_here)
            break;
        s->between += s->shown[s->free_label] > 0;
        s->free_label++;
    }
    int32_t label = s->free_label;
    if (s->between > 0) {
        int32_t value = label - 1;
        while (s->shown[value] == 0)
            value--;
        relabel(s, shower(s, value), label);
    } else
        relabel(s, clashing, label);
    return 0;
}

/* More below the clash comes first. */
static int by_rest(const void *left, const void *right)
{
    const Search *s = sorting;
    int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    int32_t i = s->length[a] - 1, j = s->length[b] - 1;
    while (i >= 0 && element(s, a, i)->value >= s->clash)
        i--;
    while (j >= 0 && element(s, b, j)->value >= s->clash)
        j--;
    for (; i >= 0 && j >= 0; i--, j--) {
        int32_t difference = element(s, b, j)->value - element(s, a, i)->value;
        if (difference)
            return difference;
    }
    if (i >= 0 || j >= 0)
        return i >= 0 ? -1 : 1;
    return a - b;
}

static int resolve_clash(Search *s)
{
    int32_t count = 0;
    for (int32_t i = s->bucket[s->clash]; i >= 0; i = s->elements[i].next)
        if (s->label[s->elements[i].child] < 0)
            s->order[count++] = s->elements[i].child;
    if (count > 1) {
        sorting = s;
        qsort(s->order, (size_t)count, sizeof *s->order, by_rest);
    }
    int32_t at = 0;
    while (s->shown[s->clash] > 1) {
        while (s->label[s->order[at]] >= 0)
            at++;
        if (settle(s, s->order[at]) < 0)
            return -1;
    }
    return 0;
}

/* One step down: what was the clash now lies between. */
static void lower(Search *s)
{
    int32_t passed = s->clash--;
    if (passed < 0)
        return;
    if (s->shown[passed] > 0)
        s->between++;
    else {
        s->free_label = passed;
        s->between = 0;
    }
}

static int32_t unpack(Search *s, const int32_t *children, int32_t count)
{
    int32_t second = -1;
    s->element_count = 0;
    s->long_child = 0;
    for (int32_t i = 1; i < count; i++)
        if (top_value(s, children[i]) > top_value(s, children[s->long_child]))
            s->long_child = i;
    for (int32_t i = 0; i < count; i++) {
        s->label[i] = -1;
        if (i == s->long_child)
            continue;
        if (top_value(s, children[i]) > second)
            second = top_value(s, children[i]);
        s->start[i] = s->element_count;
        for (int32_t cell = s->head[children[i]]; cell >= 0; cell = s->next[cell])
            if (push(s, cell, i) < 0)
                return -2;
        s->length[i] = s->element_count - s->start[i];
    }
    int32_t cell = s->head[children[s->long_child]];
    s->start[s->long_child] = s->element_count;
    while (cell >= 0 && s->value[cell] <= second) {
        if (push(s, cell, s->long_child) < 0)
            return -2;
        cell = s->next[cell];
    }
    s->length[s->long_child] = s->element_count - s->start[s->long_child];
    s->long_cell = cell;
    return second;
}

/* Links what is visible into the list of the node, and cleans the scratch. */
static void pack(Search *s, int32_t node, const int32_t *children, int32_t count)
{
    int32_t highest = -1, top = -1;
    for (int32_t i = 0; i < s->element_count; i++) {
        const Element *each = &s->elements[i];
        s->bucket[each->value] = -1;
        s->shown[each->value] = 0;
        if (each->value > s->label[each->child]) {
            s->cell_at[each->value] = each->cell;
            if (each->value > highest)
                highest = each->value;
        }
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t label = s->label[i];
        s->value[children[i]] = label;
        s->taken[label] = 0;
        s->cell_at[label] = children[i];
        if (label > highest)
            highest = label;
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t cell = top_value(s, children[i]) > s->label[i] ? s->top[children[i]] : children[i];
        if (top < 0 || s->value[cell] > s->value[top])
            top = cell;
    }
    int32_t list = s->long_cell;
    for (int32_t value = highest; value >= 0; value--)
        if (s->cell_at[value] >= 0) {
            s->next[s->cell_at[value]] = list;
            list = s->cell_at[value];
            s->cell_at[value] = -1;
        }
    s->head[node] = list;
    s->top[node] = top;
}

static int join(Search *s, int32_t node, const int32_t *children, int32_t count)
{
    int32_t second = unpack(s, children, count);
    if (second < -1)
        return -1;
    s->unlabelled = count;
    s->between = 0;
    s->free_label = second + 1;
    for (s->clash = second; s->clash >= 0; lower(s))
        if (s->shown[s->clash] > 1 && resolve_clash(s) < 0)
            return -1;
    for (int32_t i = 0; s->unlabelled > 0;) {
        while (i < count && s->label[i] >= 0)
            i++;
        if (settle(s, i) < 0)
            return -1;
    }
    pack(s, node, children, count);
    return 0;
}

/* The only child: the lowest free label; a binary counter. */
static void extend(Search *s, int32_t node, int32_t child)
{
    int32_t label = 0, cell = s->head[child];
    while (cell >= 0 && s->value[cell] == label) {
        label++;
        cell = s->next[cell];
    }
    s->value[child] = label;
    s->next[child] = cell;
    s->head[node] = child;
    s->top[node] = cell >= 0 ? s->top[child] : child;
}

static int label_all(Search *s)
{
    for (int32_t v = s->n - 1; v >= 0; v--) {
        int32_t count = s->first[v + 1] - s->first[v];
        const int32_t *children = s->children + s->first[v];
        s->head[v] = s->top[v] = -1;
        if (count == 1)
            extend(s, v, children[0]);
        else if (count > 1 && join(s, v, children, count) < 0)
            return -1;
    }
    return 0;
}

static int allocate(Search *s)
{
    size_t n = (size_t)s->n + 2;
    int32_t *block = malloc(13 * n * sizeof *block);
    s->value = block; /* the owner of the block */
    s->taken = calloc(n, 1);
    s->element_room = 64;
    s->elements = malloc((size_t)s->element_room * sizeof *s->elements);
    if (block == NULL || s->taken == NULL || s->elements == NULL)
        return -1;
    int32_t **parts[] = {&s->next,   &s->head,  &s->top,    &s->first, &s->children, &s->shown,
                         &s->bucket, &s->cell_at, &s->label, &s->start, &s->length,   &s->order};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        *parts[i] = block + (i + 1) * n;
    memset(s->first, 0, n * sizeof *block);
    memset(s->shown, 0, n * sizeof *block);
    memset(s->bucket, -1, n * sizeof *block);
    memset(s->cell_at, -1, n * sizeof *block);
    return 0;
}

static void find_children(Search *s)
{
    for (int32_t v = 1; v < s->n; v++)
        s->first[s->parent[v] + 1]++;
    for (int32_t v = 0; v < s->n; v++)
        s->first[v + 1] += s->first[v];
    for (int32_t v = 1; v < s->n; v++)
        s->children[s->first[s->parent[v]]++] = v;
    for (int32_t v = s->n; v > 0; v--)
        s->first[v] = s->first[v - 1];
    s->first[0] = 0;
}

/* worst_case(parent) -> (first question or -1, number of questions in the worst case) */
static PyObject *worst_case(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *parents, *result = NULL;
    if (!PyArg_ParseTuple(args, "O", &parents))
        return NULL;
    Pool pool = {.count = 0};
    Search s = {0};
    Py_ssize_t n = -1;
    if ((s.parent = column(&pool, parents, 4, &n)) == NULL)
        goto done;
    for (Py_ssize_t v = 0; v < n; v++)
        if (s.parent[v] >= v || (v > 0) != (s.parent[v] >= 0)) {
            PyErr_Format(PyExc_ValueError, "node %zd has parent %d", v, (int)s.parent[v]);
            goto done;
        }
    s.n = (int32_t)n;
    if (allocate(&s) < 0) {
        PyErr_NoMemory();
        goto done;
    }
    find_children(&s);
    if (label_all(&s) < 0) {
        PyErr_NoMemory();
        goto done;
    }
    int32_t top = n > 0 ? s.top[0] : -1;
    result = Py_BuildValue("(ii)", (int)top, top < 0 ? 0 : (int)s.value[top] + 1);
done:
    free(s.value);
    free(s.taken);
    free(s.elements);
    release(&pool);
    return result;
}

PyMethodDef worst_methods[] = {
    {"worst_case", worst_case, METH_VARARGS, "The optimum of the worst case."},
    {NULL, NULL, 0, NULL},
};
