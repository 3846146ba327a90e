"""Which variables of a C or C++ frame have no value of their own yet. A compiler gives them their places when the function begins, and until
their declaration has run debuggers show what an earlier call left there. Both LLDB and gdb load this; it knows neither."""

import linecache
import re

# Texts, letters and comments: nothing in them is code.
NOT_CODE = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)+'|//.*|/\*.*?\*/")
HEADER = re.compile(r"\b(?:for|while|if|switch|catch)\s*\(")
# What stands before the name that a declaration declares first, since the last statement or bracket of a block: a type, perhaps in a header.
TYPE = re.compile(r"\s*(?:(?:for|while|if|switch|catch)\s*\(\s*)?(?!(?:return|else|case|goto|delete|throw|new|co_\w+)\b)[A-Za-z_][\w\s:<>,*&\[\]]*[\s*&\[]")
FOLLOWS = re.compile(r"\s*(?:=(?!=)|[;,\[({]|:(?!:)|\]|$)")
MOST_LINES = 200

# What is only written, or of which only the place or the size is wanted, needs no value.
BEFORE = re.compile(r"(?:(?:^|[^\w\s)\]&])\s*&|\bsizeof\b\s*\(?)\s*$")
AFTER = re.compile(r"\s*=(?!=)")
MEMBER = re.compile(r"(?:\.|->|::)\s*$")


def refusal(lines, text):
    """Why an expression has no value, if that is because one of its variables has none. `lines`: those that have none, and where they are declared."""
    bare = NOT_CODE.sub(lambda one: " " * len(one.group()), text)
    for found in re.finditer(r"(?<![\w$])[A-Za-z_]\w*", bare):
        line, head = lines.get(found.group()), bare[: found.start()]
        if line and not MEMBER.search(head) and not BEFORE.search(head) and not AFTER.match(bare[found.end() :]):
            return f"{found.group()} has no value yet: line {line} declares it"
    return None


def is_unset(name, declared, path, line, at_start):
    """`declared`: its line, in the same file. `at_start`: the first part of this line has not run to its end. No where the text of the line does
    not show the declaration: in a macro, or in a source that has changed."""
    rest = declarator(name, code(path, declared))
    if rest is None or abs(declared - line) > MOST_LINES:
        return False
    if declared > line:
        return not is_in_header("\n".join(code(path, one) for one in range(line, declared)))
    if declared == line:
        return at_start or (not HEADER.search(code(path, line)) and is_alone(rest))
    if HEADER.search(code(path, declared)):
        return False
    before = rest + "".join(code(path, one) for one in range(declared + 1, line))
    here = ended(code(path, line), depth_of(before))
    # Where something else follows on this line, it may be there already.
    return ended(before) is None and (here is None or here.strip(" \t}") == "")


def code(path, line):
    return NOT_CODE.sub("", linecache.getline(path, line)).rstrip()


def declarator(name, text):
    """What follows the name where a line declares it; nothing if it is not seen to."""
    for found in re.finditer(rf"\b{re.escape(name)}\b", text):
        head = text[: found.start()]
        if not HEADER.search(head):
            head = re.split(r"[;{}]", head)[-1]
        if TYPE.fullmatch(head) and FOLLOWS.match(text[found.end() :]):
            return text[found.end() :]
    return None


def is_in_header(text):
    """Whether a loop's or condition's brackets are open at the end: what they declare is there each time that they are met again."""
    found = list(HEADER.finditer(text))
    return bool(found) and depth_of(text[found[-1].end() - 1 :]) > 0


def is_alone(rest):
    """Whether a line has nothing else that could run after the declaration: whoever stands on it is not through with that."""
    after = ended(rest)
    depth = 0
    for sign in rest if after is None else rest[: len(rest) - len(after)]:
        depth += (sign in "([{<") - (sign in ")]}>")
        if depth < 0 or (depth == 0 and sign == ","):
            return False
    return after is None or after.strip() == ""


def ended(text, depth=0):
    """What follows the end of a statement, or of the brackets around it; nothing if it does not end."""
    for at, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if depth < 0 or (depth == 0 and sign == ";"):
            return text[at + 1 :]
    return None


def depth_of(text):
    return sum((sign in "([{") - (sign in ")]}") for sign in text)
