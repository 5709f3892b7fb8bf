/* The folder in which the recorded processes of a run have their rings, and the page that they share.

   The process that writes the trace makes the folder. A process that the program starts puts a file there, with its ring,
   under a temporary name, and renames it when its header is complete; then it counts it on the control page, which tells
   the reader to look. A file outlives the process, however that dies. It has a name because descriptors are the
   program's: it may close them, or not hand them on. */
#include "base/compat.h"
#include "emit/shared_folder.h"
#include "emit/ring.h"
#include "recorder.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    AT_DRAIN_STATE = 136,
    AT_DRAIN_PID = 192,
    AT_DRAIN_BEGAN = 200,
    CONTROL_SIZE = 4096,
    PATH_SIZE = 4096
};

static Transport *const transport = &recorder.transport;

static uint64_t *shared(int at)
{
    return (uint64_t *)(transport->control + at);
}

static int open_in(const char *folder, const char *name, int flags)
{
    char path[PATH_SIZE];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
}

int folder_join(const char *path, uint64_t process)
{
    int fd = open_in(path, "control", O_RDWR);
    char *memory = fd < 0 ? MAP_FAILED : mmap(NULL, CONTROL_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    char *own = strdup(path);
    if (memory == MAP_FAILED || own == NULL) {
        PyErr_SetFromErrnoWithFilename(PyExc_OSError, path);
        free(own);
        if (fd >= 0)
            close(fd);
        return -1;
    }
    close(fd);
    transport->folder = own;
    transport->control = memory;
    transport->process = process;
    return 0;
}

static void file_name(char *name, size_t size, const char *kind)
{
    snprintf(name, size, "%s-%llu", kind, (unsigned long long)transport->process);
}

/* Reserves the disk space: if a page could not be allocated later, a signal would kill the program. */
char *folder_file_new(size_t size)
{
    char name[32];
    if (transport->control == NULL || __atomic_load_n(shared(AT_DRAIN_STATE), __ATOMIC_ACQUIRE) != 0)
        return NULL;
    file_name(name, sizeof name, "new");
    int fd = open_in(transport->folder, name, O_RDWR | O_CREAT | O_EXCL);
    if (fd < 0)
        return NULL;
    char *memory = posix_fallocate(fd, 0, (off_t)size) == 0
                       ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
                       : MAP_FAILED;
    close(fd);
    if (memory != MAP_FAILED)
        return memory;
    char path[PATH_SIZE];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", transport->folder, name) < sizeof path)
        unlink(path);
    return NULL;
}

bool folder_file_ready(void)
{
    char from[PATH_SIZE], to[PATH_SIZE], name[32];
    file_name(name, sizeof name, "new");
    snprintf(from, sizeof from, "%s/%s", transport->folder, name);
    file_name(name, sizeof name, "ring");
    snprintf(to, sizeof to, "%s/%s", transport->folder, name);
    if (rename(from, to) < 0)
        return false;
    __atomic_fetch_add(shared(AT_RINGS), 1, __ATOMIC_RELEASE);
    return true;
}

uint64_t folder_new_process(void)
{
    if (!recorder.recording || transport->control == NULL ||
        __atomic_load_n(shared(AT_DRAIN_STATE), __ATOMIC_ACQUIRE) != 0)
        return 0;
    uint64_t number = __atomic_add_fetch(shared(AT_STARTED), 1, __ATOMIC_ACQ_REL) + 1;
    if (!transport->waiting_to_open)
        recorder.ring.limit = recorder.ring.head; /* from now on there are marks */
    return number;
}

/* -- who lives ---------------------------------------------------------------------------------------------- */

/* The 22nd field of /proc/PID/stat. The second is in parentheses and may contain anything; the third is its state. */
uint64_t process_start(pid_t pid)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    if (size <= 0)
        return 0;
    text[size] = '\0';
    char *at = strrchr(text, ')');
    if (at != NULL && (at[2] == 'Z' || at[2] == 'X')) /* it has ended, and nobody has waited for it */
        return 0;
    for (int field = 2; at != NULL && field < 22; field++)
        at = strchr(at + 1, ' ');
    return at == NULL ? 0 : strtoull(at, NULL, 10);
}

static bool is_alive(pid_t process, uint64_t when)
{
    if (kill(process, 0) < 0 && errno == ESRCH)
        return false;
    uint64_t began = process_start(process);
    return began == when || (began == 0 && process_start(getpid()) == 0);
}

/* The program itself is the drain's child, if the drain has started it; others have to look for it. */
bool drain_lives(void)
{
    if (transport->process != 1)
        return is_alive((pid_t)*shared(AT_DRAIN_PID), *shared(AT_DRAIN_BEGAN));
    if (transport->drain_began != 0)
        return is_alive(transport->drain_pid, transport->drain_began);
    return getppid() == transport->drain_pid;
}
