"""Records a run from inside LLDB: a callback at each breakpoint reads what is asked for, writes it down and lets the program run on.

What is written goes line by line into a pipe: nothing is kept here that could be lost with the debugger.
"""

import json
import os
import random
import re
import time

import lldb
from lldb_again import Visits
from lldb_trace_lines import LineRecorder
from lldb_trace_names import Names
from lldb_trace_values import holds, place_of, text_of

# What lldb-dap calls every breakpoint that it sets; options given to a name are those of each that gets it.
LABEL = "dap"
# So many lines are near.
NEAREST = 4
# Of an expression, to be told from each other before it is known what they are.
MOST_NAMES = 8
PATH = re.compile(r"^[*&]*[A-Za-z_]\w*((\.|->)\w+|\[\w+\])*$")

recorder = None


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


class Frames:
    """Each place is told once; hits name it by number."""

    def __init__(self, channel):
        self.channel = channel
        self.known = {}

    def numbers(self, thread, most):
        told, before, same = [], None, 0
        for at in range(min(most, thread.GetNumFrames() if most > 64 else most)):
            frame = thread.GetFrameAtIndex(at)
            if not frame.IsValid():
                break
            pc = frame.GetPC()
            # Functions that were compiled into their caller share its address.
            same = same + 1 if pc == before else 0
            before = pc
            told.append(self.number((pc, at == same, same), frame))
        return told

    def number(self, key, frame):
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = len(self.known)
            name, path, line = place_of(frame)
            self.channel.tell({"frame": found, "name": name, "path": path, "line": line})
        return found


class PointRecorder:
    def __init__(self, plan, channel):
        self.channel = channel
        self.most = plan["frames"]
        self.chars = plan["chars"]
        self.frames = Frames(channel)
        self.points = {}
        for point in plan["points"]:
            self.points.setdefault((point["path"], point["line"]), []).append(point)
        # By breakpoint: points with the line where the program then stands and what names mean there, if that is known.
        self.by_breakpoint = {}
        self.guided = set()
        self.visits = Visits(self.tell_unsure)
        self.is_unsure = False

    def begin(self, target, guide):
        name = lldb.SBBreakpointName(target, LABEL)
        name.SetScriptCallbackFunction("lldb_trace.reached", lldb.SBStructuredData())
        by_address = {}
        for points in self.points.values():
            for point in points:
                spots = guide[point["index"]] if guide else None
                if spots is None:
                    continue
                self.guided.add(point["index"])
                for spot in spots:
                    names = Names(spot, point["path"].endswith(".rs"))
                    by_address.setdefault(spot["address"], []).append((point, spot["line"], names))
        program = target.FindModule(target.GetExecutable())
        for address, points in by_address.items():
            breakpoint = target.BreakpointCreateBySBAddress(program.ResolveFileAddress(address))
            breakpoint.SetScriptCallbackFunction("lldb_trace.reached")
            self.by_breakpoint[breakpoint.GetID()] = sorted(points, key=lambda one: one[0]["index"])

    def reached(self, frame, location):
        points = self.points_of(location.GetBreakpoint())
        if not points:
            # All its points are recorded elsewhere.
            location.SetEnabled(False)
            return
        if self.visits.is_again(frame):
            return
        thread = frame.GetThread()
        frames = None
        for point, line, names in points:
            here = frame if line is None else standing(frame, line)
            condition = point.get("condition")
            if condition is not None and not holds(here, condition, names):
                continue
            # Before the expressions: one that calls a function moves the thread, and back.
            if frames is None:
                frames = self.frames.numbers(thread, self.most)
            values = [text_of(here, one, self.chars, names) for one in point["expressions"]]
            self.channel.tell_hit(
                {
                    "point": point["index"],
                    "ms": self.channel.now(),
                    "thread": thread.GetThreadID(),
                    "name": thread.GetName(),
                    "values": values,
                    "frames": frames,
                }
            )

    def tell_unsure(self):
        if not self.is_unsure:
            self.is_unsure = True
            self.channel.tell({"unsure": True})

    def points_of(self, breakpoint):
        """By the place that it was asked for, wherever it is."""
        number = breakpoint.GetID()
        if number not in self.by_breakpoint:
            stream = lldb.SBStream()
            breakpoint.SerializeToStructuredData().GetAsJSON(stream)
            asked = json.loads(stream.GetData())["Breakpoint"]["BKPTResolver"]["Options"]
            found = self.points.get((asked.get("FileName"), asked.get("LineNumber")), [])
            self.by_breakpoint[number] = [(one, None, None) for one in found if one["index"] not in self.guided]
        return self.by_breakpoint[number]


def standing(frame, line):
    """Of functions that share an address the one whose line it is."""
    pc, thread = frame.GetPC(), frame.GetThread()
    one = frame
    while one.IsValid() and one.GetPC() == pc:
        if one.GetLineEntry().GetLine() == line:
            return one
        one = thread.GetFrameAtIndex(one.GetFrameID() + 1)
    return frame


def __lldb_init_module(debugger, _internal):
    debugger.HandleCommand("command script add -f lldb_trace.command sonde-trace")


def command(_debugger, path, result, _internal):
    """A command can fail, and with it the launch; a script cannot."""
    try:
        begin(path.strip())
    except Exception as error:
        result.SetError(f"sonde-trace: {error}")


def begin(path):
    """Before the program runs, in the target that it will be."""
    global recorder
    with open(path, encoding="utf-8") as file:
        plan = json.load(file)
    if plan["pin"]:
        pin()
    target = lldb.debugger.GetSelectedTarget()
    channel = Channel(plan["channel"])
    recorder = (LineRecorder if plan.get("lines") else PointRecorder)(plan, channel)
    for expression in {one for point in plan["points"] for one in (*point["expressions"], point.get("condition") or "1")}:
        wrong = refusal(target, expression)
        if wrong:
            channel.tell({"expression": expression, "wrong": wrong})
            raise SyntaxError(wrong)
    if plan.get("lines"):
        recorder.begin(target)
    else:
        recorder.begin(target, guide_for(target, plan, channel))
    channel.tell({"began": True})


def guide_for(target, plan, channel):
    """Where the points are in this program, and what names mean there: the other side reads it from the program's file."""
    channel.tell({"program": target.GetExecutable().fullpath})
    with open(plan["answered"], "rb", buffering=0) as answered:
        answered.read(1)
    with open(plan["guide"], encoding="utf-8") as file:
        return json.load(file)


def refusal(target, expression):
    """What the compiler says of one that is cut short. Names of variables mean nothing yet, so of the rest nothing counts."""
    if PATH.match(expression):
        return None
    names = []
    while len(names) < MOST_NAMES:
        text = "".join(f"int {name}; " for name in names) + expression
        said = target.EvaluateExpression(text, quiet_options()).GetError().GetCString() or ""
        found = re.findall(r"error: <user expression \d+>:(\d+):\d+: (expected .*)", said)
        cut_short = next((words for line, words in found if int(line) > expression.count("\n") + 1), None)
        unknown = re.search(r"use of undeclared identifier '(\w+)'", said)
        if cut_short or unknown is None or unknown.group(1) in names:
            return cut_short
        names.append(unknown.group(1))
    return None


def quiet_options():
    options = lldb.SBExpressionOptions()
    options.SetAutoApplyFixIts(False)
    return options


def pin():
    """Debugger and program wait for each other all the time: on one processor neither has to be woken on another."""
    one = {random.choice(sorted(os.sched_getaffinity(0)))}
    for thread in os.listdir("/proc/self/task"):
        try:
            os.sched_setaffinity(int(thread), one)
        except OSError:
            pass  # it has ended meanwhile


def reached(frame, location, _extra, _internal):
    """False: the program runs on."""
    recorder.reached(frame, location)
    return False


def nearest(path, line):
    """Tells the lines of a file that have code, those near a line that has none."""
    found = set()
    for module in lldb.debugger.GetSelectedTarget().module_iter():
        for unit in module.compile_unit_iter():
            if any(unit.GetSupportFileAtIndex(at).fullpath == path for at in range(unit.GetNumSupportFiles())):
                found |= {one.GetLine() for one in unit if one.GetFileSpec().fullpath == path}
    near = sorted(found - {0}, key=lambda one: abs(one - line))[:NEAREST]
    recorder.channel.tell({"near": sorted(near), "path": path, "line": line})
