/* Columns as buffers, for all kernels: a pool acquires them, checked, and releases them together. */
#ifndef WRONGCALL_POOL_H
#define WRONGCALL_POOL_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <assert.h>

typedef struct {
    Py_buffer views[16];
    int count;
} Pool;

static inline const void *acquire(Pool *pool, PyObject *object, Py_ssize_t size, Py_ssize_t *length,
                                  int flags)
{
    if (pool->count == (int)(sizeof pool->views / sizeof pool->views[0])) {
        PyErr_SetString(PyExc_SystemError, "too many buffers");
        return NULL;
    }
    Py_buffer *view = &pool->views[pool->count];
    if (PyObject_GetBuffer(object, view, flags) < 0)
        return NULL;
    pool->count++;
    const void *items_at = view->buf;
    if (items_at == NULL) { /* as some empty buffers have it */
        static _Alignas(16) const char nothing[16];
        if (view->len != 0) {
            PyErr_SetString(PyExc_BufferError, "a buffer without an address");
            return NULL;
        }
        items_at = nothing;
    }
    if (view->itemsize != size) {
        PyErr_Format(PyExc_TypeError, "a column of %zd bytes per item is needed, not of %zd", size,
                     view->itemsize);
        return NULL;
    }
    if (length != NULL) {
        Py_ssize_t items = view->len / size;
        assert(items >= 0);
        if (*length < 0)
            *length = items;
        else if (*length != items) {
            PyErr_Format(PyExc_ValueError, "columns differ in length: %zd and %zd", *length, items);
            return NULL;
        }
    }
    return items_at;
}

/* A contiguous column of items of this size. *length: how many it must have, or -1: it is told. */
static inline const void *column(Pool *pool, PyObject *object, Py_ssize_t size, Py_ssize_t *length)
{
    return acquire(pool, object, size, length, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT);
}

static inline void *writable(Pool *pool, PyObject *object, Py_ssize_t size, Py_ssize_t *length)
{
    return (void *)acquire(pool, object, size, length, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | PyBUF_WRITABLE);
}

static inline void release(Pool *pool)
{
    while (pool->count > 0)
        PyBuffer_Release(&pool->views[--pool->count]);
}

#endif
