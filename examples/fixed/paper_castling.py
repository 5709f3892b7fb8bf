"""Castling on a chessboard; from Java.

Figure 1 of the paper "Balancing Execution Trees".
"""


class Position:
    """A square: column and row, both from 1 to 8."""

    def locate(self, column, row):
        self.x = column
        self.y = row

    def up(self):
        self.y = self.y + 1

    def down(self):
        self.y = self.y - 1

    def right(self):
        self.x = self.x + 1

    def left(self):
        self.x = self.x - 1


class Chess:
    """The rules."""

    def castling(self, tower, king):
        """Move the king two squares towards the tower, and the tower to his other side."""
        if tower.x == 8:
            for _ in range(2):
                tower.left()
            for _ in range(2):
                king.right()
        else:
            for _ in range(3):
                tower.right()
            for _ in range(2):
                king.left()


def main():
    chess = Chess()
    tower = Position()
    king = Position()
    king.locate(5, 1)
    tower.locate(8, 1)
    chess.castling(tower, king)
    print(f"king on {king.x}, tower on {tower.x}")


if __name__ == "__main__":
    main()
