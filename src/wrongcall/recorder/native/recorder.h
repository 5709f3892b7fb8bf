/* The state of the recorder, and the map of the native core.

   One process, one recorder: `recorder` is all that it knows, but for what belongs to one thread (current_handle
   and its like), for tables that never change, and for what a file has replaced in the interpreter and has to put back.
   Everything runs under the GIL, so there is one writer of the ring and no lock.

   The rooms, from the bottom up; a file includes what it uses:

       base/      what differs between versions of CPython (compat.h, instance.c: the only private layouts), memory
       emit/      what is handed over: the ring in shared memory, events, contents that are written once
       shadow/    what was last seen: which object is this (identity), of which shape, with which items, entries, attributes;
                  first sight, when an object is written out; deaths
       buffers/   bytearray, array.array, numpy arrays and what shares memory with them
       known/     types of C whose inside can be read, one file for each family
       compare/   an object was in foreign hands: what is different now, how far to look, and for whom it can be left out
       capture/   what was written: hooks of instrumented code, calls, stores, methods of containers, output, processes
       foreign/   calls that leave the program: who is called, and what it may have changed
       hide/      what must not show: the handle of a call, instrumented code, modules
       load/      import and instrumenting
       module.c   the Python face

   Ownership: PyObject pointers kept by the recorder are borrowed unless stated; a slot of a shadow
   owns its object if and only if the object is an exact atom (shadow/slot.h). Nothing here calls code
   of the program.

   When the recorder cannot go on, recording ends and the program runs on (base/allocate.c, ring_give_up). */
#ifndef WRONGCALL_RECORDER_H
#define WRONGCALL_RECORDER_H

#include "base/compat.h"
#include "emit/event.h"
#include "shadow/nodes.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/* -- emit ---------------------------------------------------------------------------------------------------- */

/* The shared memory behind the ring: see ring.c. */
typedef struct {
    char *memory; /* NULL: not open */
    uint64_t event_capacity, event_limit, byte_capacity, byte_head, byte_limit;
    char *byte_area;
    uint64_t last_mark;   /* the clock at the last mark; 0: the next event needs one */
    bool waiting_to_open; /* a forked child that has handed nothing over yet */
    uint64_t process;     /* this one's number, from 1 */
    char *folder;  /* owned: where the processes of this run have their rings; NULL: only one is recorded */
    char *control; /* what they all share: see shared_folder.c */
    pid_t drain_pid;
    uint64_t drain_began;   /* when the reader began, if it is not the parent; else 0 */
    bool drain_died;        /* and the user does not know yet */
    struct stat error_file; /* what descriptor 2 was when recording began */
    Event nowhere[1];       /* what is recorded after the end goes here */
    uint64_t nowhere_head;
} Transport;

#define CONTENT_WAYS 4
#define CONTENT_SETS 16384
#define RECENT_TEXTS 4

/* Which contents were written: see content.c. */
typedef struct {
    uint64_t last_long;
    uint64_t written[CONTENT_SETS][CONTENT_WAYS];
    unsigned char oldest[CONTENT_SETS];
    struct RecentText {
        uint64_t id;
        char *text; /* own copy */
        size_t size, room;
    } recent[RECENT_TEXTS];
    int recent_next;
    PyObject *name_ids; /* owned: dict, exact str -> int; keeps the names alive */
} Contents;

/* -- base ---------------------------------------------------------------------------------------------------- */

typedef struct {
    size_t reserve_used;
    long failing; /* for tests: allocations until the first that fails; -1: none fails */
} OwnMemory;

/* -- shadow -------------------------------------------------------------------------------------------------- */

#define SMALL_UNITS 16

/* Address -> node: see identity.c. */
typedef struct {
    uintptr_t *keys; /* 0: empty */
    Node **nodes;
    size_t size, count; /* slots, and how many are taken; size is no power of two: it grows by half */
    uint64_t last_oid;
    uint32_t slot_deaths; /* how many objects died whose address a shadow may still hold */
    void *free_blocks[SMALL_UNITS + 1];
    char *slab;
    size_t slab_left;
} Identity;

/* Types that were met: see shape.c. */
typedef struct {
    Shape **places;
    size_t size, count; /* count includes the marks of the dead */
    uint64_t last_type, last_fields;
    uint32_t epoch; /* changes when a cached verdict about a type may be wrong */
} Shapes;

/* Objects that wait to be written out: see first_sight.c. */
typedef struct {
    PyObject **work; /* borrowed: no code of the program runs while they are in here */
    size_t work_room, work_begin, work_end;
    bool active;
    int64_t budget;
    PyObject **kept; /* owned */
    size_t kept_count, kept_room;
} Exploring;

/* Instances that share one dictionary: see dict_alias.c. */
typedef struct {
    struct Sharer *sharers;
    size_t count, room;
    bool writing;
} Sharing;

/* -- buffers ------------------------------------------------------------------------------------------------- */

/* Who shares memory with whom: see shared_memory.c. */
typedef struct {
    struct Family **buckets;
    size_t bucket_count, family_count;
} Families;

/* -- capture ------------------------------------------------------------------------------------------------- */

#define MOST_FOLLOWED 16

/* Objects whose state changes without any hook: see follow.c. */
typedef struct {
    struct Followed {
        PyObject *o; /* borrowed: follow_end tells its death */
        void *base;
        PyTypeObject *type; /* borrowed: never followed, only compared */
        Shape *shape;       /* of the type: alive as long as the type is that of the object */
        uint64_t state;
    } objects[MOST_FOLLOWED]; /* the oldest first */
    uint32_t count;
    uint32_t version; /* another one when the array changed */
    bool looking;
    bool several_threads; /* once there were several, it stays unknown which one did what */
} Following;

/* Calls and threads: see activation.c. */
typedef struct {
    uint64_t last_call, last_thread;
    uint32_t generation; /* another one after each fork and each recording: whose calls those of today are */
    struct Handle **bodies; /* in a forked child: owned, the parent's running bodies of modules and classes */
    size_t body_count;
    struct Handle *spare; /* free list through `prev` */
    struct {
        unsigned long ident; /* the system's, which is used again */
        uint64_t number;
    } recent_threads[64]; /* those that began last */
} Calls;

/* -- foreign ------------------------------------------------------------------------------------------------- */

/* Objects that stand in for others during one call or store, to be used again. */
typedef struct {
    struct Guard *guards;
    struct Receiver *receivers;
    struct Target *targets;
} Spare;

/* -- all of it ----------------------------------------------------------------------------------------------- */

/* Names that are looked up: interned before the program begins, so that a look-up never fails. */
/* clang-format off */
#define RECORDER_NAMES(X)                                                                         \
    X(init, "__init__") X(new, "__new__") X(call, "__call__") X(get, "__get__")                   \
    X(setattr, "__setattr__") X(setitem, "__setitem__") X(delitem, "__delitem__")                 \
    X(wrapped, "__wrapped__") X(base, "base") X(name, "name") X(queue, "queue")                   \
    X(own_queue, "_queue") X(flag, "_flag") X(value, "_value") X(locked, "_locked")               \
    X(count, "_count") X(state, "_state") X(returncode, "returncode")      \
    X(tag, "tag") X(text, "text") X(tail, "tail") X(attrib, "attrib")
/* clang-format on */

/* Types of C that the interpreter does not name, owned. */
typedef struct {
    PyTypeObject *deque, *defaultdict, *ordered_dict;
    bool deque_is_watched;      /* whether all changes of exact deques are told (mutators.c) */
    PyTypeObject *bound_dunder; /* of bound special methods; its name is not public from 3.13 on */
} Types;

typedef struct {
    bool recording; /* false: before the start, after the end, in a forked child */
    bool restarts;  /* recording may begin again in this process: see module.c */
    Ring ring;
    Transport transport;
    OwnMemory memory;
    Identity identity;
    Shapes shapes;
    PyObject *program_names; /* owned: set of str, names of instrumented modules */
    Exploring exploring;
    Sharing sharing;
    Families families;
    Following following;
    Calls calls;
    Spare spare;
    Types types;
    struct {
#define X(name, text) PyObject *name;
        RECORDER_NAMES(X)
#undef X
    } names;           /* owned */
    Contents contents; /* large: last, so that what every hook reads lies together */
} Recorder;

extern Recorder recorder __attribute__((visibility("hidden")));

int recorder_setup(void); /* the names */

#endif
