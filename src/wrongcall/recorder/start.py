"""The script that starts the recorded process: it passes control to `boot` at once."""

import sys
from _frozen_importlib_external import SourceFileLoader

if not sys.flags.safe_path:
    del sys.path[0]  # this folder
folder = __file__.removesuffix("start.py")
loader = SourceFileLoader("wrongcall.recorder.hidden_import", folder + "hidden_import.py")
# Not these globals: they become the program's.
namespace = {"__name__": loader.name, "__builtins__": vars(sys.modules["builtins"])}
exec(loader.get_code(loader.name), namespace)  # type: ignore[arg-type]
hidden = namespace["HiddenImport"](folder)  # type: ignore[operator]
settings = hidden.load("settings").read(sys.argv[1])
hidden.native = settings.native
hidden.load("boot").main(settings, *sys.argv[2:])
