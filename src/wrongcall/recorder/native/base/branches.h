/* Which way a branch usually goes. */
#ifndef WRONGCALL_BRANCHES_H
#define WRONGCALL_BRANCHES_H

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

#endif
