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
from gdb_trace_again import is_met_again
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


def meant(name, block, meaning):
    """The variable that the source means, which gdb must know there too."""
    if "unsure" in meaning:
        raise Unsure(f"which `{name}` is meant is not told")
    if "line" in meaning:
        while block is not None and not block.is_global and not block.is_static:
            for one in block:
                if one.name == name and one.line == meaning["line"] and (one.is_variable or one.is_argument):
                    return one
            block = None if block.function is not None else block.superblock
        raise Unsure(f"gdb does not have the `{name}` that is meant")
    symbol = gdb.lookup_symbol(name, block.static_block)[0]
    if symbol is None or not symbol.is_variable:
        raise Unsure(f"`{name}` is not a variable there")
    return symbol


class Reader:
    """A variable's path at a place, looked up once."""

    def __init__(self, path, block, names):
        if not PATH.match(path):
            raise Unsure(f"`{path}` is more than a variable")
        name = re.match(r"\w+", path).group()
        symbol = meant(name, block, names.get(name, {"local": False}))
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
    def __init__(self, plan, block, names, rust):
        self.index = plan["index"]
        self.readers = []
        for expression in plan["expressions"]:
            reader = Reader(expression, block, names)
            self.readers.append((reader, shower_of(reader.type, rust)))
        self.condition = None
        if "condition" in plan:
            simple = COMPARISON.match(plan["condition"])
            if simple is None:
                raise Unsure(f"`{plan['condition']}` is more than a comparison with a number")
            path, sign, number = simple.groups()
            reader = Reader(path, block, names)
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


def points_of(plan, base=0):
    """By the address in the program, where it is loaded."""
    places = {}
    for one in plan["points"]:
        rust = one["path"].endswith(".rs")
        for spot in one["spots"]:
            block = gdb.block_for_pc(base + spot["address"])
            if block is None or block.function is None and block.superblock is None:
                raise Unsure(f"gdb knows no function at line {one['line']}")
            places.setdefault(base + spot["address"], []).append(Point(one, block, spot["names"], rust))
    return places


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
    def __init__(self, address, points, plan, channel, frames):
        super().__init__(f"*{address:#x}", internal=True)
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
        if is_met_again(frame):
            return
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
        channel.tell({"bound": True})
        gdb.execute("handle all nostop noprint pass", to_string=True)
        gdb.execute(f"handle {DEADLY} stop print pass", to_string=True)
        gdb.execute(f"set exec-wrapper {plan['wrapper']}")
        gdb.execute("starti", to_string=True)
        channel.tell({"pid": gdb.selected_inferior().pid})
        for address, points in points_of(plan, slide(plan)).items():
            Recorder(address, points, plan, channel, frames)
        follow(channel)
    except (Unsure, gdb.error) as error:
        channel.tell({"failed": str(error)})


def slide(plan):
    """By how much the program was moved when it was loaded."""
    pid = gdb.selected_inferior().pid
    own = os.stat(f"/proc/{pid}/exe").st_ino
    with open(f"/proc/{pid}/maps", encoding="utf-8", errors="replace") as maps:
        for line in maps:
            places, _rights, offset, _device, inode, *_name = line.split(maxsplit=5)
            if int(inode) == own:
                return int(places.split("-")[0], 16) - int(offset, 16) - plan["first"]
    return 0


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
