"""What is in a container, beside how much: `size=3 {1, 2, 3}`."""

import json
import sys

import lldb

MOST = 5
# Members of a structure, and about how much of them.
MOST_MEMBERS = 16
LINE = 160
# The same of a structure inside one, whose other members are to be seen too.
INNER = 24
# What is in what is in it is not shown.
DEEPEST = 2
_inside = []
LONGEST = 60


def brief(value):
    """In the words of its own summary, else as it is, else its members, one level deep."""
    pair = value.GetNumChildren() == 2 and value.GetChildAtIndex(0).GetName() == "first"
    text = None if pair else value.GetSummary() or value.GetValue()
    if text is not None:
        return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    members = [value.GetChildAtIndex(at) for at in range(min(value.GetNumChildren(), MOST))]
    names = [member.GetName() for member in members]
    told = [member.GetSummary() or member.GetValue() or "{…}" for member in members]
    if names == ["first", "second"]:
        return ": ".join(told)
    return "{" + ", ".join(f"{name}:{one}" for name, one in zip(names, told)) + "}"


def part(value):
    """Of a tuple: a pair in it is no entry of a map."""
    return value.GetSummary() or brief(value)


def content(value):
    count = value.GetNumChildren(MOST + 1)
    first = [brief(value.GetChildAtIndex(at)) for at in range(min(count, MOST))]
    return "{" + ", ".join(first + (["…"] if count > MOST else [])) + "}"


def is_left_out(kind, _internal):
    """Whether lldb-dap leaves such a member out of the line of what it is in, and says nothing (an array, a `class`, a structure by another
    name), or shows no more than 32 characters of its own members: any structure."""
    own = kind.GetUnqualifiedType()
    if own.IsPointerType():
        own = own.GetPointeeType().GetUnqualifiedType()
        if own.GetCanonicalType().GetTypeClass() not in (lldb.eTypeClassClass, lldb.eTypeClassStruct):
            return False
    if own.IsArrayType():
        return own.GetArrayElementType().GetCanonicalType().GetByteSize() != 1
    real = own.GetCanonicalType()
    if (real.GetName() or "").startswith("std::"):
        return False
    return real.GetTypeClass() in (lldb.eTypeClassClass, lldb.eTypeClassStruct)


def members(value, _internal):
    """`{x:1, y:2}`, `{1, 2, 3}`; of a pointer that leads nowhere nothing."""
    if value.GetType().IsPointerType():
        if value.GetValueAsUnsigned() == 0 or not is_there(value):
            return ""
        value = value.Dereference()
        if value.GetType().GetCanonicalType().IsPointerType() or value.GetNumChildren() == 0:
            return ""
    if value.GetType().GetCanonicalType().IsArrayType():
        return content(value)
    if len(_inside) >= DEEPEST:
        return "{…}"
    most = INNER if _inside else LINE
    _inside.append(value)
    try:
        told, length = [], 0
        for one in named_members(value, MOST_MEMBERS + 1):
            if length > most or len(told) == MOST_MEMBERS:
                told.append("…")
                break
            told.append(f"{one.GetName()}:{brief(one)}")
            length += len(told[-1]) + 2
        return "{" + ", ".join(told) + "}"
    finally:
        _inside.pop()


def named_members(value, most):
    """Those of a member without a name are its own."""
    told = []
    for at in range(min(value.GetNumChildren(), most)):
        one = value.GetChildAtIndex(at)
        told += [one] if one.GetName() else named_members(one, most)
    return told[:most]


def container(value, _internal):
    value = followed(value)
    count = value.GetNumChildren()
    return f"size={count} {content(value)}" if count > 0 else "size=0"


def is_there(value):
    """Whether there is memory where a pointer leads: LLDB takes what is not there for an empty text."""
    error = lldb.SBError()
    value.GetProcess().ReadMemory(value.GetValueAsUnsigned(), 1, error)
    return error.Success()


def missing(*places):
    """Says those of the addresses where nothing is."""
    process, gone = lldb.debugger.GetSelectedTarget().GetProcess(), []
    for place in places:
        error = lldb.SBError()
        process.ReadMemory(place, 1, error)
        if not error.Success():
            gone.append(hex(place))
    print("sonde " + json.dumps(gone))


def text_at(value, _internal):
    """The first of the texts that a `char **` leads to; how many there are nobody knows."""
    first = value.Dereference()
    return f"→ {first.GetSummary()}" if first.GetError().Success() and first.GetSummary() else ""


def tuple(value, _internal):
    value = followed(value)
    told = [part(value.GetChildAtIndex(at)) for at in range(value.GetNumChildren())]
    return "(" + ", ".join(told) + ")"


def bits(value, _internal):
    """As C++ writes it: the first bit last."""
    value = followed(value)
    told = [value.GetChildAtIndex(at) for at in range(value.GetNumChildren())]
    return "".join(str(int(one.GetValueAsUnsigned() != 0)) for one in reversed(told))


def array(value, _internal):
    """One without elements has a member all the same."""
    value = followed(value).GetNonSyntheticValue()
    inner = [value.GetChildMemberWithName(name) for name in ("_M_elems", "__elems_")]
    held = next((one for one in inner if one.IsValid() and one.GetType().IsArrayType()), None)
    if held is None:
        return "size=0"
    return f"size={held.GetNumChildren()} {content(held)}"


def followed(value):
    """A reference or a pointer is summed up as what it refers to."""
    kind = value.GetType()
    if kind.IsPointerType() or kind.IsReferenceType():
        plain = value.Dereference()
        made = plain.GetSyntheticValue()
        return made if made.IsValid() else plain  # a pair has members of its own, and nobody makes others of them
    return value


def __lldb_init_module(debugger, _internal):
    """Elsewhere than on a Mac, types that are called as its own are (`Rect`, `Point`) are the program's."""
    if sys.platform == "darwin":
        return
    for language in (lldb.eLanguageTypeObjC, lldb.eLanguageTypeObjC_plus_plus):
        debugger.GetCategory(language).SetEnabled(False)
