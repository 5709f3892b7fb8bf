"""Print the import graph of the sources as a table: modules, edges and levels of each layer.

    python tools/import_graph.py [FOLDER]

FOLDER contains the package (default: src). A level is the longest chain of imports inside the layer. Run it with the
Python of .venvs/main, which has grimp.
"""

from __future__ import annotations

import sys
from pathlib import Path

import grimp

PACKAGE = "wrongcall"


def main() -> None:
    """Print the table."""
    folder = sys.argv[1] if len(sys.argv) > 1 else "src"
    sys.path.insert(0, str(Path(folder).resolve()))
    graph = grimp.build_graph(PACKAGE, cache_dir=None, exclude_type_checking_imports=True)
    print("| layer | modules | imports inside | levels | imports of other layers |")
    print("| --- | --- | --- | --- | --- |")
    totals = [0, 0, 0]
    for layer in sorted(graph.find_children(PACKAGE)):
        modules = {layer} | graph.find_descendants(layer)
        pairs = {(m, to) for m in modules for to in graph.find_modules_directly_imported_by(m)}
        # A package is imported along with each of its modules: that says nothing.
        pairs = {(m, to) for m, to in pairs if not f"{m}.".startswith(f"{to}.")}
        inside = {(m, to) for m, to in pairs if to in modules}
        outside = len(pairs) - len(inside)
        levels = longest_chain(modules, inside)
        name = layer.removeprefix(f"{PACKAGE}.")
        print(f"| {name} | {len(modules)} | {len(inside)} | {levels} | {outside} |")
        totals = [totals[0] + len(modules), totals[1] + len(inside), totals[2] + outside]
    print(f"| all | {totals[0]} | {totals[1]} | | {totals[2]} |")


def longest_chain(modules: set[str], imports: set[tuple[str, str]]) -> int:
    """Return the number of modules in the longest chain of imports; a cycle counts once."""
    below: dict[str, set[str]] = {module: set() for module in modules}
    for module, to in imports:
        below[module].add(to)
    known: dict[str, int] = {}

    def depth(module: str, path: frozenset[str]) -> int:
        if module in path:
            raise SystemExit(f"{module} imports itself, by way of {', '.join(sorted(path))}")
        if module not in known:
            deeper = (depth(to, path | {module}) for to in below[module])
            known[module] = 1 + max(deeper, default=0)
        return known[module]

    return max(depth(module, frozenset()) for module in modules)


if __name__ == "__main__":
    main()
