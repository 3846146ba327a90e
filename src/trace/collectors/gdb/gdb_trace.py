"""Records a run from inside gdb: breakpoints that read what is asked for, write it down and never stop the program.

Only what is sure to be the same as under LLDB is recorded this way; `check` says beforehand whether a plan is of that kind.
"""

import json
import operator
import os
import random
import re
import time

import gdb
from gdb_trace_frames import Frames
from gdb_trace_values import Unsure, joined, shower_of

PATH = re.compile(r"^[A-Za-z_]\w*((\.|->)[A-Za-z_]\w*|\[\d+\])*$")
STEP = re.compile(r"(\.|->)(\w+)|\[(\d+)\]")
COMPARISON = re.compile(r"^\s*([A-Za-z_][\w.\[\]>-]*?)\s*(==|!=|<=|>=|<|>)\s*(-?(?:0x[0-9a-fA-F]+|[1-9]\d*|0))\s*$")
SIGNS = {
    "==": operator.eq, "!=": operator.ne, "<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt,
}
SETTINGS = (
    "confirm off", "pagination off", "width 0", "python print-stack none", "backtrace past-main on",
    "backtrace past-entry on", "startup-with-shell on", "print thread-events off", "print inferior-events off",
)
DEADLY = "SIGSEGV SIGBUS SIGFPE SIGILL SIGABRT SIGSYS"
SEGV_REASONS = {1: "address not mapped to object", 2: "invalid permissions for mapped object"}


class Reader:
    """A variable's path at a place, looked up once."""

    def __init__(self, path, block):
        if not PATH.match(path):
            raise Unsure(f"`{path}` is more than a variable")
        name = re.match(r"\w+", path).group()
        symbol, of_this = gdb.lookup_symbol(name, block)
        if symbol is None or of_this or not (symbol.is_variable or symbol.is_argument):
            raise Unsure(f"`{name}` is not a variable there")
        self.symbol = symbol
        self.steps = []
        kind = symbol.type
        for sign, member, index in STEP.findall(path[len(name) :]):
            kind = self.step(kind.strip_typedefs(), sign, member, index, path)
        self.type = kind

    def step(self, kind, sign, member, index, path):
        if kind.code == gdb.TYPE_CODE_REF:
            kind = kind.target().strip_typedefs()
        if sign == "->":
            if kind.code != gdb.TYPE_CODE_PTR:
                raise Unsure(f"`{path}` does not fit its type")
            kind = kind.target().strip_typedefs()
        if index:
            if kind.code not in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_ARRAY):
                raise Unsure(f"`{path}` does not fit its type")
            if kind.code == gdb.TYPE_CODE_ARRAY and not kind.range()[0] <= int(index) <= kind.range()[1]:
                raise Unsure(f"`{path}` is outside of its array")
            self.steps.append(int(index))
            return kind.target()
        if kind.code != gdb.TYPE_CODE_STRUCT:
            raise Unsure(f"`{path}` does not fit its type")
        field = next((one for one in kind.fields() if one.name == member and hasattr(one, "bitpos")), None)
        if field is None or field.is_base_class or field.bitsize:
            raise Unsure(f"`{path}` does not fit its type")
        self.steps.append(member)
        return field.type

    def value(self, frame):
        value = self.symbol.value(frame) if self.symbol.needs_frame else self.symbol.value()
        for step in self.steps:
            value = value[step]
        return value


class Point:
    def __init__(self, plan, block, rust):
        self.index = plan["index"]
        self.readers = []
        for expression in plan["expressions"]:
            reader = Reader(expression, block)
            self.readers.append((reader, shower_of(reader.type, rust)))
        self.condition = None
        if "condition" in plan:
            simple = COMPARISON.match(plan["condition"])
            if simple is None:
                raise Unsure(f"`{plan['condition']}` is more than a comparison with a number")
            path, sign, number = simple.groups()
            reader = Reader(path, block)
            kind = reader.type.strip_typedefs()
            signed = kind.code == gdb.TYPE_CODE_INT and kind.is_signed
            if kind.code != gdb.TYPE_CODE_INT or (number.startswith("-") and not signed):
                raise Unsure(f"`{path}` is not a whole number")
            self.condition = (reader, SIGNS[sign], int(number, 0))

    def holds(self, frame):
        if self.condition is None:
            return True
        reader, compare, number = self.condition
        try:
            return compare(int(reader.value(frame)), number)
        except gdb.error:
            return False

    def values(self, frame, chars):
        told = []
        for reader, show in self.readers:
            try:
                told.append(joined(show(reader.value(frame)))[:chars])
            except (gdb.error, ValueError, OverflowError):
                told.append(None)
        return told


def place_of(path, line):
    """The one instruction at which both debuggers take a line to begin."""
    quoted = path.replace("'", "\\'")
    try:
        _rest, found = gdb.decode_line(f"'{quoted}':{line}")
    except gdb.error as error:
        raise Unsure(str(error).rstrip("."))
    if not found or len(found) > 1 or found[0].line != line:
        raise Unsure(f"line {line} has code in {len(found or ())} places" if found and len(found) > 1 else f"line {line} has no code")
    sal = found[0]
    blocks = {(one.start, one.end) for one in (gdb.block_for_pc(each.pc) for each in sal.symtab.linetable().line(line) or ()) if one}
    if len(blocks) != 1:
        raise Unsure(f"line {line} has code in {len(blocks)} blocks")
    block = gdb.block_for_pc(sal.pc)
    function = block
    while function.function is None and function.superblock:
        function = function.superblock
    if any(each.pc == function.start for each in sal.symtab.linetable().line(line)):
        raise Unsure(f"line {line} begins a function")
    return sal, block


def points_of(plan):
    """By the address of their line."""
    places = {}
    for one in plan["points"]:
        sal, block = place_of(one["path"], one["line"])
        rust = one["path"].endswith(".rs")
        places.setdefault(sal.pc, (one, []))[1].append(Point(one, block, rust))
    return list(places.values())


class Channel:
    def __init__(self, path):
        self.file = os.open(path, os.O_WRONLY)
        self.cut = path + ".cut"
        self.began = time.monotonic()

    def now(self):
        return round((time.monotonic() - self.began) * 1000, 3)

    def tell_hit(self, message):
        """Not if the program was being ended while it was read: what could not be read then is not missing in the program."""
        if not os.path.exists(self.cut):
            self.tell(message)

    def tell(self, message):
        data = (json.dumps(message, separators=(",", ":")) + "\n").encode("utf-8", "replace")
        while data:
            data = data[os.write(self.file, data) :]


class Recorder(gdb.Breakpoint):
    def __init__(self, place, points, plan, channel, frames):
        super().__init__(source=place["path"], line=place["line"], internal=True)
        self.points, self.chars, self.most = points, plan["chars"], plan["frames"]
        self.channel, self.backtraces = channel, frames

    def stop(self):
        try:
            self.reached()
        except Exception as error:  # else gdb would stop here, and say nothing
            self.channel.tell_hit({"note": f"gdb failed at a point: {error!r}", "lost": [one.index for one in self.points]})
        return False

    def reached(self):
        frame = gdb.newest_frame()
        backtrace = None
        for point in self.points:
            if not point.holds(frame):
                continue
            if backtrace is None:
                backtrace = self.backtraces.numbers(frame, self.most)
            thread = gdb.selected_thread()
            self.channel.tell_hit(
                {
                    "point": point.index,
                    "ms": self.channel.now(),
                    "thread": thread.ptid[1] or thread.ptid[0],
                    "name": thread.name,
                    "values": point.values(frame, self.chars),
                    "frames": backtrace,
                }
            )


def prepare():
    for one in SETTINGS:
        gdb.execute(f"set {one}")


def check(path):
    """Says why this plan is for another, if it is."""
    prepare()
    with open(path, encoding="utf-8") as file:
        plan = json.load(file)
    try:
        points_of(plan)
        print("sonde:fit")
    except Unsure as reason:
        print(f"sonde:{reason}")
    except gdb.error as error:
        print(f"sonde:gdb says {error}")


def run(path):
    prepare()
    with open(path, encoding="utf-8") as file:
        plan = json.load(file)
    if plan["pin"]:
        # Debugger and program wait for each other all the time: on one processor neither has to be woken on another.
        os.sched_setaffinity(0, {random.choice(sorted(os.sched_getaffinity(0)))})
    channel = Channel(plan["channel"])
    channel.tell({"began": True})
    frames = Frames(channel)
    try:
        for place, points in points_of(plan):
            Recorder(place, points, plan, channel, frames)
        channel.tell({"bound": True})
        gdb.execute("handle all nostop noprint pass", to_string=True)
        gdb.execute(f"handle {DEADLY} stop print pass", to_string=True)
        gdb.execute(f"set exec-wrapper {plan['wrapper']}")
        gdb.execute("starti", to_string=True)
        channel.tell({"pid": gdb.selected_inferior().pid})
        follow(channel)
    except (Unsure, gdb.error) as error:
        channel.tell({"failed": str(error)})


def follow(channel):
    signals = []
    gdb.events.stop.connect(lambda event: signals.append(getattr(event, "stop_signal", None)))
    why = None
    while gdb.selected_inferior().pid != 0:
        signals.clear()
        gdb.execute("continue", to_string=True)
        if signals and signals[-1]:
            why = reason_of(signals[-1])
    code, signal = (gdb.convenience_variable(one) for one in ("_exitcode", "_exitsignal"))
    end = {"code": int(code)} if code is not None else {"signal": int(signal)} if signal is not None else {}
    channel.tell({"ended": {**end, **({"why": why} if why and signal is not None else {})}})


def reason_of(signal):
    """In LLDB's words."""
    if signal != "SIGSEGV":
        return f"signal {signal}"
    try:
        info = gdb.parse_and_eval("$_siginfo")
        reason = SEGV_REASONS[int(info["si_code"])]
        place = int(info["_sifields"]["_sigfault"]["si_addr"])
        return f"signal {signal}: {reason} (fault address={place:#x})"
    except (gdb.error, KeyError):
        return f"signal {signal}"
