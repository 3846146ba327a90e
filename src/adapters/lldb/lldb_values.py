"""What is in a container, beside how much: `size=3 {1, 2, 3}`."""

import sys

import lldb

MOST = 5
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


def content(value):
    count = value.GetNumChildren(MOST + 1)
    first = [brief(value.GetChildAtIndex(at)) for at in range(min(count, MOST))]
    return "{" + ", ".join(first + (["…"] if count > MOST else [])) + "}"


def is_left_out(kind, _internal):
    """Whether lldb-dap leaves such a member out of the line of what it is in, and says nothing: a structure by another name, an array."""
    own = kind.GetUnqualifiedType()
    if own.IsArrayType():
        return own.GetArrayElementType().GetCanonicalType().GetByteSize() != 1
    named = own.GetTypeClass() == lldb.eTypeClassTypedef and not (own.GetName() or "").startswith("std::")
    real = own.GetCanonicalType()
    return named and real.GetTypeClass() == lldb.eTypeClassStruct and not (real.GetName() or "").startswith("std::")


def members(value, _internal):
    """`{x:1, y:2}`, `{1, 2, 3}`"""
    if value.GetType().GetCanonicalType().IsArrayType():
        return content(value)
    told = [value.GetChildAtIndex(at) for at in range(min(value.GetNumChildren(), MOST))]
    more = ["…"] if value.GetNumChildren() > MOST else []
    return "{" + ", ".join([f"{one.GetName()}:{brief(one)}" for one in told] + more) + "}"


def container(value, _internal):
    value = followed(value)
    count = value.GetNumChildren()
    return f"size={count} {content(value)}" if count > 0 else "size=0"


def text_at(value, _internal):
    """The first of the texts that a `char **` leads to; how many there are nobody knows."""
    first = value.Dereference()
    return f"→ {first.GetSummary()}" if first.GetError().Success() and first.GetSummary() else ""


def optional(value, _internal):
    value = followed(value)
    return brief(value.GetChildAtIndex(0)) if value.GetNumChildren() > 0 else "nullopt"


def tuple(value, _internal):
    value = followed(value)
    told = [brief(value.GetChildAtIndex(at)) for at in range(value.GetNumChildren())]
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


def pointer_in(value):
    """What a unique_ptr owns, wherever its library keeps that: the first pointer there is in it."""
    plain = value.GetNonSyntheticValue()
    waiting = [plain]
    for _ in range(60):
        if not waiting:
            break
        one = waiting.pop(0)
        if one.GetType().IsPointerType():
            return one
        waiting.extend(one.GetChildAtIndex(at, lldb.eNoDynamicValues, False) for at in range(min(one.GetNumChildren(), 8)))
    # The tuple that libstdc++ keeps it in is more than LLDB makes of g++'s debug information: it is all there is, or not known.
    target, kind = value.GetTarget(), plain.GetType().GetCanonicalType()
    owns = kind.GetTemplateArgumentType(0)
    if not owns.IsValid() or kind.GetByteSize() != target.GetAddressByteSize():
        return None
    return plain.CreateValueFromAddress("pointer", plain.GetLoadAddress(), owns.GetPointerType())


def owned(value, _internal):
    pointer = pointer_in(followed(value))
    if pointer is None:
        return ""
    address = pointer.GetValueAsUnsigned()
    return "nullptr" if address == 0 else f"{address:#x} → {brief(pointer.Dereference())}"


class Owned:
    """A unique_ptr is opened as what it owns. LLDB's own view of two of them in a frame ends lldb-dap."""

    def __init__(self, value, _internal):
        self.value = value
        self.update()

    def update(self):
        pointer = pointer_in(self.value)
        there = pointer is not None and pointer.GetValueAsUnsigned() != 0
        self.target = pointer.Dereference() if there else None
        return False

    def has_children(self):
        return self.target is not None

    def num_children(self):
        return 0 if self.target is None else 1

    def get_child_index(self, _name):
        return 0 if self.target is not None else -1

    def get_child_at_index(self, _index):
        if self.target is None:
            return None
        return self.value.CreateValueFromAddress("*", self.target.GetLoadAddress(), self.target.GetType())


def followed(value):
    """A reference or a pointer is summed up as what it refers to."""
    kind = value.GetType()
    if kind.IsPointerType() or kind.IsReferenceType():
        return value.Dereference().GetSyntheticValue()
    return value


def __lldb_init_module(debugger, _internal):
    """Elsewhere than on a Mac, types that are called as its own are (`Rect`, `Point`) are the program's."""
    if sys.platform == "darwin":
        return
    for language in (lldb.eLanguageTypeObjC, lldb.eLanguageTypeObjC_plus_plus):
        debugger.GetCategory(language).SetEnabled(False)
