"""
Code in which a line calls a hook as it begins, for Pythons without `sys.monitoring`: what is not asked for runs as it was compiled. The
hook is called just when a trace function would have been told of the line, by the rules of each version; where that cannot be known
before it runs, the code is left to a trace function.

A block that calls a hook:  LOAD_CONST switch, jump to the line if that is empty, LOAD_CONST hook, call it, POP_TOP.
"""
from sonde_code import MINOR, OPS, Instruction, lay_out, read, written

_ENDS = frozenset(
    number
    for name, number in OPS.items()
    if name in ("RETURN_VALUE", "RAISE_VARARGS", "RERAISE", "JUMP_ABSOLUTE", "JUMP_FORWARD", "CALL_FINALLY")
    or name.startswith("JUMP_BACKWARD")
)
_PROTECTS = frozenset(number for name, number in OPS.items() if name.startswith("SETUP_"))
# What stands between these and the next instruction would be in their way.
_JOINED = frozenset(number for name, number in OPS.items() if name in ("KW_NAMES", "PRECALL"))
_RESUME, _SEND, _CALL_FINALLY = OPS.get("RESUME"), OPS.get("SEND"), OPS.get("CALL_FINALLY")
_FORWARD = OPS["JUMP_FORWARD"]
_IF_FALSE = OPS["POP_JUMP_FORWARD_IF_FALSE" if MINOR >= 11 else "POP_JUMP_IF_FALSE"]


class Unclear(Exception):
    """When the line begins depends on what happens as it runs."""


def patched(code, hooks, switch):
    """The same code with these hooks, by line; None if it has none of the lines."""
    all_of_it, handlers = read(code)
    lines = {one.line for one in all_of_it}
    wanted = {line: hook for line, hook in hooks.items() if line in lines}
    if not wanted:
        return None
    consts = list(code.co_consts)
    consts.append(switch)
    hidden = len(consts) - 1
    made = []
    for at, one in enumerate(all_of_it):
        if one.line in wanted:
            firing, silent_before = _arrivals(all_of_it, handlers, at)
            if firing:
                if at and all_of_it[at - 1].op in _JOINED:
                    raise Unclear(one.line)
                if silent_before:
                    made.append(Instruction(_FORWARD, 0, one.line, one.spans, one))
                consts.append(wanted[one.line])
                block = _block(one, hidden, len(consts) - 1)
                one.hook = block[0]
                made.extend(block)
                for other in firing:
                    other.target = block[0]
        made.append(one)
    lay_out(made)
    return written(code, made, handlers, tuple(consts))


def _block(before, switch, hook):
    line, spans = before.line, before.spans

    def put(name, arg=0, target=None):
        return Instruction(OPS[name] if isinstance(name, str) else name, arg, line, spans, target)

    if MINOR >= 11:
        call = [put("PUSH_NULL"), put("LOAD_CONST", hook), put("PRECALL"), put("CALL")]
    else:
        call = [put("LOAD_CONST", hook), put("CALL_FUNCTION")]
    return [put("LOAD_CONST", switch), put(_IF_FALSE, 0, before), *call, put("POP_TOP")]


# When a line begins


def _arrivals(all_of_it, handlers, at):
    """Whoever comes to an instruction so that its line begins; and whether who comes in order is to be led around the block."""
    one = all_of_it[at]
    before = all_of_it[at - 1] if at else None
    if MINOR >= 11 and at <= _entry(all_of_it):
        return [], False
    firing, others = [], False
    for other in all_of_it:
        if other.target is one:
            if other.op in _PROTECTS:
                others = _raised(all_of_it, all_of_it.index(other) + 1, at, at) or others
            elif _begins(all_of_it, other, all_of_it.index(other), at):
                firing.append(other)
    for start, end, target, _, _ in handlers:
        if target is one:
            others = _raised(all_of_it, all_of_it.index(start), end, at) or others
    falls = before is None or before.op not in _ENDS or before.op == _CALL_FINALLY
    # What runs there comes from the end of the `finally`, by a jump back.
    in_order = falls and (
        before is None or before.op == _CALL_FINALLY or _begins(all_of_it, before, at - 1, at)
    )
    if others:
        firing.append(_Handler(all_of_it, handlers, one))
    if in_order and not firing:
        firing.append(_Nothing())
    return firing, bool(firing) and falls and not in_order


class _Nothing:
    """Who comes in order finds the block on the way."""

    target = None


class _Handler:
    """Whoever raises comes by the block from now on."""

    def __init__(self, all_of_it, handlers, one):
        self.all_of_it = all_of_it
        self.handlers = handlers
        self.one = one

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)
        if name != "target":
            return
        for other in self.all_of_it:
            if other.op in _PROTECTS and other.target is self.one:
                other.target = value
        for entry in self.handlers:
            if entry[2] is self.one:
                entry[2] = value


def _entry(all_of_it):
    return next((at for at, one in enumerate(all_of_it) if one.op == _RESUME), -1)


def _begins(all_of_it, before, came, at):
    one = all_of_it[at]
    if MINOR < 10:
        return came > at or one.first
    if one.line != before.line or (MINOR >= 11 and came <= _entry(all_of_it)):
        return True
    return came > at and not (MINOR >= 11 and one.op == _SEND)


def _raised(all_of_it, start, end, at):
    """Whether an error that comes from there begins the line."""
    one = all_of_it[at]
    if MINOR < 10:
        if MINOR == 9 and not one.first:
            raise Unclear(one.line)
        return one.first
    end = end if isinstance(end, int) else (len(all_of_it) if end is None else all_of_it.index(end))
    lines = {other.line for other in all_of_it[start:end]}
    if one.line not in lines and start < at:
        return True
    raise Unclear(one.line)
