"""Which stops at a breakpoint are hits of it, and what is done at a hit.

A line is hit where it begins: the rest of its code, which LLDB may have set further locations for, is the same execution. So is a
breakpoint that is met again because a signal came in the middle. Counts, log messages and Rust's conditions are of hits.
"""

import json
import re

import lldb
import lldb_again
import lldb_beginnings
import lldb_copies
import lldb_evaluate
import lldb_flow
import lldb_unset
from lldb_shown import shown

# lldb-dap gives its own name to every breakpoint that it sets, with which they get what is set for the name; the last one is ours.
NAMES = ("dap", "vscode", "sonde")
# So often a breakpoint is tried to be stepped over before it is taken out for a moment.
TRIES = 6
# For expressions: read, also written, or also executed. A call of one of the program's functions needs all of them.
RESERVED = 65536
RESERVED_KINDS = (
    lldb.ePermissionsReadable,
    lldb.ePermissionsReadable | lldb.ePermissionsWritable,
    lldb.ePermissionsReadable | lldb.ePermissionsExecutable,
)
RESERVE_TRIES = 16


class Rule:
    def __init__(self, text):
        told = json.loads(text)
        self.condition = told.get("condition")
        self.first = told.get("first", 1)
        self.log = told.get("log")
        self.count = 0

    def stops(self, frame, number):
        """If it cannot be told whether the condition holds it does, and the reason is kept."""
        if self.condition is not None:
            value, why = conditional(frame, self.condition)
            if why is not None:
                reasons[number] = why
                return True
            if value.GetValueAsUnsigned(0) == 0:
                return False
        self.count += 1
        if self.count < self.first:
            return False
        if self.log is None:
            return True
        tell({"log": "".join(one["text"] if "text" in one else value_of(frame, one["expression"]) for one in self.log)})
        return False

    def arrives(self, frame, number):
        """The same where a step ends; nothing is done if it does not stop."""
        if self.log is not None or self.count + 1 < self.first:
            return False
        return self.stops(frame, number)


class Passing:
    """A breakpoint that is never stepped over, because a signal comes each time, is taken out until its thread is past it. The other side
    does so, at a stop: what is taken out while LLDB is about to run on makes it mistake one frame for another."""

    def __init__(self):
        self.tries = {}
        self.out = []
        self.ways = []
        self.stack = None

    def stops(self, frame):
        """Met again: whether it is time for that."""
        thread = frame.GetThread()
        key = thread.GetThreadID(), frame.GetSP(), frame.GetPC()
        self.tries = {key: self.tries.get(key, 0) + 1}
        # With several threads, each of them may be stopped with a reason of its own when this one is to get past.
        if thread.GetProcess().GetNumThreads() > 1:
            return False
        # A signal ends a step into a call that begins at a breakpoint, in its handler, and LLDB runs on from there.
        is_lost = stepping_in == thread.GetThreadID() and not plans_of(thread)
        if not tells or (self.tries[key] < TRIES and not is_lost) or lldb_flow.next_places(frame, thread.GetProcess().GetTarget()) is None:
            return False
        self.tries = {}
        unsure("signals come faster than LLDB can step over a breakpoint: hits in a signal handler may be missing")
        tell({"pass": thread.GetThreadID()})
        return True

    def begin(self, thread):
        """Says by which breakpoints it comes to an end, where it begins, and whether no other thread has a reason to be stopped."""
        process, frame = thread.GetProcess(), thread.GetFrameAtIndex(0)
        target, number = process.GetTarget(), thread.GetThreadID()
        here = [one.FindLocationByAddress(frame.GetPC()) for one in target.breakpoint_iter()]
        for place in lldb_flow.next_places(frame, target) or ():
            way = target.BreakpointCreateByAddress(place)
            way.SetThreadID(number)
            self.ways.append(way.GetID())
        for one in here:
            if self.ways and one.IsValid() and one.IsEnabled():
                one.SetEnabled(False)
                self.out.append(one)
        reasons = (one.GetStopReason() for one in process if one.GetThreadID() != number)
        self.stack = frame.GetCFA()
        line = frame.GetLineEntry().GetLine()
        return {"ways": self.ways, "line": line, "alone": all(one in (lldb.eStopReasonInvalid, lldb.eStopReasonNone) for one in reasons)}

    def end(self, thread):
        """Says whether a step that was under way is in a call, so that LLDB still knows where it ends."""
        target, inside = thread.GetProcess().GetTarget(), False
        if thread.IsValid():
            is_on_way_out = "".join(plans_of(thread)[-1:]).startswith("Stepping out")
            inside = thread.GetFrameAtIndex(0).GetCFA() < self.stack or is_on_way_out
        for one in self.ways:
            target.BreakpointDelete(one)
        for one in self.out:
            if one.IsValid():
                one.SetEnabled(True)
        self.ways, self.out = [], []
        return {"inside": inside}


class Arrivals:
    """Breakpoints that a step ended at. Newer versions of LLDB do not call that a hit: they meet such a breakpoint when the thread is to go
    on, before it has moved. To a reader the program has reached it, so it is a hit at the end of the step, and not once more after it.
    """

    def __init__(self):
        # By thread: the breakpoint that was met last, in words of its stop.
        self.met = {}
        # By thread: its registers, the breakpoints there that were not hit, the stop, and the one at which the others were met.
        self.told = {}

    def meet(self, frame):
        number = frame.GetThread().GetThreadID()
        self.met[number] = stop_of(frame), frame.GetPC()
        if number in self.told and self.told[number][0] != registers_of(frame):
            del self.told[number]  # it has moved

    def arrive(self, thread):
        """The breakpoints that are hit. What only counts or logs is left to LLDB: nobody is to be told of it. So is all of it where other
        threads may stop the program before this one has met them."""
        frame, number = thread.GetFrameAtIndex(0), thread.GetThreadID()
        self.told.pop(number, None)
        if self.met.get(number) == (stop_of(frame), frame.GetPC()) or thread.GetProcess().GetNumThreads() > 1:
            return []  # an older version, which has met it
        places = [one.FindLocationByAddress(frame.GetPC()) for one in ours()]
        there = [one for one in places if one.IsValid() and one.IsEnabled()]
        hit = [one.GetBreakpoint().GetID() for one in there if self.stops(frame, one)]
        if hit:
            visits.arrive(frame)
            others = {one.GetBreakpoint().GetID() for one in there}.difference(hit)
            self.told[number] = registers_of(frame), others, stop_of(frame), None
        return hit

    def stops(self, frame, location):
        breakpoint = location.GetBreakpoint()
        condition = location.GetCondition() or breakpoint.GetCondition()
        if not breakpoint.IsEnabled() or not beginnings.include(location):
            return False
        # LLDB evaluates it again: it must not do anything.
        if condition and (DOES.search(condition) or not is_true(frame.EvaluateExpression(condition))):
            return False
        rule = rules.get(breakpoint.GetID())
        return rule is None or rule.arrives(frame, breakpoint.GetID())

    def is_told(self, frame, number):
        """Met where a step ended, and told of then. A handler of a signal may have run since; and one that was switched off and on, or
        replaced, has another number."""
        thread, stop = frame.GetThread(), stop_of(frame)
        registers, others, arrived, met = self.told.get(thread.GetThreadID(), (None, (), 0, None))
        if registers is None or number in others or met not in (None, stop):
            return False
        # Only signals make stops in between that nobody is told of.
        if stop != arrived + 1 and lldb_again.caught_signals(thread.GetProcess()) == 0:
            return False
        self.told[thread.GetThreadID()] = registers, others, arrived, stop
        return True


# What an expression may do besides having a value: assign, count, call.
DOES = re.compile(r"(?<![=!<>])=(?!=)|\+\+|--|[\w)\]>]\s*\(")


def ours():
    return (one for one in lldb.debugger.GetSelectedTarget().breakpoint_iter() if any(one.MatchesName(name) for name in NAMES))


def stop_of(frame):
    return frame.GetThread().GetProcess().GetStopID()


def registers_of(frame):
    return frame.GetPC(), frame.GetSP(), lldb_again.saved_registers(frame)[0]


def plans_of(thread):
    """What it is doing, what it does first at the end. LLDB has no other way to say that."""
    result = lldb.SBCommandReturnObject()
    lldb.debugger.GetCommandInterpreter().HandleCommand(f"thread plan list -v -i {thread.GetIndexID()}", result)
    active = (result.GetOutput() or "").partition("Completed plan stack")[0].partition("Discarded plan stack")[0]
    return re.findall(r"^\s*Element [1-9]\d*: (.*)", active, re.M)


def is_true(value):
    return value.GetError().Success() and value.GetValueAsUnsigned(0) != 0


debugger = None
# The thread whose step into a call is under way.
stepping_in = None
# Whether lldb-dap can pass on what is said at a hit.
tells = False
rules = {}
reasons = {}
said = set()
beginnings = lldb_beginnings.Beginnings(lambda text: unsure(text))
witnesses = lldb_copies.Witnesses()
# By thread: its last stop, and the breakpoints that made it one.
hits = {}
visits = lldb_again.Visits(lambda: unsure("a signal handler may have made a breakpoint count twice"))
passing = Passing()
arrivals = Arrivals()


def begin(can_tell):
    """For every breakpoint that is set from now on."""
    global debugger, tells
    debugger, tells = lldb.debugger, can_tell
    target = debugger.GetSelectedTarget()
    for name in (*NAMES, witnesses.NAME):
        lldb.SBBreakpointName(target, name).SetScriptCallbackFunction("lldb_hits.reached", lldb.SBStructuredData())


def loaded():
    """When the program is there, and has not run yet."""
    witnesses.lead(lldb.debugger.GetSelectedTarget())
    reserve()


def reserve():
    """Memory for expressions, before signals come: to get some, LLDB's server steps through a call in the program, and takes any number
    for the answer if a signal comes in between. What it then has is not there, and is kept from use."""
    process = lldb.debugger.GetSelectedTarget().GetProcess()
    for kind in RESERVED_KINDS:
        for _ in range(RESERVE_TRIES):
            error = lldb.SBError()
            place = process.AllocateMemory(RESERVED, kind, error)
            if error.Fail():
                break
            process.ReadMemory(place, 1, error)
            if error.Success():
                process.DeallocateMemory(place)
                break


def rule(numbers, text):
    """What is to be done at hits of these, which count together; hits that LLDB has let pass count too."""
    target = lldb.debugger.GetSelectedTarget()
    made = Rule(bytes.fromhex(text).decode()) if text else None
    for number in numbers:
        breakpoint = target.FindBreakpointByID(number)
        if made is None:
            rules.pop(number, None)
        else:
            rules[number] = made
        if not breakpoint.IsValid():
            continue
        if made is not None and made.first > 1 and breakpoint.GetIgnoreCount() > 0:
            made.count += breakpoint.GetHitCount()
            breakpoint.SetIgnoreCount(0)
        # Also without a rule: lldb-dap's own for a log message may be there, also of one that was refused.
        breakpoint.SetScriptCallbackFunction("lldb_hits.reached")


def reached(frame, location, _extra, _internal):
    """Whether the program stops. What goes wrong here is not the program's: then it does."""
    number, stops = location.GetBreakpoint().GetID(), True
    try:
        stops = is_hit(frame, location, number)
    except Exception as error:
        unsure(f"hits may be counted twice: {error}")
    if stops:
        thread, stop = frame.GetThread().GetThreadID(), stop_of(frame)
        known = hits.get(thread)
        hits[thread] = stop, {number} | (known[1] if known is not None and known[0] == stop else set())
    return stops


def is_hit(frame, location, number):
    if not beginnings.include(location):
        return False
    arrivals.meet(frame)
    if arrivals.is_told(frame, number):
        visits.is_again(frame)  # for the next time
        return False
    if visits.is_again(frame):
        return passing.stops(frame)
    passing.tries = {}
    if number in witnesses.numbers.values():
        return False
    return rules[number].stops(frame, number) if number in rules else True


def attend():
    """After breakpoints were set. Says the numbers of those that nobody is to be told of."""
    witnesses.attend(list(ours()), lldb.debugger.GetSelectedTarget())
    print("sonde " + json.dumps(list(witnesses.numbers.values())))


def hit_of(thread, numbers):
    """Says which of the breakpoints at one place are the reason for a stop: LLDB names all of them, also those whose condition is false."""
    target = lldb.debugger.GetSelectedTarget()
    stop, hit = hits.get(thread, (None, set()))
    seen = hit if stop == target.GetProcess().GetStopID() else set()
    named = {one.GetID() for one in ours()}
    print("sonde " + json.dumps([one for one in numbers if one in seen or one not in named] or numbers))


def copy(number, text):
    """Says the number of a further breakpoint at the same place, with a condition or none."""
    made = lldb_copies.copy(lldb.debugger.GetSelectedTarget().FindBreakpointByID(number), bytes.fromhex(text).decode() or None)
    print("sonde " + json.dumps({} if made is None else {"id": made.GetID()}))


def arrive(number):
    process = lldb.debugger.GetSelectedTarget().GetProcess()
    print("sonde " + json.dumps(arrivals.arrive(process.GetThreadByID(number))))


def take_out(number):
    process = lldb.debugger.GetSelectedTarget().GetProcess()
    print("sonde " + json.dumps(passing.begin(process.GetThreadByID(number))))


def forget():
    """The program has stopped elsewhere."""
    arrivals.told.clear()


def put_back(number):
    visits.forget()
    process = lldb.debugger.GetSelectedTarget().GetProcess()
    print("sonde " + json.dumps(passing.end(process.GetThreadByID(number))))
    witnesses.lead(process.GetTarget())


def conditional(frame, condition):
    """Its value, or why it has none."""
    try:
        value = lldb_evaluate.computed(frame, lldb_evaluate.filled(frame, condition))
        return value, (value.GetError().GetCString() or "no value") if lldb_evaluate.failed(value) else None
    except LookupError as missing:
        return None, str(missing)


def value_of(frame, expression):
    """As in a message."""
    why = lldb_unset.refusal(frame, expression)
    if why is not None:
        return f"<{why}>"
    value = frame.GetValueForVariablePath(expression, lldb.eDynamicDontRunTarget)
    if value.GetError().Fail():
        value, why = conditional(frame, expression)
        if why is not None:
            return f"<error: {why}>"
    return shown(value)


def reason(number):
    """Why a condition could not be told, once."""
    print("sonde " + json.dumps(reasons.pop(number, None)))


def unsure(text):
    if text not in said:
        said.add(text)
        tell({"unsure": text})


def tell(message):
    """In the order in which things happen: lldb-dap sends it with its own events."""
    if not tells:
        return
    words = json.dumps(message).encode().hex()
    debugger.HandleCommand(f"lldb-dap send-event sonde '{{\"told\":\"{words}\"}}'")
