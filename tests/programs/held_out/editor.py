"""An editor for one line that can undo and redo."""


class Editor:
    """A text, with what was done to it."""

    def __init__(self):
        self.text = ""
        self.done = []
        self.undone = []

    def type(self, more):
        """Add to the text."""
        self.done.append(self.text)
        self.text += more

    def undo(self):
        """Take the last change back."""
        if self.done:
            self.undone.append(self.text)
            self.text = self.done.pop()

    def redo(self):
        """Do again what was taken back."""
        if self.undone:
            self.done.append(self.text)
            self.text = self.undone.pop()


def replay(commands):
    """Return the text after some commands."""
    editor = Editor()
    for command in commands:
        if command == "undo":
            editor.undo()
        elif command == "redo":
            editor.redo()
        else:
            editor.type(command)
    return editor.text


def main():
    print(replay(["a", "b", "undo", "c", "redo", "d"]))


main()
