"""Names of functions, with and without what a generic one was made for."""

import re

# What the library's two versions of a type are told apart by.
ABI_TAG = re.compile(r"\[abi:\w+\]")
HASH = re.compile(r"::h[0-9a-f]{16}$")
# Rust's older way to write a name.
WRITTEN = (("$LT$", "<"), ("$GT$", ">"), ("$RF$", "&"), ("$u20$", " "), ("..", "::"))


def without_arguments(name):
    """`int ns::fill<std::vector<int>>(int)` -> `ns::fill`, with what stands in angle brackets left out, and what it returns."""
    kept, depth = [], 0
    for at, char in enumerate(name):
        if char == "<" and not name[:at].endswith("operator"):
            depth += 1
        elif char == ">" and depth and name[at - 1] != "-":
            depth -= 1
        elif not depth:
            if char == "(" and kept and kept[-1] not in " :" and not "".join(kept).endswith("operator"):
                break
            kept.append(char)
    return of_its_own("".join(kept))


def of_its_own(name):
    """Without the type that it returns, which LLDB has in front of a template's name."""
    head, operator, rest = name.partition("operator")
    if operator:
        return of_its_own(head) + operator + rest if head.strip("<") else name
    depth, start = 0, 0
    for at, char in enumerate(name):
        # Behind its arguments: `const` and the like.
        if char == "(" and depth == 0 and at > start and not name.startswith("(anonymous", at):
            break
        depth += (char in "<({[") - (char in ">)}]")
        if char == " " and depth == 0:
            start = at + 1
    return name[start:].lstrip("*&")


def parts_of(name):
    return [part for part in HASH.sub("", name).split("::") if part]


def is_called(name, asked):
    """By its last parts; with what it was made for only if that is asked for. Rust leaves a type out of the names of its methods."""
    for one, other in WRITTEN:
        name = name.replace(one, other)
    if "<" in asked:
        return asked.replace(" ", "") in name.replace(" ", "")
    has, wanted = parts_of(ABI_TAG.sub("", without_arguments(name))), parts_of(ABI_TAG.sub("", asked))
    if len(has) < len(wanted) or not wanted:
        return False
    pairs = zip(has[-len(wanted) :], wanted)
    return all(one == other or (one.startswith("{impl") and at < len(wanted) - 1) for at, (one, other) in enumerate(pairs))
