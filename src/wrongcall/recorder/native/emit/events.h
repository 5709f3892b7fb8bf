/* The numbers of wrongcall/events.py, for the native core. A test compares the two. */
#ifndef WRONGCALL_EVENTS_H
#define WRONGCALL_EVENTS_H

#define EVENT_FORMAT_VERSION 5
#define EVENT_SIZE 32
#define EV_SEEN 0x80

/* clang-format off */
#define WC_KINDS(X)                                                                               \
    X(META, 1) X(TYPE, 2) X(NAME, 3) X(CONTENT, 4) X(CONTENT_APPEND, 5) X(THREAD, 6) X(FIELDS, 7) \
    X(MARK, 15)                                                                                   \
    X(ENTER, 16) X(RETURN, 17) X(RAISE, 18) X(CREATE, 19) X(START, 20) X(YIELD, 21)               \
    X(RESUME, 22) X(DROP, 23) X(CAUGHT, 24) X(PRINT, 25) X(BLOCK, 26) X(PROCESS, 27) X(CLOSURE, 28) \
    X(CELL, 29) X(ACTIVATION, 30)                                                                 \
    X(LOCAL, 32) X(LOCAL_DEL, 33) X(ATTR, 36) X(ATTR_DEL, 37) X(SPLICE, 39) X(ITEM, 40) X(INSERT, 41)           \
    X(REMOVE, 42) X(PATCH, 43) X(ENTRY, 44) X(ENTRY_DEL, 45) X(MEMBER, 46) X(MEMBER_DEL, 47) X(CLEAR, 48)      \
    X(FILL, 49) X(KEY, 50) X(OBJ, 64) X(EXPLORED, 66) X(ALIAS, 67)

#define WC_TAGS(X)                                                                                \
    X(UNSET, 0) X(CONST, 1) X(INT, 2) X(FLOAT, 3) X(OBJ, 4) X(STR, 5) X(BYTES, 6) X(BIGINT, 7)    \
    X(COMPLEX, 8) X(TUPLE, 9) X(NAME, 10) X(CHAR, 11) X(STR_INLINE, 16) X(BYTES_INLINE, 32)

#define WC_LAYOUTS(X)                                                                             \
    X(OPAQUE, 0) X(LIST, 1) X(TUPLE, 2) X(DICT, 3) X(SET, 4) X(FROZENSET, 5) X(DEQUE, 6)          \
    X(BYTEARRAY, 7) X(ARRAY, 8) X(INSTANCE, 9) X(CLASS, 10) X(FUNCTION, 11) X(METHOD, 12)         \
    X(MODULE, 13) X(EXCEPTION, 14) X(ACTIVATION, 15) X(NDARRAY, 16) X(SCALAR, 17) X(RANGE, 18)    \
    X(SLICE, 19) X(ELEMENT, 20)

#define WC_ORIGINS(X) X(UNKNOWN, 0) X(PROGRAM, 1) X(LIBRARY, 2) X(BUILTIN, 3) X(NATIVE, 4)

#define WC_PASSINGS(X) X(UNKNOWN, 2) X(PLAIN, 12) X(BOUND, 13) X(CONTINUED, 14)
/* clang-format on */

#define X(name, number) EV_##name = number,
enum wc_kind { WC_KINDS(X) };
#undef X
#define X(name, number) TAG_##name = number,
enum wc_tag { WC_TAGS(X) };
#undef X
#define X(name, number) LAYOUT_##name = number,
enum wc_layout { WC_LAYOUTS(X) LAYOUT_LONG_STR = 64 /* internal: a long string, never in a trace */ };
#undef X

#define X(name, number) PASSING_##name = number,
enum wc_passing { WC_PASSINGS(X) };
#undef X

#define X(name, number) ORIGIN_##name = number,
enum wc_origin { WC_ORIGINS(X) };
#undef X

enum wc_const { CONST_NONE = 0, CONST_FALSE, CONST_TRUE, CONST_ELLIPSIS, CONST_NOT_IMPLEMENTED };

#endif
