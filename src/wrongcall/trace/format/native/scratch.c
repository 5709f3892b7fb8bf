/* Memory that is used again. */
#include "scratch.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Beyond this, the memory of an unusual extent is not kept. */
#define MOST_KEPT ((size_t)64 << 20)

static _Atomic(Scratch *) kept;

static void free_scratch(Scratch *scratch)
{
    for (int i = 0; scratch != NULL && i < PURPOSES; i++)
        free(scratch->memory[i]);
    free(scratch);
}

Scratch *take_scratch(void)
{
    Scratch *scratch = atomic_exchange(&kept, NULL);
    return scratch != NULL ? scratch : calloc(1, sizeof *scratch);
}

void put_back_scratch(Scratch *scratch)
{
    size_t total = 0;
    for (int i = 0; scratch != NULL && i < PURPOSES; i++)
        total += scratch->sizes[i];
    if (total > MOST_KEPT) {
        free_scratch(scratch);
        return;
    }
    /* If another thread was faster, one of the two is enough. */
    free_scratch(atomic_exchange(&kept, scratch));
}

void *scratch_for(Scratch *scratch, int purpose, size_t size)
{
    if (scratch->memory[purpose] != NULL && scratch->sizes[purpose] >= size)
        return scratch->memory[purpose];
    free(scratch->memory[purpose]);
    scratch->memory[purpose] = malloc(size > 0 ? size : 1);
    scratch->sizes[purpose] = scratch->memory[purpose] != NULL ? size : 0;
    return scratch->memory[purpose];
}

void *scratch_grown(Scratch *scratch, int purpose, size_t size)
{
    if (scratch->memory[purpose] != NULL && scratch->sizes[purpose] >= size)
        return scratch->memory[purpose];
    void *memory = realloc(scratch->memory[purpose], size);
    if (memory == NULL)
        return NULL;
    scratch->memory[purpose] = memory;
    scratch->sizes[purpose] = size;
    return memory;
}
