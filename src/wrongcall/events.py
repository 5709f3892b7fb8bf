"""The vocabulary of a trace: what an event is, which kinds there are, how values are written.

Shared by the recorder, which hands events over, and the store, which keeps them. The native core has the same numbers
in ``recorder/native/emit/events.h``; a test compares the two.

An event is 32 bytes, little endian. Its position in the trace is its *time*::

     0       1       2       3       4               8              12              16
     +-------+-------+-------+-------+---------------+---------------+---------------+
     | kind  | ktag  | vtag  |  hi   |     site      |     call      |      obj      |
     +-------+-------+-------+-------+---------------+---------------+---------------+
    16                              24                              32
     +-------------------------------+-------------------------------+
     |              key              |             value             |
     +-------------------------------+-------------------------------+

``hi`` holds bits 32-35 of ``call`` (low nibble) and of ``obj`` (high nibble). ``site`` is a place in the source (0:
none). ``call`` is the call that the event belongs to (0: none). The meaning of ``obj``, ``key`` and ``value`` depends
on the kind; a key or value is read by its tag (see `Tag`).

Kinds with `SEEN` added mean "was found to be so", not "was changed": the contents of an object when it is first seen.
For computing a state, both count the same: ``kind & ~SEEN``.

Kinds that carry text or bytes (`CARRIERS`) have ``obj`` bytes in the byte stream that runs beside the events, in the
same order.
"""

from __future__ import annotations

from enum import IntEnum

FORMAT_VERSION = 5
EVENT_SIZE = 32
SEEN = 0x80
SITE_LINE = 1 << 31
"""A site with this bit is not a site: the rest is a line, where no call or statement has a site."""

NO_BLOCK = SITE_LINE - 1
"""The block of a site that says nothing about which block is running: its events can happen at any time."""


FROM = "from"
"""The name of a YIELD site that passes values through: ``yield from e``; its position is that of e."""


class Kind(IntEnum):
    """What an event says."""

    # -- dictionaries: carry bytes --------------------------------------------------------------
    META = 1  # JSON: one instrumented file with its functions, sites and source
    TYPE = 2  # value: type id; key: layout; ktag: a `TypeOrigin`; text: "module\0qualname"
    NAME = 3  # value: name id; text: an attribute's or global's name
    CONTENT = 4  # value: content id; vtag: STR, BYTES, BIGINT or COMPLEX; key: full length;
    #              ktag 1: only the beginning is stored. STR is UTF-8 with surrogates passed
    CONTENT_APPEND = 5  # value: content id; key: the content id it continues; bytes: the rest
    THREAD = 6  # value: thread number (from 1); key: the system's identifier; obj: the number of
    #             its process (from 1); no bytes
    FIELDS = 7  # value: type id; key: number of this declaration (from 1); text: the kind of
    #             class and the fields it declares, in order, as "dataclass\0x\0y"; a later
    #             declaration for the same type replaces an earlier one
    MARK = 15  # value: the clock (CLOCK_MONOTONIC, ns). Only on the way to the trace, while several
    #            processes are recorded: their events are ordered by it

    # -- calls -----------------------------------------------------------------------------------
    ENTER = 16  # call: new; obj: parent call; site: the function's entry site; value: function
    #             object if it is a closure; key: calling site | thread number << 32 (if the
    #             interpreter calls without a call expression: SITE_LINE | the line); ktag: a
    #             `Passing`, how the arguments at that site got to the parameters
    RETURN = 17  # value: what it returned. The last RETURN or RAISE of a call is its exit
    RAISE = 18  # value: the exception it ended with; key: line at which it left
    CREATE = 19  # like ENTER, for a generator or coroutine that was created and does not run yet
    START = 20  # a generator or coroutine runs for the first time; its parameters follow
    YIELD = 21  # value: what is yielded
    RESUME = 22  # value: what was sent, or what an await or `yield from` produced
    DROP = 23  # the activation is gone without RETURN or RAISE (abandoned, or a lambda that raised)
    CAUGHT = 24  # value: the exception; key: line at which it was raised in this call
    PRINT = 25  # key: 1 stdout, 2 stderr; value: the text
    BLOCK = 26  # the block of this site began (blocks without any other event have one). With a
    #             key (INT): no block began; an exception (value) left the running one at that line
    PROCESS = 27  # a process was started; key: INT, a `Start` | the number of the process that did
    #               it << 32; value: the first words of its command, or None; obj: its own number if
    #               it is recorded, else 0. With a name id as key (NAME): the process obj, which was
    #               forked, or runs already, has the module of this name from its beginning; value: the module
    CLOSURE = 28  # key: name id of a free variable; obj: the call whose variable it is
    CELL = 29  # obj: function object; key: name id; value: INT, the call whose variable it is
    ACTIVATION = 30  # obj: generator or coroutine object; call: the call it is

    # -- writes ------------------------------------------------------------------------------------
    LOCAL = 32  # site: which variable; value. obj: 0, or the call whose variable it is (nonlocal)
    LOCAL_DEL = 33
    ATTR = 36  # obj; key: name id (ktag NAME); value. Globals are attributes of their module
    ATTR_DEL = 37
    SPLICE = 39  # obj: a bytearray or array; key: index; ktag: type code; value: BYTES, elements
    #              that are put in before what is at index
    ITEM = 40  # obj; key: index; value
    INSERT = 41  # obj; key: index; value: put before what is at index
    REMOVE = 42  # obj; key: index; value: INT, how many elements from there are taken out
    PATCH = 43  # obj: a bytearray, array or ndarray; key: index; ktag: type code; value: BYTES,
    #             what the elements from there on are now
    ENTRY = 44  # obj; ktag, key: a dict key; value
    ENTRY_DEL = 45
    MEMBER = 46  # obj; ktag, key: an element of a set
    MEMBER_DEL = 47
    CLEAR = 48  # obj: all items, entries or members are gone (attributes stay); value: INT, how
    #             many elements an ndarray has now, or UNSET
    FILL = 49  # obj: a bytearray or array; value: BYTES, its whole contents from now on;
    #            key: the type code
    KEY = 50  # obj: dict or set; ktag TUPLE, key: structural id; value: the tuple that is the key

    # -- first sight ---------------------------------------------------------------------------------
    OBJ = 64  # obj: new id; key: type id; ktag: layout; value: INT, its length;
    #           vtag UNSET instead: its contents are not explored yet.
    #           Again for the same id: its class was replaced, what it holds stays
    EXPLORED = 66  # obj: its contents follow as SEEN kinds (it had been left unexplored);
    #                value: INT, its length
    ALIAS = 67  # obj: a dict; value: OBJ, the instance or module whose __dict__ it is


CARRIERS = frozenset(
    {Kind.META, Kind.TYPE, Kind.NAME, Kind.CONTENT, Kind.CONTENT_APPEND, Kind.FIELDS}
)


class Tag(IntEnum):
    """How to read a key or a value."""

    UNSET = 0  # no value
    CONST = 1  # 0 None, 1 False, 2 True, 3 Ellipsis, 4 NotImplemented
    INT = 2  # signed 64 bits
    FLOAT = 3  # IEEE 754 bits
    OBJ = 4  # object id
    STR = 5  # content id
    BYTES = 6  # content id
    BIGINT = 7  # content id; the content is hexadecimal text, with a sign
    COMPLEX = 8  # content id; the content is two IEEE 754 doubles
    TUPLE = 9  # structural id of a tuple of atoms used as a key; a KEY event names the tuple
    NAME = 10  # name id
    CHAR = 11  # a string of one character: its code point
    STR_INLINE = 16  # 16 + n: a string of n <= 8 ASCII characters, the first in the lowest byte
    BYTES_INLINE = 32  # 32 + n: n <= 8 bytes, the first in the lowest byte


class Layout(IntEnum):
    """How an object's contents are written."""

    OPAQUE = 0  # nothing but its type is known
    LIST = 1  # ITEM, INSERT, REMOVE
    TUPLE = 2  # ITEM
    DICT = 3  # ENTRY
    SET = 4  # MEMBER
    FROZENSET = 5  # MEMBER
    DEQUE = 6  # ITEM, INSERT, REMOVE
    BYTEARRAY = 7  # FILL, then ITEM, INSERT, REMOVE and, for several elements, PATCH, SPLICE
    ARRAY = 8  # the same
    INSTANCE = 9  # ATTR
    CLASS = 10  # ATTR
    FUNCTION = 11  # ATTR __qualname__, CELL
    METHOD = 12  # ATTR __func__, __self__
    MODULE = 13  # ATTR
    EXCEPTION = 14  # ATTR args, __cause__, __context__ and its own
    ACTIVATION = 15  # a generator, coroutine or async generator
    NDARRAY = 16  # ATTR shape, dtype; ITEM, PATCH by flat index, the first 1,000 elements
    SCALAR = 17  # an instance of a subclass of int, float, str, bytes, complex: ATTR __value__
    RANGE = 18  # ATTR start, stop, step
    SLICE = 19  # ATTR start, stop, step
    ELEMENT = 20  # of xml.etree, ITEM, INSERT, REMOVE: its children; ATTR tag, text, tail, attrib


class TypeOrigin(IntEnum):
    """Where a type is defined."""

    UNKNOWN = 0
    PROGRAM = 1  # in a module that is recorded
    LIBRARY = 2  # in one that is not, the standard library included
    BUILTIN = 3  # in C: part of the interpreter, or a type whose inside the recorder can read
    NATIVE = 4  # in a library, in C or derived from that: what its objects hold is not all known


class Passing(IntEnum):
    """How the arguments of a call expression reached the parameters of the function it entered.

    The numbers differ from every `Tag` but INT, which older traces have here.
    """

    UNKNOWN = 2  # unrecorded code stands in between, or there is no call expression
    PLAIN = 12  # the function itself was called: the arguments as written
    BOUND = 13  # after a receiver: a method, a new object, an object that is called
    CONTINUED = 14  # there was no call: one that was running when its process forked goes on in the
    #                 child, as a child of the call that forked; or one that was running when the
    #                 recording began goes on. Its variables are not known until they are bound


class Start(IntEnum):
    """How a process was started."""

    FORKED = 1  # a copy of the program
    COMMAND = 2  # another program, Python perhaps
    REPLACED = 3  # another program in place of this one (`os.exec`)
    BEGUN = 4  # not a start: a recorded process has begun; value: the system's number for it, 0 if it failed
    ENDED = 5  # not a start: a process was waited for; obj: 0; value: the system's number, | its status << 32


class SiteKind(IntEnum):
    """What a site in the source is."""

    ENTRY = 1
    PARAM = 2
    RETURN = 3
    WRITE = 4  # a name is bound
    DELETE = 5  # a name is unbound
    ATTR = 6  # an attribute is stored or deleted
    ITEM = 7  # a subscript is stored or deleted
    CALL = 8
    CAUGHT = 9
    BLOCK = 10
    YIELD = 11
    RESUME = 12
    TARGET = 13  # a comprehension's variable is bound


class Scope(IntEnum):
    """Where the variable of a WRITE or DELETE site lives."""

    LOCAL = 0  # the call (also: the body of a class)
    GLOBAL = 1  # the module
    NONLOCAL = 2  # an enclosing call
