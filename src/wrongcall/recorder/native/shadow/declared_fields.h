/* Declared fields: which attributes a class says its instances have. */
#ifndef WRONGCALL_DECLARED_FIELDS_H
#define WRONGCALL_DECLARED_FIELDS_H

#include "shadow/nodes.h"

void fields_announce(Shape *shape); /* once they are known */

#endif
