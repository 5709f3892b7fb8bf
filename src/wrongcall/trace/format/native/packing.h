/* What the kernels of the trace share: what kinds of events mean, pages, and the methods of each file. */
#ifndef WRONGCALL_TRACE_PACKING_H
#define WRONGCALL_TRACE_PACKING_H

#include "event.h"
#include "pool.h"
#include "scratch.h"

#include <stdlib.h>
#include <string.h>

/* A segment has at most so many events, so that 16 bits number them. */
#define MOST 65536

/* What a kind of event means: bits of its traits, which wrongcall/trace/format/event_kinds.py puts together. The
 * owner of an event is an object or a call. */
enum {
    OF_OBJECT = 1,   /* it belongs to an object */
    OF_VARIABLE = 2, /* it belongs to the call that has the variable */
    FIRST_SIGHT = 4, /* an object is new */
    BEGINNING = 8,   /* a call begins */
    END = 16,        /* a call ends */
    WRITE = 32,      /* a later write to the same slot makes it irrelevant */
    BARRIER = 64,    /* it moves or removes slots */
    HAS_OBJECT = 128 /* `obj` counts for the filter of a segment */
};
#define KINDS 256
#define IS_OBJECT ((uint64_t)1 << 40)

/* How a column is rearranged (wrongcall/trace/format/columns.py). */
enum { ROWS = 0, PLANES = 1, DELTA = 2 };

/* From wrongcall/events.py. */
enum {
    KIND_CONTENT = 4,
    KIND_CONTENT_APPEND = 5,
    KIND_THREAD = 6,
    KIND_FIELDS = 7,
    DICTIONARY_END = 16,
    KIND_PROCESS = 27,
    KIND_ACTIVATION = 30,
    SEEN = 128
};

/* Events as records, from any contiguous buffer. *count: how many there are. */
const Event *get_records(Pool *pool, PyObject *object, Py_ssize_t *count);

/* Put a column's byte planes at `to` and return how many there are; `room` has room for its numbers. With an order, the
 * numbers that it names. */
int put_planes(int width, const void *numbers, const uint16_t *order, int delta, Py_ssize_t count, void *room,
               uint8_t *to);

void split_planes(int width, const void *numbers, int height, Py_ssize_t count, uint8_t *to);

/* The order in which events of a site lie together: that of the lowest 16 bits of their sites, then of time. At most MOST
 * events; `next` has room for MOST + 1 numbers. */
void group_by_site(const uint32_t *sites, Py_ssize_t count, uint32_t *next, uint16_t *order);

/* Several columns as pages: the planes of each page, after those of the one before. */
enum { MOST_FIELDS = 12 };
typedef struct {
    const void *columns[MOST_FIELDS]; /* NULL: the numbers of the order itself, from `first` on */
    int widths[MOST_FIELDS];
    Py_ssize_t stride; /* 0: the numbers of a column are contiguous; else an order is needed */
    const uint8_t *codings;
    int fields;
    const uint32_t *order; /* or NULL */
    int64_t first;
    Py_ssize_t count, page;
    Scratch *scratch; /* for the planes, or NULL */
    uint8_t *how;     /* of each page the codings with their heights */
    uint8_t *planes;
    Py_ssize_t *ends; /* where the planes of each page end */
} Pages;

int fill_pages(Pages *pages);             /* allocates what it makes; -1: out of memory */
PyObject *list_pages(const Pages *pages); /* of each page its count, codings and planes */
void free_pages(Pages *pages);

/* The events of an extent that belong to long-lived owners, as indices in the extent (`sift.c`). All but `left_out` is in
 * the scratch memory of the extent. */
typedef struct {
    uint32_t *by_owner; /* sorted by owner, then by time */
    uint32_t *by_slot;  /* sorted by owner, slot and time, without those that are left out */
    uint32_t *slots;    /* the slots of those events */
    uint64_t *left_out; /* owners and slots, alternating */
    size_t owned, indexed, left;
} Sifted;

#define SEGMENTS 64
#define MANY_SITES ((uint32_t)1 << 18)
typedef struct {
    const Event *events;
    Py_ssize_t count;
    const uint8_t *traits, *groups;
    Py_ssize_t per_segment;
    Scratch *scratch;
    uint8_t *site_flags; /* for each site below MANY_SITES whether it occurs */
    int larger_sites;    /* whether others occur */
    uint64_t objects[SEGMENTS + 1], calls[SEGMENTS + 1]; /* the newest before each segment, and at the end */
} Extent;

uint64_t owner_of(const Event *event, uint8_t traits);
int sift_extent(Extent *v, size_t most, Sifted *sifted); /* -1: out of memory */

extern PyMethodDef batch_methods[];
extern PyMethodDef checkpoint_methods[];
extern PyMethodDef checks_methods[];
extern PyMethodDef extent_methods[];
extern PyMethodDef planes_methods[];
extern PyMethodDef rows_methods[];
extern PyMethodDef segment_methods[];
extern PyMethodDef unpack_methods[];

#endif
