/* The module: columns of events in, columns and bytes out. */
#include "packing.h"

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "wrongcall.trace.format._packing",
    .m_doc = "Loops over the columns of segments.",
    .m_size = 0,
};

PyMODINIT_FUNC PyInit__packing(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (module == NULL)
        return NULL;
    PyMethodDef *tables[] = {batch_methods,  checkpoint_methods, checks_methods,  extent_methods,
                             planes_methods, rows_methods,       segment_methods, unpack_methods};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if (PyModule_AddFunctions(module, tables[i]) < 0) {
            Py_DECREF(module);
            return NULL;
        }
    }
    return module;
}
