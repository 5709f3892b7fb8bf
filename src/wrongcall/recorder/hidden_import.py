"""Import the recorder's modules from the folder that they are in, where the program does not see them.

The interpreter of the program has no wrongcall installed, or another one. So neither ``sys.path`` nor
``sys.meta_path`` is asked for our modules, and none is in ``sys.modules``: each is executed with builtins of its own,
whose ``__import__`` is a `HiddenImport`. Modules of the interpreter that it has not loaded before are hidden as well; a
program that imports them loads them as ever.

Nothing is imported here that an interpreter does not load before it runs a program.
"""

import _imp
import builtins
import sys
from _frozen_importlib import BuiltinImporter, ModuleSpec
from _frozen_importlib_external import ExtensionFileLoader, SourceFileLoader

PACKAGE = "wrongcall.recorder"
NATIVE = "_native"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
else:
    ModuleType = type(sys)


class HiddenImport:
    """Stands in for ``__import__`` in the recorder's modules."""

    def __init__(self, folder: str) -> None:
        self.folder = folder  # with the separator at its end
        self.native: str | None = None  # the path of the native core, if it is elsewhere
        self.modules: dict[str, ModuleType] = {}
        self.builtins = {**vars(builtins), "__import__": self}
        self.package = ModuleType(PACKAGE)  # what ``from wrongcall.recorder import ...`` looks in
        self.future = ModuleType("__future__")
        self.future.__dict__["annotations"] = None

    def __call__(
        self,
        name: str,
        namespace: object = None,
        variables: object = None,
        names: tuple[str, ...] | list[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """Import as the statement does that passes these arguments."""
        if name == "__future__":
            return self.future
        if name == PACKAGE:
            for part in names or ():
                self.load(part)
            return self.package
        if name.startswith(PACKAGE + "."):
            return self.load(name[len(PACKAGE) + 1 :])
        if isinstance(names, list):
            # By C code: the compiler, for names that are not ASCII. It looks in sys.modules then, as it does plain.
            return __import__(name)
        if name not in self.modules:
            self.modules[name] = _unseen(name)
        return self.modules[name]

    def load(self, part: str) -> ModuleType:
        """Return a module of the recorder."""
        if part not in self.modules:
            module = self._extension() if part == NATIVE else self._module(part)
            self.modules[part] = module
            setattr(self.package, part, module)
        return self.modules[part]

    def _module(self, part: str) -> ModuleType:
        name, path = f"{PACKAGE}.{part}", f"{self.folder}{part}.py"
        module = ModuleType(name)
        module.__dict__.update(__file__=path, __builtins__=self.builtins)
        code = SourceFileLoader(name, path).get_code(name)
        assert code is not None
        exec(code, module.__dict__)
        return module

    def _extension(self) -> ModuleType:
        """Load the native core under its usual name: the interpreter initialises it once for each name."""
        name, path = f"{PACKAGE}.{NATIVE}", self.native or self._extension_here()
        if not path.endswith(_suffixes()):
            sys.exit(f"wrongcall: {path} is not made for {sys.executable}")
        kept = sys.modules.get(name)
        module = _imp.create_dynamic(ModuleSpec(name, ExtensionFileLoader(name, path), origin=path))
        _imp.exec_dynamic(module)
        if kept is None:
            sys.modules.pop(name, None)
        else:
            sys.modules[name] = kept
        return module

    def _extension_here(self) -> str:
        return f"{self.folder}{NATIVE}{_suffixes()[0]}"


def _suffixes() -> tuple[str, ...]:
    """Return how names of extensions made for exactly this interpreter end."""
    return tuple(suffix for suffix in _imp.extension_suffixes() if ".cpython-" in suffix)


def _unseen(name: str) -> ModuleType:
    """Import a module of the interpreter; if it is one of C, leave no more in sys.modules than before.

    Modules of C can be loaded again. (Without ``site``, the interpreter has not loaded ``os``, and then the program
    sees it: two copies of its variables would be worse.)
    """
    before = set(sys.modules)
    module = __import__(name, None, None, ["*"])
    if module.__loader__ is BuiltinImporter or isinstance(module.__loader__, ExtensionFileLoader):
        for added in set(sys.modules) - before:
            del sys.modules[added]
    return module
