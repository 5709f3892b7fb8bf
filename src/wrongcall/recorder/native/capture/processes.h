/* Processes that the program starts. */
#ifndef WRONGCALL_PROCESSES_H
#define WRONGCALL_PROCESSES_H

#include "base/compat.h"
#include <stdint.h>

int processes_install(void);
void processes_remove(void);
void process_has_module(PyObject *name, uint64_t oid); /* this one, from its beginning */
PyObject *processes_ask(PyObject *module, PyObject *function);

#endif
