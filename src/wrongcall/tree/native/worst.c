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
 * Nodes are looked at backwards, so what is known about the children of a node lies on top of a stack.
 * Sets of labels below 63 are bits of a word (`join_small`). Larger ones, below callers with very many
 * calls, are lists of cells that rise (`join_large`); the part of the longest list above everything that
 * is looked at is shared with the list of the parent. Both are the same algorithm: linear in practice.
 */
#include "kernels.h"

enum { IS_SMALL = -2, MOST_CHILDREN = 32, MOST_LABELS = 62 };

/* What is known about a node whose edge has no label yet. */
typedef struct {
    int32_t node;
    int32_t top;       /* the node below the edge with the largest visible label, -1: none is visible */
    int32_t top_value; /* that label, -1 */
    int32_t head;      /* IS_SMALL: the visible labels are in `mask`; else the first cell of a list, -1 */
    uint64_t mask;
} Entry;

typedef struct {
    int32_t value;
    int32_t next;
} Cell;

typedef struct {
    int32_t value;
    int32_t cell;
    int32_t child; /* whose label it is: position among the children */
    int32_t next;  /* the next element with the same value */
} Element;

typedef struct {
    Entry *stack;
    Py_ssize_t depth, room;
    Cell *cells;
    int32_t cell_count, cell_room;
    /* Scratch of join_large. By value: */
    int32_t *shown, *bucket, *cell_at;
    uint8_t *taken;
    int32_t value_room;
    /* By position among the children of the node at hand: */
    int32_t *label, *start, *length, *order, *heads;
    int32_t child_room;
    Element *elements;
    int32_t element_count, element_room;
    /* The node at hand. */
    int32_t long_child, long_cell; /* the child with the longest list, and what is not yet unpacked */
    int32_t clash, free_label, between, unlabelled;
} Search;

static Search *sorting; /* qsort has no context; the interpreter's lock is held */

/* -- few labels: bits of a word ------------------------------------------------------------------- */

static inline int highest(uint64_t mask)
{
    return 63 - __builtin_clzll(mask);
}

static inline uint64_t above(int bit)
{
    return bit < 0 ? ~(uint64_t)0 : ~(((uint64_t)2 << bit) - 1);
}

/* The only child: the lowest free label; a binary counter. */
static int extend_small(const Entry *child, Entry *made)
{
    int label = __builtin_ctzll(~child->mask);
    if (label > MOST_LABELS)
        return -1;
    made->mask = (child->mask >> label | 1) << label;
    made->top_value = highest(made->mask);
    made->top = made->top_value == label ? child->node : child->top;
    return 0;
}

static void join_leaves(const Entry *children, int count, Entry *made)
{
    made->mask = ((uint64_t)1 << count) - 1;
    made->top = children[count - 1].node;
    made->top_value = count - 1;
}

/* The child that gets the free label: see the top. */
static int whom(const Entry *children, int count, const int *label, int clash, uint64_t between)
{
    int best = -1;
    if (between) {
        uint64_t bit = (uint64_t)1 << highest(between);
        for (int i = 0; i < count; i++)
            if (children[i].mask & above(label[i]) & bit)
                return i;
    }
    for (int i = 0; i < count; i++) {
        if (label[i] >= 0 || (clash >= 0 && !(children[i].mask >> clash & 1)))
            continue;
        if (clash < 0)
            return i;
        /* All of them show the clash: what they show below decides. */
        uint64_t below = ~above(clash);
        if (best < 0 || (children[i].mask & below) > (children[best].mask & below))
            best = i;
    }
    return best;
}

/* Returns -1 if the labels do not fit. */
static int join_small(const Entry *children, int count, Entry *made)
{
    int label[MOST_CHILDREN];
    for (int i = 0; i < count; i++)
        label[i] = -1;
    for (int left = count;;) {
        uint64_t once = 0, twice = 0, labels = 0;
        for (int i = 0; i < count; i++) {
            uint64_t visible = children[i].mask & above(label[i]);
            twice |= once & visible;
            once |= visible;
            if (label[i] >= 0)
                labels |= (uint64_t)1 << label[i];
        }
        if (twice == 0 && left == 0) {
            made->mask = once | labels;
            break;
        }
        int clash = twice ? highest(twice) : -1;
        uint64_t free_labels = ~(once | labels) & above(clash);
        int chosen = __builtin_ctzll(free_labels | (uint64_t)1 << 63);
        if (chosen > MOST_LABELS)
            return -1;
        uint64_t between = once & above(clash) & (((uint64_t)1 << chosen) - 1);
        int child = whom(children, count, label, clash, between);
        assert(child >= 0); /* a clash is between children, and without one a label is missing */
        left -= label[child] < 0;
        label[child] = chosen;
    }
    made->top_value = highest(made->mask);
    for (int i = 0; i < count; i++) {
        if (label[i] == made->top_value)
            made->top = children[i].node;
        else if (children[i].top_value == made->top_value && label[i] < made->top_value)
            made->top = children[i].top;
    }
    return 0;
}

/* -- many labels: lists ---------------------------------------------------------------------------- */

static void *enlarged(void *block, size_t count, size_t size)
{
    return realloc(block, count * size);
}

static int32_t new_cell(Search *s, int32_t value, int32_t next)
{
    if (s->cell_count == s->cell_room) {
        int32_t room = s->cell_room ? s->cell_room * 2 : 1024;
        Cell *larger = enlarged(s->cells, (size_t)room, sizeof *larger);
        if (larger == NULL)
            return -2;
        s->cells = larger;
        s->cell_room = room;
    }
    s->cells[s->cell_count] = (Cell){value, next};
    return s->cell_count++;
}

/* Makes room for labels up to and including `value`. */
static int reach(Search *s, int32_t value)
{
    if (value < s->value_room)
        return 0;
    int32_t room = value * 2 + 64;
    int32_t *shown = enlarged(s->shown, (size_t)room, sizeof *shown);
    if (shown != NULL)
        s->shown = shown;
    int32_t *bucket = enlarged(s->bucket, (size_t)room, sizeof *bucket);
    if (bucket != NULL)
        s->bucket = bucket;
    int32_t *cell_at = enlarged(s->cell_at, (size_t)room, sizeof *cell_at);
    if (cell_at != NULL)
        s->cell_at = cell_at;
    uint8_t *taken = enlarged(s->taken, (size_t)room, sizeof *taken);
    if (taken != NULL)
        s->taken = taken;
    if (shown == NULL || bucket == NULL || cell_at == NULL || taken == NULL)
        return -1;
    for (int32_t v = s->value_room; v < room; v++) {
        shown[v] = 0;
        bucket[v] = cell_at[v] = -1;
        taken[v] = 0;
    }
    s->value_room = room;
    return 0;
}

static int make_room(Search *s, int32_t count)
{
    if (count <= s->child_room)
        return 0;
    int32_t room = count * 2;
    int32_t **fields[] = {&s->label, &s->start, &s->length, &s->order, &s->heads};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        int32_t *larger = enlarged(*fields[i], (size_t)room, sizeof *larger);
        if (larger == NULL)
            return -1;
        *fields[i] = larger;
    }
    s->child_room = room;
    return 0;
}

/* The list of a child; small sets become one. */
static int32_t list_of(Search *s, const Entry *child)
{
    if (child->head != IS_SMALL)
        return child->head;
    int32_t list = -1;
    for (int bit = child->top_value; bit >= 0 && list > -2; bit--)
        if (child->mask >> bit & 1)
            list = new_cell(s, bit, list);
    return list;
}

static int push(Search *s, int32_t cell, int32_t child)
{
    if (s->element_count == s->element_room) {
        int32_t room = s->element_room ? s->element_room * 2 : 1024;
        Element *larger = enlarged(s->elements, (size_t)room, sizeof *larger);
        if (larger == NULL)
            return -1;
        s->elements = larger;
        s->element_room = room;
    }
    int32_t value = s->cells[cell].value, index = s->element_count++;
    if (reach(s, value) < 0)
        return -1;
    s->elements[index] = (Element){value, cell, child, s->bucket[value]};
    s->bucket[value] = index;
    s->shown[value]++;
    return 0;
}

static int is_free(Search *s, int32_t value)
{
    if (reach(s, value) < 0)
        return -1;
    if (s->long_cell >= 0 && s->cells[s->long_cell].value == value) {
        int32_t cell = s->long_cell;
        s->long_cell = s->cells[cell].next;
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
    }
    else
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

/* One step down: the clash is now one of the labels in between. */
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

static int32_t unpack(Search *s, const Entry *children, int32_t count)
{
    int32_t second = -1;
    s->element_count = 0;
    s->long_child = 0;
    for (int32_t i = 0; i < count; i++) {
        s->label[i] = -1;
        if ((s->heads[i] = list_of(s, &children[i])) < -1)
            return -2;
        if (children[i].top_value > children[s->long_child].top_value)
            s->long_child = i;
    }
    for (int32_t i = 0; i < count; i++) {
        if (i == s->long_child)
            continue;
        if (children[i].top_value > second)
            second = children[i].top_value;
        s->start[i] = s->element_count;
        for (int32_t cell = s->heads[i]; cell >= 0; cell = s->cells[cell].next)
            if (push(s, cell, i) < 0)
                return -2;
        s->length[i] = s->element_count - s->start[i];
    }
    int32_t cell = s->heads[s->long_child];
    s->start[s->long_child] = s->element_count;
    while (cell >= 0 && s->cells[cell].value <= second) {
        if (push(s, cell, s->long_child) < 0)
            return -2;
        cell = s->cells[cell].next;
    }
    s->length[s->long_child] = s->element_count - s->start[s->long_child];
    s->long_cell = cell;
    return second;
}

/* Links what is visible into one list, and cleans the scratch. */
static int pack(Search *s, const Entry *children, int32_t count, Entry *made)
{
    int32_t highest_value = -1;
    for (int32_t i = 0; i < s->element_count; i++) {
        const Element *each = &s->elements[i];
        s->bucket[each->value] = -1;
        s->shown[each->value] = 0;
        if (each->value > s->label[each->child]) {
            s->cell_at[each->value] = each->cell;
            if (each->value > highest_value)
                highest_value = each->value;
        }
    }
    made->top_value = -1;
    for (int32_t i = 0; i < count; i++) {
        int32_t label = s->label[i], cell = new_cell(s, label, -1);
        if (cell < 0)
            return -1;
        s->taken[label] = 0;
        s->cell_at[label] = cell;
        if (label > highest_value)
            highest_value = label;
        int is_hidden = children[i].top_value < label;
        int32_t value = is_hidden ? label : children[i].top_value;
        if (value > made->top_value) {
            made->top_value = value;
            made->top = is_hidden ? children[i].node : children[i].top;
        }
    }
    int32_t list = s->long_cell;
    for (int32_t value = highest_value; value >= 0; value--)
        if (s->cell_at[value] >= 0) {
            s->cells[s->cell_at[value]].next = list;
            list = s->cell_at[value];
            s->cell_at[value] = -1;
        }
    made->head = list;
    return 0;
}

static int join_large(Search *s, const Entry *children, int32_t count, Entry *made)
{
    if (make_room(s, count) < 0)
        return -1;
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
    return pack(s, children, count, made);
}

/* -- all nodes ------------------------------------------------------------------------------------- */

/* Takes the children off the stack and puts the node there. */
static int close_node(Search *s, int32_t node, Py_ssize_t end)
{
    Py_ssize_t first = s->depth;
    while (first > 0 && s->stack[first - 1].node < end)
        first--;
    const Entry *children = s->stack + first;
    Py_ssize_t count = s->depth - first;
    Entry made = {node, -1, -1, IS_SMALL, 0};
    if (count > 0) {
        int fits = count <= MOST_LABELS;
        uint64_t any = 0;
        for (Py_ssize_t i = 0; fits && i < count; i++) {
            fits = children[i].head == IS_SMALL;
            any |= children[i].mask;
        }
        if (fits && any == 0)
            join_leaves(children, (int)count, &made);
        else if (fits && count == 1)
            fits = extend_small(children, &made) == 0;
        else if (fits)
            fits = count <= MOST_CHILDREN && join_small(children, (int)count, &made) == 0;
        if (!fits && join_large(s, children, (int32_t)count, &made) < 0)
            return -1;
    }
    s->depth = first;
    if (s->depth == s->room) {
        Py_ssize_t room = s->room ? s->room * 2 : 1024;
        Entry *larger = enlarged(s->stack, (size_t)room, sizeof *larger);
        if (larger == NULL)
            return -1;
        s->stack = larger;
        s->room = room;
    }
    s->stack[s->depth++] = made;
    return 0;
}

static int close_all(Search *s, const View *view)
{
    for (Py_ssize_t v = view->last - 1; v >= view->first; v--) {
        int code = code_of(view, v);
        if (code == CUT) {
            while (s->depth > 0 && s->stack[s->depth - 1].node < view->end[v])
                s->depth--;
        }
        else if (code == ASK && close_node(s, (int32_t)v, view->end[v]) < 0)
            return -1;
    }
    return close_node(s, (int32_t)view->first - 1, view->last);
}

static void search_free(Search *s)
{
    free(s->stack);
    free(s->cells);
    free(s->shown);
    free(s->bucket);
    free(s->cell_at);
    free(s->taken);
    free(s->label);
    free(s->start);
    free(s->length);
    free(s->order);
    free(s->heads);
    free(s->elements);
}

/* worst_case(view) -> (first question or -1, number of questions in the worst case) */
static PyObject *worst_case(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *tuple, *result = NULL;
    if (!PyArg_ParseTuple(args, "O!", &PyTuple_Type, &tuple))
        return NULL;
    Pool pool = {.count = 0};
    Search s = {0};
    View view;
    if (get_view(&pool, tuple, &view) < 0)
        goto done;
    if (close_all(&s, &view) < 0)
        PyErr_NoMemory();
    else
        result = Py_BuildValue("(ii)", (int)s.stack[0].top, (int)s.stack[0].top_value + 1);
done:
    search_free(&s);
    release(&pool);
    return result;
}

PyMethodDef worst_methods[] = {
    {"worst_case", worst_case, METH_VARARGS, "The optimum of the worst case."},
    {NULL, NULL, 0, NULL},
};
