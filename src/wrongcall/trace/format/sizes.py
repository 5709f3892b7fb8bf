"""How many events the parts of a trace have. Changing one of these changes the format."""

from __future__ import annotations

SEGMENT_EVENTS = 65_536
"""Events in a full segment."""

EXTENT = 8
"""Segments that share an owner index and a checkpoint."""
EXTENT_EVENTS = EXTENT * SEGMENT_EVENTS
OWNER_INDEX_SHARE = 4
"""At most one in this many events of an extent is in its owner index."""
PAGE = 512
"""Events in one page of an owner index."""

GROUP_EXTENTS = 8
"""Extents in a group, which share a checkpoint."""
CHUNK = 256
"""Events in one chunk of a checkpoint."""
MOST_MERGED = 1 << 20
"""Above this number of events, an extent group gets no checkpoint: the writer has to hold them all."""
