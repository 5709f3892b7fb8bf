/* What the program prints. */
#ifndef WRONGCALL_OUTPUT_H
#define WRONGCALL_OUTPUT_H

#include "base/compat.h"
#include "emit/event.h"
#include <stdbool.h>

int output_install(void);
void output_remove(void);
void output_elsewhere(int stream, PyObject *text); /* to what stands for a stream; 0: stdout, 1: stderr */
bool output_direct(PyObject *self, const char *method, PyObject *const *args, Py_ssize_t n, Where at);

#endif
