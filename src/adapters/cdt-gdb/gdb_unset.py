"""Variables of the selected frame that have no value yet."""

import json

import gdb
import native_unset

# Where the first parts of lines are, by function and line: that never changes.
_firsts = {}


def say(text=""):
    """Their names; and why an expression, given in hexadecimal digits, has no value if that is because of one of them."""
    lines = unset(gdb.selected_frame())
    why = native_unset.refusal(lines, bytes.fromhex(text).decode())
    print("sonde " + json.dumps({"names": list(lines), "why": why}))


def unset(frame):
    """Names with their lines. Of one name only the innermost is shown, so only that one counts."""
    place = frame.find_sal()
    if place.symtab is None or place.line == 0 or place.symtab.filename.endswith(".rs"):
        return {}
    path, seen, found = place.symtab.fullname(), set(), {}
    block = frame.block()
    while block is not None:
        for one in block:
            if not one.is_variable or one.is_argument or one.name in seen:
                continue
            seen.add(one.name)
            # What a function keeps from call to call needs no frame, and has a value before its declaration.
            if not one.line or not one.needs_frame or one.symtab.fullname() != path:
                continue
            at_start = one.line == place.line and is_at_start(frame, place)
            if native_unset.is_unset(one.name, one.line, path, place.line, at_start):
                found[one.name] = one.line
        if block.function is not None:
            break
        block = block.superblock
    return found


def is_at_start(frame, place):
    """Whether it stands in the first part of a line: of a function that begins there, after its prologue."""
    function = frame.function()
    if function is None or frame.type() == gdb.INLINE_FRAME:
        return False
    block = frame.block()
    while block.function is None:
        block = block.superblock
    key = (block.start, place.line)
    if key not in _firsts:
        rows = sorted({row.pc for row in place.symtab.linetable() if block.start <= row.pc < block.end})
        own = sorted({row.pc for row in place.symtab.linetable().line(place.line) or () if row.pc in rows})
        last = own[1 if len(own) > 1 and own[0] == block.start else 0] if own else 0
        _firsts[key] = (own[0] if own else 0, min((pc for pc in rows if pc > last), default=block.end) if own else 0)
    low, high = _firsts[key]
    return low <= frame.pc() < high
