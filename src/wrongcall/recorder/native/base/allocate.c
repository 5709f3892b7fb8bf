/* Memory of the recorder. When there is none, recording ends and the program goes on.

   What is small is then taken from a reserve, so that whatever is being recorded can be finished; it is written
   to nowhere. After that nothing is allocated any more. What is large is refused: those who ask for it
   leave what they have as it is.

   Without recording, a program that has run out of memory still has some in small pieces, which are enough to handle
   the MemoryError. The recorder takes those too, so it holds a block that it returns when that happens. */
#include "base/compat.h"
#include "base/allocate.h"
#include "base/branches.h"
#include "emit/ring.h"
#include "recorder.h"
#include <sys/mman.h>

#define SMALL 65536       /* what is never refused */
#define RESERVE (1 << 20) /* address space only, until it is used */

#define RETURNED                                                                                             \
    (4 << 20) /* address space only: a few blocks of the size that the interpreter's allocator takes */

static _Alignas(16) char reserve[RESERVE];
static void *returned; /* what the program gets back when it runs out of memory */

void hold_memory(void)
{
    if (returned == NULL) {
        void *block = mmap(NULL, RETURNED, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        returned = block == MAP_FAILED ? NULL : block;
    }
}

void return_memory(void)
{
    if (returned != NULL)
        munmap(returned, RETURNED);
    returned = NULL;
}

void allocation_failed(void)
{
    if (recorder.recording)
        ring_give_up(GAVE_UP_MEMORY);
}

void drop_error(void)
{
    PyObject *error = PyErr_Occurred(); /* borrowed */
    if (error != NULL && PyErr_GivenExceptionMatches(error, PyExc_MemoryError))
        allocation_failed();
    PyErr_Clear();
}

void fail_allocation(long after)
{
    recorder.memory.failing = after;
}

/* For tests: whether this allocation fails. If so, all later ones fail, too. */
bool allocation_fails(void)
{
    if (LIKELY(recorder.memory.failing < 0))
        return false;
    if (recorder.memory.failing > 0)
        recorder.memory.failing--;
    return recorder.memory.failing == 0;
}

static bool is_reserve(void *block)
{
    return (char *)block >= reserve && (char *)block < reserve + RESERVE;
}

static void *from_reserve(size_t size)
{
    size = (size + 15) & ~(size_t)15;
    allocation_failed();
    if (size > SMALL || recorder.memory.reserve_used + size > RESERVE)
        return NULL;
    void *block = reserve + recorder.memory.reserve_used;
    recorder.memory.reserve_used += size;
    return block;
}

void *allocate(size_t count, size_t size)
{
    size_t wanted = count * size == 0 ? 1 : count * size;
    void *block = allocation_fails() ? NULL : calloc(1, wanted);
    return LIKELY(block != NULL) ? block : from_reserve(wanted);
}

void *reallocate(void *block, size_t count, size_t size)
{
    void *bigger = NULL;
    if (!is_reserve(block) && !allocation_fails())
        bigger = realloc(block, count * size);
    if (bigger == NULL)
        allocation_failed();
    return bigger;
}

void release(void *block)
{
    if (!is_reserve(block))
        free(block);
}
