/* Special methods of built-in types, called by name. */
#ifndef WRONGCALL_DUNDER_CALLS_H
#define WRONGCALL_DUNDER_CALLS_H

#include "base/compat.h"
#include "emit/event.h"
#include <stdbool.h>

int dunder_setup(void);
bool is_dunder_call(PyObject *callee); /* is it a special method of a built-in type? Then: */
bool dunder_only_reads(PyObject *callee);
Py_ssize_t dunder_before(PyObject *callee, PyObject *const *args, Py_ssize_t count);
void dunder_after(PyObject *callee, PyObject *const *args, Py_ssize_t count, Py_ssize_t was, bool failed,
                  Where at);
void dunder_watch(void);

#endif
