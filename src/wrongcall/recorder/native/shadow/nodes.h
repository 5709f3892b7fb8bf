/* What the recorder knows about one live object. */
#ifndef WRONGCALL_NODES_H
#define WRONGCALL_NODES_H

#include "base/compat.h"
#include "shadow/slot.h"
#include <stdint.h>

typedef struct Shape Shape;

enum {
    NODE_UNEXPLORED = 1,          /* it has an id, its contents were not written yet */
    NODE_IN_SLOT = 2,             /* a shadow may hold its address */
    NODE_HAS_REFS = 4,            /* its shadow holds addresses that it does not own */
    NODE_STARTED = 8,             /* an activation object whose call has begun to run */
    NODE_ATTRS_OF = 16,           /* a dict that is the __dict__ of `owner` */
    NODE_UNWRITTEN = 32,          /* known to the recorder, not to the trace yet */
    NODE_SHARES = 64,             /* an instance whose __dict__ is that of another one, too */
    NODE_QUEUED = 128,            /* about to be written out */
    NODE_FOLLOWED = NODE_STARTED, /* not of an activation: its state is looked at, at every hook (follow.c) */
};

/* What the recorder knows about one live object. */
typedef struct Node {
    uint64_t oid;
    Shape *shape; /* of its type */
    uint8_t layout, flags;
    union {
        uint16_t capacity;   /* of slots */
        uint16_t is_current; /* of a deque: whether nothing has changed it but what was noted at once */
    };
    uint32_t units; /* size of this allocation in 16 bytes */
    /* what follows depends on the layout: InstanceNode, SequenceNode, TableNode, ... */
} Node;

/* INSTANCE and everything else that has attributes only. */
typedef struct {
    Node head;
    Slot slots[]; /* by the shape's attribute numbers */
} InstanceNode;

/* LIST, DEQUE, ELEMENT. (BYTEARRAY, ARRAY, NDARRAY: see buffers.h; `attrs` lies at the same place.) */
typedef struct {
    Node head;
    InstanceNode *attrs; /* of instances of subclasses; NULL if none */
    uint64_t newest;     /* the youngest object that a slot holds */
    Slot *items;         /* the live ones begin at items + start */
    uint32_t start, count, room;
    uint32_t epoch; /* slot_deaths when it was last compared */
} SequenceNode;

typedef struct {
    Slot key, value;
    uint64_t bits;
    uint32_t hash;
    uint8_t tag, used, seen;
} TableEntry;

/* DICT, SET, FROZENSET; CLASS and MODULE (keys: names). */
typedef struct {
    Node head;
    InstanceNode *attrs;
    union {
        uint64_t newest;
        uint64_t owner; /* NODE_ATTRS_OF: object id */
    };
    union {
        TableEntry *entries;
        void *owner_base; /* NODE_ATTRS_OF: where the owner was; it may have died since */
    };
    union {
        uint32_t *index;        /* NULL while there are few entries */
        PyObject *owner_object; /* borrowed: to be followed only after table_owner said it lives */
    };
    uint32_t used, count, room, index_size; /* used: entries including deleted ones */
    uint32_t epoch;
    uint16_t watch; /* number of its watch (compare/watches.h); 0: none */
    uint16_t looks; /* how often it was compared in full before it was watched */
#if COMPAT_DICT_VERSIONS
    uint64_t version; /* of a dict, when it was last compared: another one after any change */
#endif
} TableNode;

/* TUPLE; also ACTIVATION and cells (fingerprint: call id) and LONG_STR (fingerprint: length).
   Nodes of objects that cannot have attributes end before `attrs`. */
typedef struct {
    Node head;
    uint64_t fingerprint;
    InstanceNode *attrs;
} PlainNode;
#define PLAIN_SIZE offsetof(PlainNode, attrs)

#endif
