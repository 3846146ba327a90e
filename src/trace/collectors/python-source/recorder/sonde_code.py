"""Code objects as lists of instructions, and back again: jumps, tables of lines and of handlers follow what is put in between."""
import dis
import sys

MINOR = sys.version_info[1]
OPS = dis.opmap
_EXTENDED = OPS["EXTENDED_ARG"]
_CACHES = getattr(dis, "_inline_cache_entries", [0] * 256)
_RELATIVE, _ABSOLUTE = frozenset(dis.hasjrel), frozenset(dis.hasjabs)
_BACKWARD = frozenset(number for name, number in OPS.items() if "JUMP_BACKWARD" in name)
_UNIT = 1 if MINOR >= 10 else 2


class Instruction:
    __slots__ = ("op", "arg", "line", "spans", "target", "at", "size", "hook", "first")

    def __init__(self, op, arg, line, spans=None, target=None):
        self.op = op
        self.arg = arg
        self.line = line
        # Of 3.11: end line, column, end column.
        self.spans = spans
        self.target = target
        self.at = 0
        self.size = 1
        # The block before it, if there is one.
        self.hook = None
        # Until 3.9: it begins a stretch of the table of lines.
        self.first = False


# Reading


def read(code):
    raw = code.co_code
    found, starts, spans, firsts = [], {}, _spans(code), _firsts(code)
    line_at = _line_at(code)
    extended, start, at = 0, 0, 0
    while at < len(raw):
        op, arg = raw[at], raw[at + 1] | extended
        if op == _EXTENDED:
            extended = arg << 8
            at += 2
            continue
        if op < dis.HAVE_ARGUMENT:
            arg = raw[at + 1]
        one = Instruction(op, arg, line_at(at), None if spans is None else spans[at // 2])
        one.first = start in firsts
        starts[start] = one
        found.append(one)
        extended = 0
        at += 2 + 2 * _CACHES[op]
        one.at = at
        start = at
    for one in found:
        if one.op in _BACKWARD:
            one.target = starts[one.at - one.arg * 2]
        elif one.op in _RELATIVE:
            one.target = starts[one.at + one.arg * (2 // _UNIT)]
        elif one.op in _ABSOLUTE:
            one.target = starts[one.arg * (2 // _UNIT)]
    handlers = []
    if MINOR >= 11:
        for first, end, target, depth, lasti in dis._parse_exception_table(code):
            handlers.append([starts[first], starts.get(end), starts[target], depth, lasti])
    return found, handlers


def _line_at(code):
    if MINOR >= 10:
        table = [(start, end, line) for start, end, line in code.co_lines()]
    else:
        marks = list(dis.findlinestarts(code))
        ends = [start for start, _ in marks[1:]] + [len(code.co_code)]
        table = [(start, end, line) for (start, line), end in zip(marks, ends)]
    place = [0]

    def line_at(offset):
        while place[0] < len(table) - 1 and offset >= table[place[0]][1]:
            place[0] += 1
        return table[place[0]][2] if table else None

    return line_at


def _firsts(code):
    if MINOR >= 10:
        return ()
    found, at, table = {0}, 0, code.co_lnotab
    for distance, lines in zip(table[::2], table[1::2]):
        at += distance
        if lines:
            found.add(at)
    return found


def _spans(code):
    return None if MINOR < 11 else [(end, column, last) for _, end, column, last in code.co_positions()]


# Writing


def lay_out(made):
    """Where each instruction comes to lie: longer jumps make others longer."""
    for one in made:
        one.size = _size(one.arg)
    while True:
        at = 0
        for one in made:
            one.at = at
            at += one.size + _CACHES[one.op]
        grown = False
        for one in made:
            if one.target is not None:
                one.arg = _distance(one)
                if _size(one.arg) > one.size:
                    one.size = _size(one.arg)
                    grown = True
        if not grown:
            return


def _distance(one):
    end = one.at + one.size + _CACHES[one.op]
    units = one.target.at if one.op in _ABSOLUTE else one.target.at - end
    return (-units if one.op in _BACKWARD else units) * _UNIT


def _size(arg):
    return 1 if arg < 0x100 else 2 if arg < 0x10000 else 3 if arg < 0x1000000 else 4


def written(code, made, handlers, consts):
    raw = bytearray()
    for one in made:
        for shift in range(one.size - 1, 0, -1):
            raw += bytes((_EXTENDED, (one.arg >> (8 * shift)) & 0xFF))
        raw += bytes((one.op, one.arg & 0xFF))
        raw += bytes(2 * _CACHES[one.op])
    more = {"co_code": bytes(raw), "co_consts": consts, "co_stacksize": code.co_stacksize + 3}
    if MINOR >= 11:
        more["co_linetable"] = _locations(code, made)
        more["co_exceptiontable"] = _exceptions(made, handlers)
    elif MINOR == 10:
        more["co_linetable"] = _line_table(code, made)
    else:
        more["co_lnotab"] = _line_numbers(code, made)
    return code.replace(**more)


def _runs(made):
    """Stretches of one line, in bytes."""
    runs = []
    for one in made:
        size = 2 * (one.size + _CACHES[one.op])
        if runs and runs[-1][1] == one.line:
            runs[-1][0] += size
        else:
            runs.append([size, one.line])
    return runs


def _line_numbers(code, made):
    out, line, distance = bytearray(), code.co_firstlineno, 0
    for size, here in _runs(made):
        delta = here - line
        if delta:
            while distance > 255:
                out += b"\xff\x00"
                distance -= 255
            while delta > 127:
                out += bytes((distance, 127))
                delta, distance = delta - 127, 0
            while delta < -128:
                out += bytes((distance, 0x80))
                delta, distance = delta + 128, 0
            out += bytes((distance, delta & 0xFF))
            line, distance = here, 0
        distance += size
    return bytes(out)


def _line_table(code, made):
    out, line = bytearray(), code.co_firstlineno
    for size, here in _runs(made):
        if here is None:
            delta = -128
        else:
            delta, line = here - line, here
            while delta > 127:
                out += b"\x00\x7f"
                delta -= 127
            while delta < -127:
                out += b"\x00\x81"
                delta += 127
        while size > 254:
            out += bytes((254, delta & 0xFF))
            size, delta = size - 254, delta if delta == -128 else 0
        out += bytes((size, delta & 0xFF))
    return bytes(out)


def _locations(code, made):
    out, line = bytearray(), code.co_firstlineno
    for one in made:
        units = one.size + _CACHES[one.op]
        end, column, last = one.spans
        while units:
            length = min(units, 8)
            units -= length
            if one.line is None:
                out.append(0x80 | 15 << 3 | length - 1)
                continue
            whole = end is not None and column is not None and last is not None
            out.append(0x80 | (14 if whole else 13) << 3 | length - 1)
            delta = one.line - line
            _varint(out, -delta << 1 | 1 if delta < 0 else delta << 1)
            line = one.line
            if whole:
                _varint(out, end - one.line)
                _varint(out, column + 1)
                _varint(out, last + 1)
    return bytes(out)


def _varint(out, value):
    while value >= 64:
        out.append(0x40 | value & 0x3F)
        value >>= 6
    out.append(value)


def _exceptions(made, handlers):
    out = bytearray()
    total = made[-1].at + made[-1].size + _CACHES[made[-1].op]
    for first, end, target, depth, lasti in handlers:
        begin = (first.hook or first).at
        stop = total if end is None else (end.hook or end).at
        head = len(out)
        for value in (begin, stop - begin, target.at, depth << 1 | lasti):
            chunks = []
            while True:
                chunks.append(value & 0x3F)
                value >>= 6
                if not value:
                    break
            out += bytes([0x40 | one for one in chunks[:0:-1]] + chunks[:1])
        out[head] |= 0x80
    return bytes(out)
