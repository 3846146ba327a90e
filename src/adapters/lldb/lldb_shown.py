"""Values as lldb-dap shows them."""

import re

import lldb
import lldb_values

MOST_SUMMED = 32
PARTS = lldb.eTypeClassUnion | lldb.eTypeClassStruct | lldb.eTypeClassArray
NO_ADDRESS = lldb.LLDB_INVALID_ADDRESS
# What LLDB makes of memory that is not there: nothing, an empty text, a structure with empty texts.
NOTHING_READ = re.compile(r'^(""|\{(\w+:""(, )?)+(\.\.\.)?\})?$')
# A pointer to a thing: not to a pointer, a function, or nothing that has a type.
TO_ONE = re.compile(r"^(?!.*\bvoid \*$)[^*&()]+\*$")


def shown(value):
    error = value.GetError()
    if error.Fail():
        return f"<error: {error.GetCString()}>"
    plain, summary = value.GetValue() or "", value.GetSummary() or ""
    if not summary:
        summary = parts_of(value)
    if leads_nowhere(value, summary):
        summary = "(not readable)"
    if plain or summary:
        return f"{plain} {summary}" if plain and summary else plain or summary
    kind = value.GetType().GetName() or ""
    address = value.GetLoadAddress()
    return f"{kind} @ {address:#x}" if kind and address != NO_ADDRESS else kind


def leads_nowhere(value, summary):
    """Asked where nothing is told that must have been read, by the same rule as at a stop (adapters/lldb/values.ts)."""
    kind = value.GetType()
    if not kind.IsPointerType() or not NOTHING_READ.match(summary) or value.GetValueAsUnsigned() == 0:
        return False
    return bool(summary or TO_ONE.match(kind.GetName() or "")) and not lldb_values.is_there(value)


def parts_of(value):
    """The first of its members, or of those of what it points to."""
    kind = value.GetType()
    if kind.IsPointerType() or kind.IsReferenceType():
        value = value.Dereference()
    if not value.MightHaveChildren():
        return ""
    told, length = [], 1
    for at in range(value.GetNumChildren()):
        if length > MOST_SUMMED:
            told.append("...")
            break
        child = value.GetChildAtIndex(at)
        name = child.GetName()
        if not name:
            continue
        text = child.GetSummary() or child.GetValue()
        if not text:
            if child.GetType().GetTypeClass() & PARTS == 0:
                continue
            text = "{...}"
        one = text if name.startswith("[") else f"{name}:{text}"
        length += len(one.encode("utf-8", "surrogateescape")) + (2 if told else 0)
        told.append(one)
    return "" if told in ([], ["..."]) else "{" + ", ".join(told) + "}"
