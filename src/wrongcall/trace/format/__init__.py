"""How things are packed in a trace: columns, segments, indexes, tables, checksums."""
