"""Which file of the reference corresponds to which file of the recorded program."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from wrongcall.oracles.reference.program import MAIN
from wrongcall.recording import Recording

_SOURCES = ("", "src", "lib")
_INIT = "__init__.py"


def counterparts(recording: Recording, reference: Path) -> dict[str, Path]:
    """Return the reference's file for each recorded module, whether it exists or not.

    ``reference``: a folder that stands for the project's, or a file that stands for the main program.
    """
    folder = reference if reference.is_dir() else reference.parent
    found: dict[str, Path] = {}
    for file in recording.program.files.values():
        if file.module in found or not all(map(str.isidentifier, file.module.split("."))):
            continue
        if file.module == MAIN and not reference.is_dir():
            found[MAIN] = reference
            continue
        places = list(places_of(recording, file.path, file.module, folder))
        found[file.module] = next((place for place in places if place.is_file()), places[0])
    return found


def places_of(recording: Recording, path: str, module: str, folder: Path) -> Iterator[Path]:
    """Iterate over where a module may be: where it was in the project, else where it would be imported from."""
    root = os.path.realpath(str(recording.meta.get("root", "")))
    real = os.path.realpath(path)
    if Path(real).is_relative_to(root):
        yield folder / Path(real).relative_to(root)
    name = Path(*module.split(".")) if module != MAIN else Path(Path(path).stem)
    for source in _SOURCES:
        yield folder / source / name.with_name(f"{name.name}.py")
        yield folder / source / name / _INIT


def import_folders(files: dict[str, Path]) -> list[str]:
    """Return the folders that modules are imported from, in the order of the modules."""
    found: dict[str, None] = {}
    for module, path in files.items():
        parts = 1 if module == MAIN else len(module.split("."))
        if path.name == _INIT and module != MAIN:
            parts += 1
        if len(path.parents) >= parts:
            found[str(path.parents[parts - 1])] = None
    return list(found)


def working_folder(recording: Recording, reference: Path) -> Path:
    """Return the reference's folder for the one that the program was started in."""
    folder = reference if reference.is_dir() else reference.parent
    root = os.path.realpath(str(recording.meta.get("root", "")))
    started = Path(os.path.realpath(str(recording.meta.get("folder", root))))
    if started.is_relative_to(root) and (folder / started.relative_to(root)).is_dir():
        return folder / started.relative_to(root)
    return folder
