"""What is in a container, beside how much: `size=3 {1, 2, 3}`."""

import sys

import lldb

MOST = 5
LONGEST = 60


def brief(value):
    """In the words of its own summary, else as it is, else its members, one level deep."""
    text = value.GetSummary() or value.GetValue()
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


def container(value, _internal):
    value = followed(value)
    count = value.GetNumChildren()
    return f"size={count} {content(value)}" if count > 0 else "size=0"


def optional(value, _internal):
    value = followed(value)
    return brief(value.GetChildAtIndex(0)) if value.GetNumChildren() > 0 else "nullopt"


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
