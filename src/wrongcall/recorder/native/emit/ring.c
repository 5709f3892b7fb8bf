/* The ring in shared memory: see docs/reference/trace-format.md for its layout.

   The program is its only writer and another process its only reader. When it is full the program
   waits; when the reader is gone, recording stops and the program goes on.

   While several processes are recorded, marks with the time of the clock stand between the events: one before each event
   that comes more than MARK_GAP_NS after the last mark, or after foreign code, which may have got something from
   another process. The reader orders the events of all processes by them. A process that is alone has none. */
#include "base/compat.h"
#include "emit/ring.h"
#include "emit/event.h"
#include "emit/events.h"
#include "emit/shared_folder.h"
#include "recorder.h"
#include <string.h>
#include <errno.h>
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
    AT_STATE = 192, AT_DRAIN = 200, AT_WAITS = 208, AT_WAITED = 216, AT_PROCESS = 224, AT_PID = 232, AT_BEGAN = 240,
    HEADER_SIZE = 4096,
};
enum { MARK_GAP_NS = 1000 };
/* clang-format on */

static const char MAGIC[8] = {'W', 'R', 'O', 'N', 'G', 'C', 'L', '1'};
static Transport *const transport = &recorder.transport;

static volatile uint64_t *word(int at)
{
    return (volatile uint64_t *)(transport->memory + at);
}

static void go_nowhere(void)
{
    recorder.recording = transport->waiting_to_open = false;
    recorder.ring = (Ring){transport->nowhere, 0, 0, UINT64_MAX, &transport->nowhere_head};
}

void ring_leave(void)
{
    go_nowhere();
    transport->drain_died = false;
    transport->memory = NULL; /* MADV_DONTFORK: the child has no such memory */
}

/* The limits as the reader's tails allow; while several processes are recorded, the slow path is taken for each event. */
static void set_limits(uint64_t event_tail, uint64_t byte_tail)
{
    transport->event_limit = event_tail + transport->event_capacity;
    transport->byte_limit = byte_tail + transport->byte_capacity;
    recorder.ring.limit = transport->event_limit;
}

static void use(char *memory)
{
    transport->memory = memory;
    transport->byte_area = memory + HEADER_SIZE + transport->event_capacity * EVENT_SIZE;
    transport->byte_head = 0;
    transport->waiting_to_open = false;
    recorder.ring =
        (Ring){(Event *)(memory + HEADER_SIZE), transport->event_capacity - 1, 0, 0, word(AT_EVENT_HEAD)};
    set_limits(0, 0);
    *word(AT_STATE) = 1;
    recorder.recording = true;
}

static bool is_ring(const char *memory, uint64_t size)
{
    uint32_t version, event_size;
    memcpy(&version, memory + AT_VERSION, 4);
    memcpy(&event_size, memory + AT_EVENT_SIZE, 4);
    memcpy(&transport->event_capacity, memory + AT_EVENTS, 8);
    memcpy(&transport->byte_capacity, memory + AT_BYTES, 8);
    return memcmp(memory, MAGIC, sizeof MAGIC) == 0 && version == EVENT_FORMAT_VERSION &&
           event_size == EVENT_SIZE &&
           HEADER_SIZE + transport->event_capacity * EVENT_SIZE + transport->byte_capacity <= size;
}

static void remember_error_file(void)
{
    if (fstat(2, &transport->error_file) < 0)
        transport->error_file.st_ino = 0;
}

int ring_open(int fd, pid_t drain)
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
    if (!is_ring(memory, (uint64_t)info.st_size)) {
        munmap(memory, (size_t)info.st_size);
        PyErr_SetString(PyExc_ValueError, "the shared memory is not a wrongcall ring");
        return -1;
    }
    madvise(memory, (size_t)info.st_size, MADV_DONTFORK);
    transport->drain_pid = drain == 0 ? getppid() : drain;
    transport->drain_began = drain == 0 ? 0 : process_start(drain);
    remember_error_file();
    use(memory);
    return 0;
}

void ring_open_later(void)
{
    recorder.ring = (Ring){transport->nowhere, 0, 0, 0, &transport->nowhere_head};
    transport->byte_head = transport->byte_limit = 0;
    transport->waiting_to_open = true;
    recorder.recording = true;
}

/* Makes a ring of this process in the shared folder. */
static char *made_ring(void)
{
    size_t size = HEADER_SIZE + (size_t)CHILD_EVENTS * EVENT_SIZE + CHILD_BYTES;
    char *memory = folder_file_new(size);
    if (memory == NULL)
        return NULL;
    uint32_t numbers[2] = {EVENT_FORMAT_VERSION, EVENT_SIZE};
    uint64_t sizes[2] = {CHILD_EVENTS, CHILD_BYTES},
             own[3] = {transport->process, (uint64_t)getpid(), process_start(getpid())};
    memcpy(memory, MAGIC, sizeof MAGIC);
    memcpy(memory + AT_VERSION, numbers, sizeof numbers);
    memcpy(memory + AT_EVENTS, sizes, sizeof sizes);
    memcpy(memory + AT_PROCESS, own, sizeof own);
    transport->event_capacity = CHILD_EVENTS;
    transport->byte_capacity = CHILD_BYTES;
    madvise(memory, size, MADV_DONTFORK);
    return memory;
}

bool ring_make(void)
{
    transport->waiting_to_open = false;
    char *memory = made_ring();
    if (memory == NULL) {
        go_nowhere();
        return false;
    }
    remember_error_file();
    use(memory);
    if (!folder_file_ready()) {
        go_nowhere(); /* nobody would ever empty it */
        return false;
    }
    transport->last_mark = 0;
    recorder.ring.limit = 0; /* it begins with a mark */
    return true;
}

void ring_stop(int state)
{
    if (UNLIKELY(transport->waiting_to_open))
        ring_make(); /* from it the reader learns why there is nothing */
    if (transport->memory == NULL)
        return;
    go_nowhere();
    *word(AT_STATE) = (uint64_t)state;
}

void ring_close(void)
{
    if (transport->memory != NULL)
        munmap(transport->memory,
               HEADER_SIZE + transport->event_capacity * EVENT_SIZE + transport->byte_capacity);
    transport->memory = NULL;
}

/* The reader is gone, or memory ran out: the program continues unrecorded. */
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
        set_limits(events, bytes);
        if (needed_event <= transport->event_limit && needed_byte <= transport->byte_limit)
            break;
        if (__atomic_load_n(word(AT_DRAIN), __ATOMIC_ACQUIRE) != 0)
            ring_stop(GAVE_UP_READER); /* it said so itself */
        else if (!drain_lives())
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
    set_limits(__atomic_load_n(word(AT_EVENT_TAIL), __ATOMIC_ACQUIRE),
               __atomic_load_n(word(AT_BYTE_TAIL), __ATOMIC_ACQUIRE));
    return needed_event <= transport->event_limit && needed_byte <= transport->byte_limit;
}

/* Makes room, with the ring open; false: recording has ended. */
static bool make_room(uint64_t events, uint64_t bytes)
{
    if (UNLIKELY(transport->waiting_to_open) && !ring_make())
        return false;
    if (recorder.recording && !refresh_limits(recorder.ring.head + events, transport->byte_head + bytes))
        wait_for_room(recorder.ring.head + events, transport->byte_head + bytes);
    return recorder.recording;
}

static void mark(void)
{
    struct timespec clock;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    uint64_t now = (uint64_t)clock.tv_sec * 1000000000u + (uint64_t)clock.tv_nsec;
    if (transport->last_mark != 0 && now - transport->last_mark < MARK_GAP_NS)
        return;
    transport->last_mark = now;
    recorder.ring.events[recorder.ring.head & recorder.ring.mask] =
        (Event){.kind = EV_MARK, .vtag = TAG_INT, .value = now};
    recorder.ring.head++;
    __atomic_store_n(recorder.ring.shared_head, recorder.ring.head, __ATOMIC_RELEASE);
}

void ring_wait(void)
{
    if (!make_room(2, 0) || !several_recorded())
        return;
    mark();
    recorder.ring.limit = recorder.ring.head + 1;
}

/* Appends to the byte stream; the event that owns the bytes must follow. */
void ring_bytes(const void *data, size_t size)
{
    const char *from = data;
    if (UNLIKELY(transport->waiting_to_open))
        ring_make();
    while (size > 0 && recorder.recording) {
        size_t part = size < transport->byte_capacity / 2 ? size : transport->byte_capacity / 2;
        if (transport->byte_head + part > transport->byte_limit) {
            if (!make_room(0, part))
                return;
            recorder.ring.limit = recorder.ring.head; /* the next event may need a mark */
        }
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
