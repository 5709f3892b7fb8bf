"""Metaclasses, descriptors, dataclasses, cooperative inheritance, attribute hooks."""

import abc
import dataclasses
import enum


class Registry(type):
    known = []

    def __new__(meta, name, bases, namespace, **options):
        cls = super().__new__(meta, name, bases, namespace, **options)
        meta.remember(cls)
        return cls

    @classmethod
    def remember(meta, cls):
        meta.known.append(cls.__name__)

    def __call__(cls, *args):
        made = super().__call__(*args)
        made.sealed = True
        return made


class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, owner=None):
        return self if obj is None else getattr(obj, self.name)

    def __set__(self, obj, value):
        if check_positive(value):
            setattr(obj, self.name, value)
        else:
            raise ValueError(value)


def check_positive(value):
    return value > 0


class Shape(metaclass=Registry):
    size = Positive()

    def __init_subclass__(cls, sides=0):
        cls.sides = sides

    def __init__(self, size):
        self.size = size

    def area(self):
        return 0


class Coloured:
    def __init__(self, *args, colour="red"):
        super().__init__(*args)
        self.colour = colour

    def area(self):
        return super().area() + 1


class Square(Coloured, Shape, sides=4):
    def area(self):
        return super().area() + self.size**2

    def __getattr__(self, name):
        if name.startswith("get_"):
            return lambda: getattr(self, name[4:])
        raise AttributeError(name)


@dataclasses.dataclass(order=True)
class Item:
    weight: int
    tags: list = dataclasses.field(default_factory=lambda: ["new"])

    def __post_init__(self):
        self.weight = clamp(self.weight)


def clamp(n):
    return min(n, 10)


class Level(enum.Enum):
    LOW = 1
    HIGH = 2

    @property
    def opposite(self):
        return Level(3 - self.value)


class Base(abc.ABC):
    @abc.abstractmethod
    def run(self): ...


class Concrete(Base):
    def run(self):
        return "ran"


square = Square(3)
print(square.area(), square.size, square.get_colour(), Square.sides, hasattr(square, "nothing"))
try:
    square.size = -1
except ValueError as error:
    print("refused", error)
print(Item(50) < Item(5), Item(3).tags)
print(Level.LOW.opposite.name, Concrete().run(), Registry.known)
