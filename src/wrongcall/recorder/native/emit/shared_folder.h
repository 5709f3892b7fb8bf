/* The folder and the page that all recorded processes of a run share. */
#ifndef WRONGCALL_SHARED_FOLDER_H
#define WRONGCALL_SHARED_FOLDER_H

#include "recorder.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { CHILD_EVENTS = 1 << 16, CHILD_BYTES = 1 << 19 }; /* the ring of a process that the program starts */

int folder_join(const char *path, uint64_t process); /* -1 with an error */
char *folder_file_new(size_t size); /* memory of a new file of this process; NULL: there is none */
bool folder_file_ready(void);       /* the reader may find it; false: it can't */
uint64_t folder_new_process(void);  /* the number of a process that is about to be started; 0: none */
uint64_t process_start(pid_t pid);  /* when it began, in the system's ticks; 0: it has ended */
bool drain_lives(void);

enum {
    AT_STARTED = 64,
    AT_RINGS = 72,
    AT_FINISHED = 128
}; /* of the control page, as in trace/write/shared_folder.py */

/* Are several processes recorded now? */
static inline bool several_recorded(void)
{
    const char *control = recorder.transport.control;
    return control != NULL &&
           __atomic_load_n((const uint64_t *)(control + AT_STARTED), __ATOMIC_RELAXED) >
               __atomic_load_n((const uint64_t *)(control + AT_FINISHED), __ATOMIC_RELAXED);
}

#endif
