"""Values and frames as lldb-dap shows them, so that a record is the same whoever made it."""

import re

import lldb
from lldb_shown import shown
from lldb_trace_generic import of_its_own
from lldb_trace_names import NONE, OURS, PLAIN

NO_LINE = 0xFFFFFFFF
UNNAMED = "<unknown>"

# What LLDB and its formatters say where a value cannot be read.
NO_VALUE = re.compile(r"^(<error: .*>|.*\bSummary Unavailable\b.*|<variable not available>)$", re.S)
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
