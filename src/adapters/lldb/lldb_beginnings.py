"""Where a line begins: LLDB may have set a breakpoint's further locations in the rest of its code, which is the same execution."""

import lldb_flow


class Beginnings:
    def __init__(self, tell_unsure):
        self.tell_unsure = tell_unsure
        # By breakpoint and address.
        self.known = {}
        self.functions = {}

    def include(self, location):
        breakpoint, address = location.GetBreakpoint(), location.GetAddress()
        key = breakpoint.GetID(), address.GetFileAddress(), breakpoint.GetNumLocations()
        if breakpoint.GetNumLocations() < 2:
            return True
        if key not in self.known:
            self.known[key] = self.begins(breakpoint, address)
        return self.known[key]

    def begins(self, breakpoint, address):
        """Whether no other location of the line in the same function, or copy of one, always comes first."""
        line, instance = address.GetLineEntry().GetLine(), instance_of(address)
        target = breakpoint.GetTarget()
        others = [one.GetAddress() for one in breakpoint]
        others = [
            one
            for one in others
            if one.GetFileAddress() != address.GetFileAddress()
            and one.GetLineEntry().GetLine() == line
            and instance_of(one) == instance
        ]
        if not others or instance is None:
            return True
        flow = self.flow_of(address.GetFunction(), target)
        here = address.GetFileAddress()
        if not flow.is_known or here not in flow.place:
            return True
        before = [one for one in others if one.GetFileAddress() in flow.place and not flow.is_reached_without(here, one.GetFileAddress())]
        if before and is_plain(flow, target, address, before):
            return False
        # Apart from each other, the one that comes first is where the line begins, and nothing is to be said of it.
        if all(flow.is_reached_without(one.GetFileAddress(), here) for one in others):
            self.tell_unsure(f"line {line} has code at several places that may run apart from each other: each of them counts as a hit")
        return True

    def flow_of(self, function, target):
        start = function.GetStartAddress()
        key = start.GetModule().GetFileSpec().fullpath, start.GetFileAddress()
        if key not in self.functions:
            self.functions[key] = lldb_flow.Function(function, target)
        return self.functions[key]


def is_plain(flow, target, address, before):
    """Optimised code has copies of a line, each of which is an execution of its own."""
    known = [lldb_flow.kept_in_memory(target, one) for one in (address, *before)]
    if False in known:
        return False
    here = address.GetFileAddress()
    return True in known or not any(flow.may_come_again_without(here, one.GetFileAddress()) for one in before)


def instance_of(address):
    """The function, or the copy of one that was compiled into another."""
    block = address.GetBlock()
    while block.IsValid():
        if block.IsInlined():
            return block.GetRangeStartAddress(0).GetFileAddress(), block.GetInlinedName()
        block = block.GetParent()
    function = address.GetFunction()
    return (function.GetStartAddress().GetFileAddress(), None) if function.IsValid() else None
