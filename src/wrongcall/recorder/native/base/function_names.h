/* Names of functions, compared. */
#ifndef WRONGCALL_FUNCTION_NAMES_H
#define WRONGCALL_FUNCTION_NAMES_H

#include <stdbool.h>
#include <string.h>

static inline bool one_of(const char *name, const char *const *names) /* ends with NULL */
{
    for (; *names != NULL; names++) {
        if (strcmp(name, *names) == 0)
            return true;
    }
    return false;
}

/* __iadd__ and its like: the special methods that change an object in place. */
static inline bool is_in_place(const char *name)
{
    static const char *const others[] = {"__iter__", "__int__",           "__index__",         "__invert__",
                                         "__init__", "__init_subclass__", "__instancecheck__", NULL};
    return strncmp(name, "__i", 3) == 0 && !one_of(name, others);
}

#endif
