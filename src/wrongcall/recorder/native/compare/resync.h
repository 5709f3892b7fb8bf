/* An object was in foreign hands: what is different now becomes events. */
#ifndef WRONGCALL_RESYNC_H
#define WRONGCALL_RESYNC_H

#include "base/compat.h"
#include "emit/event.h"
#include "shadow/nodes.h"

/* An item of a list or deque became v; v was put in; n items were taken out. */
void sequence_changed(SequenceNode *s, size_t index, PyObject *v, Where at);
void sequence_arrived(SequenceNode *s, size_t index, PyObject *v, Where at);
void sequence_gone(SequenceNode *s, size_t index, size_t n, Where at);
void resync(PyObject *o, Where at); /* this object only, if it was seen before */
void resync_node(PyObject *o, Node *node, Where at);
void resync_grown(PyObject *o, Where at); /* after an augmented assignment */
void resync_list(PyObject *o, SequenceNode *s, Where at);
void resync_table(PyObject *o, TableNode *t, Where at);

#endif
