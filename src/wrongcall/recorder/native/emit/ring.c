/* The ring in shared memory: see docs/reference/trace-format.md for its layout.

   The program is its only writer and another process its only reader. When it is full the program
   waits; when the reader is gone, recording stops and the program goes on. */
#include "base/compat.h"
#include "emit/ring.h"
#include "capture/activation.h"
#include "emit/event.h"
#include "emit/events.h"
#include "recorder.h"
#include <string.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* clang-format off */
enum {
    AT_MAGIC = 0, AT_VERSION = 8, AT_EVENT_SIZE = 12, AT_EVENTS = 16, AT_BYTES = 24,
    AT_EVENT_HEAD = 64, AT_BYTE_HEAD = 72, AT_EVENT_TAIL = 128, AT_BYTE_TAIL = 136,
    AT_STATE = 192, AT_DRAIN = 200, AT_WAITS = 208, AT_WAITED = 216,
    HEADER_SIZE = 4096,
};
/* clang-format on */

static Transport *const transport = &recorder.transport;

static volatile uint64_t *word(int at)
{
    return (volatile uint64_t *)(transport->memory + at);
}

static void go_nowhere(void)
{
    recorder.recording = false;
    recorder.ring = (Ring){transport->nowhere, 0, 0, UINT64_MAX, &transport->nowhere_head};
}

static void after_fork_in_child(void)
{
    if (transport->memory == NULL)
        return;
    go_nowhere();
    transport->drain_died = false;
    transport->memory = NULL; /* MADV_DONTFORK: the child has no such memory */
    activation_child_after_fork();
}

int ring_open(int fd)
{
    struct stat info;
    if (fstat(fd, &info) < 0) {
        PyErr_SetFromErrno(PyExc_OSError);
        return -1;
    }
    char *memory = mmap(NULL, (size_t)info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) {
        PyErr_SetFromErrno(PyExc_OSError);
        return -1;
    }
    uint32_t version, event_size;
    memcpy(&version, memory + AT_VERSION, 4);
    memcpy(&event_size, memory + AT_EVENT_SIZE, 4);
    memcpy(&transport->event_capacity, memory + AT_EVENTS, 8);
    memcpy(&transport->byte_capacity, memory + AT_BYTES, 8);
    if (memcmp(memory, "WRONGCL1", 8) != 0 || version != EVENT_FORMAT_VERSION || event_size != EVENT_SIZE ||
        HEADER_SIZE + transport->event_capacity * EVENT_SIZE + transport->byte_capacity >
            (uint64_t)info.st_size) {
        munmap(memory, (size_t)info.st_size);
        PyErr_SetString(PyExc_ValueError, "the shared memory is not a wrongcall ring");
        return -1;
    }
    madvise(memory, (size_t)info.st_size, MADV_DONTFORK);
    pthread_atfork(NULL, NULL, after_fork_in_child);
    transport->memory = memory;
    transport->byte_area = memory + HEADER_SIZE + transport->event_capacity * EVENT_SIZE;
    transport->byte_limit = transport->byte_capacity;
    transport->drain_pid = getppid();
    if (fstat(2, &transport->error_file) < 0)
        transport->error_file.st_ino = 0;
    recorder.ring = (Ring){(Event *)(memory + HEADER_SIZE), transport->event_capacity - 1, 0,
                           transport->event_capacity, word(AT_EVENT_HEAD)};
    *word(AT_STATE) = 1;
    recorder.recording = true;
    return 0;
}

void ring_stop(int state)
{
    if (transport->memory == NULL)
        return;
    go_nowhere();
    *word(AT_STATE) = (uint64_t)state;
}

/* The reader is gone, or there is no memory: the program goes on without being recorded. */
void ring_give_up(int why)
{
    ring_stop(why);
    transport->drain_died = why == GAVE_UP_READER;
}

/* Tell at the program's end that the reader died: before, the terminal is the program's. Descriptor 2 may be
   another file by now, whose content is the program's. (That memory ran out is told by the reader.) */
void ring_tell(void)
{
    static const char text[] = "wrongcall: the process that writes the trace was killed; the program went on "
                               "without being recorded\n";
    struct stat now;
    if (!transport->drain_died || fstat(2, &now) < 0 || transport->error_file.st_ino == 0)
        return;
    transport->drain_died = false;
    if (now.st_dev == transport->error_file.st_dev && now.st_ino == transport->error_file.st_ino) {
        ssize_t ignored = write(2, text, sizeof text - 1);
        (void)ignored;
    }
}

static void wait_for_room(uint64_t needed_event, uint64_t needed_byte)
{
    struct timespec begin, now, nap = {0, 500000};
    clock_gettime(CLOCK_MONOTONIC, &begin);
    *word(AT_WAITS) += 1;
    while (recorder.recording) {
        uint64_t events = __atomic_load_n(word(AT_EVENT_TAIL), __ATOMIC_ACQUIRE);
        uint64_t bytes = __atomic_load_n(word(AT_BYTE_TAIL), __ATOMIC_ACQUIRE);
        recorder.ring.limit = events + transport->event_capacity;
        transport->byte_limit = bytes + transport->byte_capacity;
        if (needed_event <= recorder.ring.limit && needed_byte <= transport->byte_limit)
            break;
        if (__atomic_load_n(word(AT_DRAIN), __ATOMIC_ACQUIRE) != 0)
            ring_stop(GAVE_UP_READER); /* it said so itself */
        else if (getppid() != transport->drain_pid)
            ring_give_up(GAVE_UP_READER);
        else
            nanosleep(&nap, NULL);
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (transport->memory != NULL)
        *word(AT_WAITED) +=
            (uint64_t)((now.tv_sec - begin.tv_sec) * 1000000000L + (now.tv_nsec - begin.tv_nsec));
}

static bool refresh_limits(uint64_t needed_event, uint64_t needed_byte)
{
    recorder.ring.limit = __atomic_load_n(word(AT_EVENT_TAIL), __ATOMIC_ACQUIRE) + transport->event_capacity;
    transport->byte_limit = __atomic_load_n(word(AT_BYTE_TAIL), __ATOMIC_ACQUIRE) + transport->byte_capacity;
    return needed_event <= recorder.ring.limit && needed_byte <= transport->byte_limit;
}

void ring_wait(void)
{
    if (recorder.recording && !refresh_limits(recorder.ring.head + 1, transport->byte_head))
        wait_for_room(recorder.ring.head + 1, transport->byte_head);
}

/* Appends to the byte stream; the event that owns the bytes must follow. */
void ring_bytes(const void *data, size_t size)
{
    const char *from = data;
    while (size > 0 && recorder.recording) {
        size_t part = size < transport->byte_capacity / 2 ? size : transport->byte_capacity / 2;
        if (transport->byte_head + part > transport->byte_limit &&
            !refresh_limits(recorder.ring.head, transport->byte_head + part))
            wait_for_room(recorder.ring.head, transport->byte_head + part);
        if (!recorder.recording)
            return;
        size_t at = transport->byte_head & (transport->byte_capacity - 1);
        size_t straight = transport->byte_capacity - at < part ? transport->byte_capacity - at : part;
        memcpy(transport->byte_area + at, from, straight);
        memcpy(transport->byte_area, from + straight, part - straight);
        transport->byte_head += part;
        from += part;
        size -= part;
        __atomic_store_n(word(AT_BYTE_HEAD), transport->byte_head, __ATOMIC_RELEASE);
    }
}
