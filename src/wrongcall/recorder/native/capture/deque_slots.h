/* Changes to a deque that are not made by its methods. */
#ifndef WRONGCALL_DEQUE_SLOTS_H
#define WRONGCALL_DEQUE_SLOTS_H

#include "base/compat.h"
#include <stdbool.h>

void deque_touched(PyObject *o); /* it has to be compared item by item */
bool deque_slots_install(void);  /* false: some ways to change a deque stay unknown */
void deque_slots_remove(void);

#endif
