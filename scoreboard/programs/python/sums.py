"""Expressions: read, evaluated, written again."""

LEVELS = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}


def tokens(text):
    found = []
    at = 0
    while at < len(text):
        char = text[at]
        if char == " ":
            at += 1
            continue
        if char.isdigit():
            end = at
            while end < len(text) and text[end].isdigit():
                end += 1
            found.append(int(text[at:end]))
            at = end
            continue
        if char in LEVELS or char in "()":
            found.append(char)
            at += 1
            continue
        raise SyntaxError(f"{char!r} at {at}")
    return found


class Reader:
    def __init__(self, found):
        self.found = found
        self.at = 0

    def peek(self):
        return self.found[self.at] if self.at < len(self.found) else None

    def take(self):
        token = self.peek()
        self.at += 1
        return token

    def expression(self, least=1):
        left = self.operand()
        while True:
            sign = self.peek()
            level = LEVELS.get(sign, 0)
            if level < least:
                return left
            self.take()
            right = self.expression(level if sign == "^" else level + 1)
            left = (sign, left, right)

    def operand(self):
        token = self.take()
        if token == "(":
            inner = self.expression()
            self.take()
            return inner
        if token == "-":
            return ("-", 0, self.operand())
        return token


def value(tree):
    if isinstance(tree, int):
        return tree
    sign, left, right = tree
    a, b = value(left), value(right)
    if sign == "+":
        return a + b
    if sign == "-":
        return a - b
    if sign == "*":
        return a * b
    if sign == "/":
        return a // b
    return a**b


def depth(tree):
    if isinstance(tree, int):
        return 0
    return 1 + max(depth(tree[1]), depth(tree[2]))


def calculate(text):
    reader = Reader(tokens(text))
    tree = reader.expression()
    return value(tree), depth(tree)


# driver

TEXTS = ["1 + 2 * 3", "(1 + 2) * 3", "2 ^ 3 ^ 2", "100 / 7 - 4", "-5 + 12 * (3 - 1)", "8 - 3 - 2"]


def main():
    for text in TEXTS:
        print(text, calculate(text))


if __name__ == "__main__":
    main()
