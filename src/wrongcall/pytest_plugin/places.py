"""Where the traces of tests are: ``.wrongcall/<test id>/<attempt>.wrongcall`` below pytest's root folder."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path, PurePosixPath

FOLDER = ".wrongcall"
SUFFIX = ".wrongcall"
MAX_NAME_CHARACTERS = 100
_UNUSUAL = re.compile(r"[^\w.-]", re.ASCII)
_IGNORED = (
    "# Made by wrongcall. Answers can be shared, traces are not.\n*\n!.gitignore\n!answers.db\n"
)


def folder_of(root: Path, test: str) -> Path:
    """Return the folder for the traces of a test.

    It is named as the test is. Names with characters that a shell or a file system might not take get a hash of the
    whole name, so that no two tests share a folder.
    """
    file, _, name = test.partition("::")
    parts = PurePosixPath(file.replace("\\", "/")).parts
    plain = [_UNUSUAL.sub("_", part) for part in parts if part not in ("/", "..")]
    if name:
        plain.append(_UNUSUAL.sub("_", name.replace("::", "."))[:MAX_NAME_CHARACTERS])
    if plain != [*PurePosixPath(file).parts, *([name.replace("::", ".")] if name else [])]:
        hashed = hashlib.sha256(test.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        plain = [*plain[:-1], "-".join((*plain[-1:], hashed))]
    return Path(root, FOLDER, *plain)


def next_attempt(folder: Path) -> Path:
    """Return the path for one more trace of a test, in a folder that exists from now on."""
    folder.mkdir(parents=True, exist_ok=True)
    taken = [int(p.stem) for p in folder.glob(f"*{SUFFIX}") if p.stem.isdecimal()]
    return folder / f"{max(taken, default=0) + 1}{SUFFIX}"


def prepare(root: Path) -> None:
    """Make the folder for all traces, which git ignores; it does not ignore the answers beside them."""
    folder = root / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    ignored = folder / ".gitignore"
    if not ignored.exists():
        ignored.write_text(_IGNORED)
