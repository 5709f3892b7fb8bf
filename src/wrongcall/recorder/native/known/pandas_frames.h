/* Tables of pandas: what they hold is data of the program. */
#ifndef WRONGCALL_PANDAS_FRAMES_H
#define WRONGCALL_PANDAS_FRAMES_H

#include "base/compat.h"
#include "shadow/nodes.h"
#include <stdbool.h>

enum { FRAME_NONE, FRAME_OWN, FRAME_DERIVED };
int frame_class(PyTypeObject *type);            /* is it pandas' own, derived from one of these, or none? */
void frame_met(PyTypeObject *type);             /* for the first time */
bool frame_shows(Shape *shape, PyObject *name); /* data, not bookkeeping: it is recorded */
bool is_frame(PyObject *o); /* part of a table of pandas: what it holds is the program's data (shape.c) */
void frame_visit(PyObject *o, visitproc visit,
                 void *context); /* the objects that a frame's object leads to */

#endif
