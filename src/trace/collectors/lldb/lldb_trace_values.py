"""Values and frames as lldb-dap shows them, so that a record is the same whoever made it."""

import re

import lldb
import lldb_values
from lldb_trace_generic import of_its_own
from lldb_trace_names import NONE, OURS, PLAIN

MOST_SUMMED = 32
PARTS = lldb.eTypeClassUnion | lldb.eTypeClassStruct | lldb.eTypeClassArray
NO_ADDRESS = lldb.LLDB_INVALID_ADDRESS
NO_LINE = 0xFFFFFFFF
UNNAMED = "<unknown>"

# What LLDB and its formatters say where a value cannot be read.
NO_VALUE = re.compile(r"^(<error: .*>|.*\bSummary Unavailable\b.*|<variable not available>)$", re.S)
# What LLDB makes of memory that is not there: nothing, an empty text, a structure with empty texts.
NOTHING_READ = re.compile(r'^(""|\{(\w+:""(, )?)+(\.\.\.)?\})?$')
# A pointer to a thing: not to a pointer, a function, or nothing that has a type.
TO_ONE = re.compile(r"^(?!.*\bvoid \*$)[^*&()]+\*$")
COMPARISON = re.compile(r"^\s*([A-Za-z_][\w.\[\]>-]*)\s*(==|!=|<=|>=|<|>)\s*(-?(?:0x[0-9a-fA-F]+|[1-9]\d*|0))\s*$")
COMPARE = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
}


def read(frame, expression, names=None):
    """Variables by their path, which is quick; anything else needs LLDB's compiler. None where it has no value."""
    way = names.way(frame, expression) if names else PLAIN
    if way == NONE:
        return None
    if way == OURS:
        return names.value(frame, expression)
    value = frame.GetValueForVariablePath(expression, lldb.eDynamicDontRunTarget)
    if value.GetError().Fail():
        value = frame.EvaluateExpression(expression, forgetting())
    return None if value.GetError().Fail() else value


def forgetting():
    """A result at every hit would otherwise be kept for the whole run."""
    options = lldb.SBExpressionOptions()
    options.SetSuppressPersistentResult(True)
    options.SetIgnoreBreakpoints(True)  # a call must not be taken for the program's own coming by
    options.SetAutoApplyFixIts(False)  # what it makes of an expression is not what was asked for
    return options


def text_of(frame, expression, chars, names=None):
    """None where it has no value."""
    value = read(frame, expression, names)
    if value is None:
        return None
    text = shown(value)
    return None if NO_VALUE.match(text) else text[:chars]


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


def holds(frame, condition, names=None):
    """False also where it cannot be told."""
    simple = COMPARISON.match(condition)
    if simple:
        path, sign, number = simple.groups()
        value = read(frame, path, names)
        flags = value.GetType().GetCanonicalType().GetTypeFlags() if value else 0
        if flags & lldb.eTypeIsInteger:
            signed = flags & lldb.eTypeIsSigned
            # C compares a large unsigned number with a negative one in its own way; a small one becomes an int first.
            if signed or not number.startswith("-") or value.GetByteSize() < 4:
                return COMPARE[sign](value.GetValueAsSigned() if signed else value.GetValueAsUnsigned(), int(number, 0))
    value = read(frame, condition, names)
    if value is None:
        return False
    number = value.GetValueAsUnsigned(0) if not is_float(value) else float(value.GetValue() or 0)
    return number != 0


def is_float(value):
    return bool(value.GetType().GetCanonicalType().GetTypeFlags() & lldb.eTypeIsFloat)


def place_of(frame):
    """Its function, path and line; no path where there is no source."""
    name = of_its_own(frame.GetDisplayFunctionName() or UNNAMED)
    if frame.GetFunction().GetIsOptimized():
        name += " [opt]"
    entry = frame.GetLineEntry()
    spec = entry.GetFileSpec()
    line = entry.GetLine()
    if not spec.IsValid() or not spec.GetFilename() or line in (0, NO_LINE):
        return name, None, 0
    return name, spec.fullpath, line
