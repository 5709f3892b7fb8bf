/* The module: buffers in, numbers and bytes out. */
#include "kernels.h"

int get_view(Pool *pool, PyObject *tuple, View *view)
{
    PyObject *parent, *end, *state, *table, *own, *class_of, *by_class;
    memset(view, 0, sizeof *view);
    if (!PyArg_ParseTuple(tuple, "OOOOOOOnn", &parent, &end, &state, &table, &own, &class_of, &by_class,
                          &view->first, &view->last))
        return -1;
    Py_ssize_t count = -1, codes = 256;
    if ((view->parent = column(pool, parent, 4, &count)) == NULL ||
        (view->end = column(pool, end, 4, &count)) == NULL ||
        (view->state = column(pool, state, 1, &count)) == NULL ||
        (view->table = column(pool, table, 1, &codes)) == NULL)
        return -1;
    if (own != Py_None && (view->own = column(pool, own, 8, &count)) == NULL)
        return -1;
    if (class_of != Py_None) {
        if ((view->class_of = column(pool, class_of, 4, &count)) == NULL ||
            (view->by_class = column(pool, by_class, 8, NULL)) == NULL)
            return -1;
    }
    view->count = count;
    if (view->first < 0 || view->last < view->first || view->last > count) {
        PyErr_SetString(PyExc_ValueError, "the range is not one of nodes");
        return -1;
    }
    return 0;
}

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "wrongcall.tree._kernels",
    .m_doc = "Loops over the columns of a tree.",
    .m_size = 0,
};

PyMODINIT_FUNC PyInit__kernels(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (module == NULL)
        return NULL;
    PyMethodDef *tables[] = {order_methods, select_methods,  compact_methods, greedy_methods,
                             worst_methods, optimum_methods, balance_methods, chains_methods};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if (PyModule_AddFunctions(module, tables[i]) < 0) {
            Py_DECREF(module);
            return NULL;
        }
    }
    return module;
}
