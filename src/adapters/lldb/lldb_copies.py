"""Copies of a breakpoint, by LLDB's own way to save them: at the same places, also at those that a library brings later."""

import json
import os
import tempfile

import lldb


def copy(breakpoint, condition=None, name=None):
    """One with a condition and a count of its own, and another name if there is one; nothing if LLDB cannot save it."""
    target = breakpoint.GetTarget()
    wanted, made = lldb.SBBreakpointList(target), lldb.SBBreakpointList(target)
    wanted.Append(breakpoint)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "breakpoint")
        file = lldb.SBFileSpec(path, False)
        if target.BreakpointsWriteToFile(file, wanted).Fail():
            return None
        with open(path, encoding="utf-8") as saved:
            all_saved = json.load(saved)
        for one in all_saved:
            options = {"AutoContinue": False, "EnabledState": True, "OneShotState": False, "IgnoreCount": 0}
            one["Breakpoint"]["BKPTOptions"] = options if condition is None else {**options, "ConditionText": condition}
            if name is not None:
                one["Breakpoint"]["Names"] = [name]
        with open(path, "w", encoding="utf-8") as changed:
            json.dump(all_saved, changed)
        if target.BreakpointsCreateFromFile(file, made).Fail():
            return None
    return made.GetBreakpointAtIndex(0) if made.GetSize() == 1 else None


class Witnesses:
    """LLDB evaluates a condition before it calls anything of ours, so that visits at which it is false are not seen. A copy without the
    condition sees them all."""

    NAME = "sonde_witness"

    def __init__(self):
        # By the breakpoint's number: the copy's.
        self.numbers = {}

    def attend(self, breakpoints, target):
        """One for each of these that has a condition."""
        wanted = {one.GetID(): one for one in breakpoints if one.IsEnabled() and one.GetCondition()}
        for number in [one for one in self.numbers if one not in wanted]:
            target.BreakpointDelete(self.numbers.pop(number))
        for number, one in wanted.items():
            made = None if number in self.numbers else copy(one, name=self.NAME)
            if made is None:
                continue
            self.numbers[number] = made.GetID()
        self.lead(target)

    def lead(self, target):
        """Has the copies come first: a condition that calls a function overwrites what a signal left. Nothing may be missed meanwhile."""
        if target.GetProcess().GetState() == lldb.eStateRunning:
            return
        for number in self.numbers:
            one = target.FindBreakpointByID(number)
            if one.IsEnabled():
                one.SetEnabled(False)
                one.SetEnabled(True)
