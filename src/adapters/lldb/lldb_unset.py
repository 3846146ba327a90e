"""Variables of a frame that have no value yet."""

import lldb
import native_unset

# Where the first parts of lines are, by function and line: that never changes.
_firsts = {}


def refusal(frame, text):
    return native_unset.refusal({name.split(" @ ")[0]: line for name, line in unset(frame)}, text)


def unset(frame):
    """Their names as lldb-dap writes them, each with its line."""
    entry = frame.GetLineEntry()
    line, path = entry.GetLine(), entry.GetFileSpec().fullpath
    if not line or not path:
        return []
    found = [one for one in frame.GetVariables(False, True, False, True) if one.GetName()]
    names = [one.GetName() for one in found]
    at_start, told = None, []
    for name, one in zip(names, found):
        place = one.GetDeclaration()
        declared = place.GetLine()
        # What a function keeps from call to call has a value before its declaration.
        if one.GetValueType() != lldb.eValueTypeVariableLocal:
            continue
        if not declared or place.GetFileSpec().fullpath != path:
            continue
        if declared == line and at_start is None:
            at_start = is_at_start(frame, entry, line)
        if native_unset.is_unset(name, declared, path, line, bool(at_start)):
            doubled = names.count(name) > 1
            told.append([f"{name} @ {place.GetFileSpec().GetFilename()}:{declared}" if doubled else name, declared])
    return told


def is_at_start(frame, entry, line):
    """Whether it stands in the first part of a line: of a function that begins there, after its prologue."""
    function = frame.GetFunction()
    if frame.IsInlined() or not function.IsValid():
        return False
    target = frame.GetThread().GetProcess().GetTarget()
    start = function.GetStartAddress().GetLoadAddress(target)
    key = (start, line)
    if key not in _firsts:
        _firsts[key] = first_part(frame, function, target, entry, line)
    low, high = _firsts[key]
    return low <= frame.GetPC() < high


def first_part(frame, function, target, entry, line):
    unit, path = frame.GetCompileUnit(), entry.GetFileSpec()
    start = function.GetStartAddress().GetLoadAddress(target)
    end = function.GetEndAddress().GetLoadAddress(target)
    rows, at = [], unit.FindLineEntryIndex(0, line, path, True)
    while at < unit.GetNumLineEntries():
        row = unit.GetLineEntryAtIndex(at)
        low = row.GetStartAddress().GetLoadAddress(target)
        if start <= low < end:
            rows.append((low, row.GetEndAddress().GetLoadAddress(target)))
        at = unit.FindLineEntryIndex(at + 1, line, path, True)
    rows.sort()
    if not rows:
        return 0, 0
    return rows[0][0], rows[1 if rows[0][0] == start and len(rows) > 1 else 0][1]
