"""Steps that a signal interrupts. To LLDB the handler is a call like any other, and a step into a call ends there. To a reader it is none
of what the line does: the handler runs to its end, and the step goes on."""

import json
import re

import lldb
import lldb_flow
import lldb_hits

# What the system has a handler return to: the call `rt_sigreturn`, on x86-64 and on ARM.
AVOIDED = "target.process.thread.step-avoid-regexp"
RETURNS = (bytes.fromhex("48c7c00f0000000f05"), bytes.fromhex("681180d2010000d4"))


class Interruption:
    def __init__(self):
        # Where the step began: the frame's place on the stack, and its line.
        self.start = None
        # It is not LLDB that says where the step ends.
        self.is_ours = False
        # Where the handler was entered, and the breakpoint there.
        self.back = None
        self.way = None
        # What LLDB was to step out of before the handler's name was added. It goes on with a step itself, faster than signals come.
        self.avoided = None

    def begin(self, thread):
        self.end(thread.GetProcess().GetTarget())
        frame = thread.GetFrameAtIndex(0)
        self.start, self.is_ours = (frame.GetCFA(), line_of(frame)), False
        lldb_hits.stepping_in = thread.GetThreadID()

    def ended(self, thread):
        """What is to be done where the step ended, and where the handler has returned to; nothing if the step has ended."""
        target, frame = thread.GetProcess().GetTarget(), thread.GetFrameAtIndex(0)
        if self.start is None:
            return {}
        if self.way is not None:
            if frame.GetCFA() != self.back:
                return {"run": True}  # the handler has called the function that it interrupted
            hit = self.hit(thread)
            self.forget(target)
            if hit:
                return {"hit": hit}
        if frame.GetCFA() < self.start[0] and is_handler(thread):
            return {"run": True} if self.return_to(thread.GetFrameAtIndex(2), target) else {}
        rest = self.rest(frame) if self.is_ours else None
        self.is_ours = rest == "stepOut"
        return {} if rest is None else {"step": rest}

    def return_to(self, frame, target):
        way = target.BreakpointCreateByAddress(frame.GetPC())
        way.SetThreadID(frame.GetThread().GetThreadID())
        if not way.IsValid():
            return False
        self.way, self.back, self.is_ours = way.GetID(), frame.GetCFA(), True
        self.avoid(frame.GetThread())
        return True

    def avoid(self, thread):
        name = thread.GetFrameAtIndex(0).GetFunctionName()
        owner = lldb.debugger.GetInstanceName()
        known = lldb.debugger.GetInternalVariableValue(AVOIDED, owner).GetStringAtIndex(0) or ""
        if self.avoided is None:
            self.avoided = known
        if name:
            words = "|".join(one for one in (known, f"^{re.escape(name)}$") if one)
            lldb.debugger.SetInternalVariable(AVOIDED, words, owner)
        if self.calls(thread.GetFrameAtIndex(0), thread):
            lldb_hits.unsure(f"a step may have passed over a call of {name}, which is also the handler of a signal")

    def calls(self, handler, thread):
        """Whether the line that is stepped calls the handler itself."""
        target, start = thread.GetProcess().GetTarget(), handler.GetFunction().GetStartAddress().GetFileAddress()
        began = next((one for one in thread if one.GetCFA() == self.start[0]), None)
        if began is None or not handler.GetFunction().IsValid():
            return False
        of_line = (one for one in began.GetFunction().GetInstructions(target) if one.GetAddress().GetLineEntry().GetLine() == self.start[1][1])
        return any(one.DoesBranch() and lldb_flow.direct_target(one, target) == start for one in of_line)

    def end(self, target):
        """The step has ended: the handler is a function again that a step may lead into."""
        self.forget(target)
        if self.avoided is not None:
            lldb.debugger.SetInternalVariable(AVOIDED, self.avoided, lldb.debugger.GetInstanceName())
        self.start = self.avoided = lldb_hits.stepping_in = None

    def rest(self, frame):
        """The step that is left; nothing where it would have ended."""
        stack, line = self.start
        entry = frame.GetLineEntry()
        if frame.GetCFA() < stack and not entry.IsValid():
            return "stepOut"
        begins = entry.GetStartAddress().GetLoadAddress(frame.GetThread().GetProcess().GetTarget()) == frame.GetPC()
        if frame.GetCFA() < stack:
            return "stepIn"
        return "stepIn" if frame.GetCFA() == stack and (line_of(frame) == line or not begins) else None

    def hit(self, thread):
        stop, numbers = lldb_hits.hits.get(thread.GetThreadID(), (None, ()))
        return sorted(numbers) if stop == thread.GetProcess().GetStopID() else []

    def forget(self, target):
        if self.way is not None:
            target.BreakpointDelete(self.way)
        self.way = self.back = None


interruption = Interruption()


def begin(number):
    interruption.begin(lldb.debugger.GetSelectedTarget().GetProcess().GetThreadByID(number))


def ended(number):
    thread = lldb.debugger.GetSelectedTarget().GetProcess().GetThreadByID(number)
    told = interruption.ended(thread)
    if not told.get("run") and not told.get("step"):
        interruption.end(thread.GetProcess().GetTarget())
    print("sonde " + json.dumps({**told, **({} if interruption.way is None else {"way": interruption.way})}))


def forget():
    interruption.end(lldb.debugger.GetSelectedTarget())


def is_handler(thread):
    error = lldb.SBError()
    code = thread.GetProcess().ReadMemory(thread.GetFrameAtIndex(1).GetPC(), max(map(len, RETURNS)), error) or b""
    return any(code.startswith(one) for one in RETURNS)


def line_of(frame):
    entry = frame.GetLineEntry()
    return entry.GetFileSpec().fullpath, entry.GetLine()
