/* The rows of checkpoints. */
#ifndef WRONGCALL_TRACE_CHECKPOINT_H
#define WRONGCALL_TRACE_CHECKPOINT_H

#include "packing.h"

enum { MOST_MERGED = 12 };

/* An event of an object; rows are sorted by object, then by time. */
typedef struct {
    int64_t time, obj, key, value;
    uint8_t kind, ktag, vtag;
} CheckpointRow;

_Static_assert(sizeof(CheckpointRow) == 40, "wrongcall/trace/write/extents.py counts them");

/* Leave out the rows that later ones make irrelevant; -1: out of memory. */
int compact_rows(CheckpointRow *rows, size_t *count, const uint8_t *traits, Scratch *scratch);

/* (objects, chunks): a block as `list_block` returns it, and a list of such blocks. */
PyObject *pack_rows(const CheckpointRow *rows, size_t count, Py_ssize_t chunk);

/* (count, codings with heights, planes): columns of which all numbers are on one page. */
PyObject *list_block(Pages *block);

#endif
