"""A program that ends by an exception."""

CRASH = """
def parse(text):
    return int(text)

def load(lines):
    return [parse(line) for line in lines]

def main():
    print("loading")
    print("loaded", load(["1", "x"]))

main()
"""
