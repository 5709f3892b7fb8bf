"""The files of the page, read once from the package: no path of a request ever opens a file."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

from wrongcall.errors import WrongcallError

INDEX = "index.html"
NONCE_MARK = b"NONCE-OF-THIS-RESPONSE"
_TYPES = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "woff2": "font/woff2",
}


@dataclass(frozen=True)
class Asset:
    """A file of the page."""

    content: bytes
    type: str


def load_assets() -> dict[str, Asset]:
    """Return the files of the page by their paths, as in ``assets/index.js``."""
    page = files("wrongcall.web") / "page"
    if not (page / INDEX).is_file():
        raise WrongcallError(
            "this installation has no page: node and npm were missing when it was built; install "
            "them and reinstall (pip install --force-reinstall --no-binary wrongcall wrongcall), "
            "or in a clone: make web"
        )
    found: dict[str, Asset] = {}
    _collect(page, "", found)
    return found


def _collect(folder: Traversable, prefix: str, found: dict[str, Asset]) -> None:
    for entry in folder.iterdir():
        name = prefix + entry.name
        if entry.is_dir():
            _collect(entry, f"{name}/", found)
        else:
            kind = _TYPES.get(name.rpartition(".")[2], "application/octet-stream")
            found[name] = Asset(entry.read_bytes(), kind)
