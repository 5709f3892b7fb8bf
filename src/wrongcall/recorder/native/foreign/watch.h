/* Foreign code that is called without a call expression. */
#ifndef WRONGCALL_WATCH_H
#define WRONGCALL_WATCH_H

#include "base/compat.h"
#include <stdbool.h>

void watch_setup(void);
bool called_by_program(void);           /* is the running frame one of the program's? */
void watch_class(PyTypeObject *type);   /* what its operators, properties and so on do is looked at */
void watch_callable(PyObject *o);       /* something will call it, without a call expression */
bool watch_suspend(PyObject *callable); /* it is looked at otherwise; true: watch_resume is due */
void watch_resume(PyObject *callable);

#endif
