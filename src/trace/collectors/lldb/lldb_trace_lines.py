"""Every line of chosen functions: breakpoints where lines begin and where functions return, none of which stops the program."""

import re

import lldb
from lldb_trace_generic import is_called
from lldb_trace_values import place_of, shown

# So many places are watched; each costs a little when the program starts.
MOST_PLACES = 20000
MOST_VALUES = 40
RETURN = re.compile(r"^(ret|retq|rep ret|retaa|retab)$")
# Where a short value is returned, by the beginning of the target's name.
REGISTERS = {"x86_64": ("rax", "xmm0"), "aarch64": ("x0", "v0"), "arm64": ("x0", "v0")}


class Activation:
    """A call of a function that has not ended yet."""

    def __init__(self, call, cfa, start, place, parent):
        self.call = call
        self.cfa = cfa
        self.start = start
        self.function, self.path, self.line = place
        self.parent = parent
        self.values = {}


class LineRecorder:
    def __init__(self, plan, channel):
        self.channel = channel
        self.chars = plan["chars"]
        lines = plan["lines"]
        self.names = lines["functions"]
        self.under = [one.rstrip("/") for one in lines["under"]]
        self.depth = lines["depth"] if self.names else None
        self.calls = 0
        self.open = {}
        self.wanted = set()
        self.returns = {}

    def begin(self, target):
        self.registers = next((names for arch, names in REGISTERS.items() if target.GetTriple().startswith(arch)), None)
        functions = {self.key(one): one for one in self.named(target)}
        self.wanted = set(functions)
        if self.depth != 0:
            functions.update({self.key(one): one for one in self.all_under(target)})
        places = [place for one in functions.values() for place in self.places_in(one, target)]
        if len(places) > MOST_PLACES:
            self.channel.tell({"note": f"{len(places)} lines have code; the first {MOST_PLACES} of them were recorded"})
        for address, function, is_return in places[:MOST_PLACES]:
            breakpoint = target.BreakpointCreateBySBAddress(address)
            breakpoint.SetScriptCallbackFunction("lldb_trace.reached")
            if is_return:
                self.returns[breakpoint.GetID()] = function

    def named(self, target):
        for name in self.names:
            found = [one.GetFunction() for one in target.FindFunctions(name)]
            mine = [one for one in found if one.IsValid() and self.is_under(one.GetStartAddress())]
            if not mine:
                # LLDB does not know `fill<int>` by `fill`, nor `Box<int>::put` by `Box::put`.
                mine = [one for one in self.all_under(target) if is_called(one.GetName() or "", name)]
            if not mine:
                self.channel.tell({"note": self.elsewhere(name, found)})
            yield from mine

    def elsewhere(self, name, found):
        for one in found:
            path = one.GetStartAddress().GetLineEntry().GetFileSpec().fullpath if one.IsValid() else None
            if path:
                folder = path.rpartition("/")[0]
                return f"{name} is in {path}, which is not below {', '.join(self.under)}: run it in {folder}"
        return f"function {name} was not found in the program"

    def all_under(self, target):
        """Functions that have a line in one of the files, those of headers among them."""
        for module in target.module_iter():
            for unit in module.compile_unit_iter():
                known = set()
                for entry in unit:
                    path = entry.GetFileSpec().fullpath
                    if entry.GetLine() == 0 or not self.holds(path):
                        continue
                    function = entry.GetStartAddress().GetFunction()
                    if function.IsValid() and self.key(function) not in known:
                        known.add(self.key(function))
                        yield function

    def is_under(self, address):
        return self.holds(address.GetLineEntry().GetFileSpec().fullpath)

    def holds(self, path):
        return bool(path) and any(path == one or path.startswith(one + "/") for one in self.under)

    @staticmethod
    def key(function):
        start = function.GetStartAddress()
        return start.GetModule().GetFileSpec().fullpath, start.GetFileAddress()

    def places_in(self, function, target):
        """Where its lines begin, once its arguments are in place, and its returning instructions."""
        start, end = function.GetStartAddress(), function.GetEndAddress()
        low, high = start.GetFileAddress(), end.GetFileAddress()
        entries = {}
        for entry in start.GetCompileUnit():
            address = entry.GetStartAddress()
            if low <= address.GetFileAddress() < high and entry.GetLine() > 0:
                entries.setdefault(address.GetFileAddress(), address)
        body = low + function.GetPrologueByteSize()
        if body == low and len(entries) > 1:
            body = sorted(entries)[1]
        for at in sorted(entries):
            if at >= body:
                yield entries[at], function, False
        for instruction in function.GetInstructions(target):
            if RETURN.match(instruction.GetMnemonic(target) or ""):
                yield instruction.GetAddress(), function, True

    def reached(self, frame, location):
        thread = frame.GetThread()
        while frame.IsInlined() and frame.GetParentFrame().IsValid():
            frame = frame.GetParentFrame()
        stack = self.open.setdefault(thread.GetThreadID(), [])
        function = self.returns.get(location.GetBreakpoint().GetID())
        # At a returning instruction the frame is no more what it was, but the stack pointer still leads to its caller.
        cfa = frame.GetCFA() if function is None else frame.GetSP() + self.popped(frame)
        self.forget(stack, cfa, thread)
        if function is not None:
            if stack and stack[-1].cfa == cfa and stack[-1].start == self.key(function):
                self.returned(stack.pop(), frame, function, thread)
            return
        start = self.key(frame.GetFunction())
        current = stack[-1] if stack else None
        if current is not None and current.cfa == cfa and current.start == start:
            self.moved(current, frame, thread)
        elif self.is_recorded(stack, start):
            self.entered(stack, frame, cfa, start, thread)

    @staticmethod
    def popped(frame):
        """What a call leaves on the stack: its return address, where the processor keeps that there."""
        return 8 if frame.FindRegister("rsp").IsValid() else 0

    def is_recorded(self, stack, start):
        if self.depth is None:
            return True
        # A call of a named function inside another one of them, such as its own, is one that was asked for.
        return start in self.wanted or 0 < len(stack) <= self.depth

    def forget(self, stack, cfa, thread):
        """Calls that were left without a return: by an exception, or a jump."""
        while stack and stack[-1].cfa < cfa:
            self.tell("throw", stack.pop(), thread, [])

    def entered(self, stack, frame, cfa, start, thread):
        self.calls += 1
        parent = stack[-1].call if stack else None
        one = Activation(self.calls, cfa, start, place_of(frame), parent)
        stack.append(one)
        changes, _gone = self.changes(one, frame)
        self.tell("call", one, thread, changes)
        self.tell("line", one, thread, [])

    def moved(self, one, frame, thread):
        line = frame.GetLineEntry().GetLine()
        # A line may consist of several pieces of code.
        if line == one.line:
            return
        one.line = line
        changes, gone = self.changes(one, frame)
        self.tell("line", one, thread, changes, gone=gone)

    def returned(self, one, frame, function, thread):
        value = self.value_of(frame, function)
        self.tell("return", one, thread, [], **({} if value is None else {"value": value}))

    def value_of(self, frame, function):
        """What is in a register; larger things are elsewhere, and left out."""
        kind = function.GetType().GetFunctionReturnType()
        size = kind.GetByteSize() if kind.IsValid() else 0
        if self.registers is None or size == 0 or size > 8:
            return None
        plain = kind.GetCanonicalType()
        if plain.GetTypeClass() & (lldb.eTypeClassStruct | lldb.eTypeClassClass | lldb.eTypeClassUnion | lldb.eTypeClassArray):
            return None
        register = frame.FindRegister(self.registers[1 if plain.GetTypeFlags() & lldb.eTypeIsFloat else 0])
        error = lldb.SBError()
        raw = register.GetData().ReadRawData(error, 0, size) if register.IsValid() else None
        if not raw or error.Fail():
            return None
        data = lldb.SBData()
        target = frame.GetThread().GetProcess().GetTarget()
        data.SetData(error, raw, target.GetByteOrder(), target.GetAddressByteSize())
        value = target.CreateValueFromData("returned", data, kind)
        return shown(value)[: self.chars] if value.IsValid() else None

    def changes(self, one, frame):
        now = self.values_of(one, frame)
        changed = [[name, value] for name, value in now.items() if one.values.get(name) != value]
        gone = [name for name in one.values if name not in now]
        one.values = now
        return changed, gone

    def values_of(self, one, frame):
        """Of two variables of one name both are shown, with their places. What is declared further on holds nothing yet."""
        arguments = {value.GetID() for value in frame.GetVariables(True, False, False, True)}
        found = [value for value in frame.GetVariables(True, True, False, True) if value.GetName()][:MOST_VALUES]
        names = [value.GetName() for value in found]
        values = {}
        for name, value in zip(names, found):
            place = value.GetDeclaration()
            if names.count(name) > 1:
                name = f"{name} @ {place.GetFileSpec().GetFilename()}:{place.GetLine()}"
            ahead = place.GetLine() >= one.line and place.GetFileSpec().fullpath == one.path
            if not ahead or name in one.values or value.GetID() in arguments:
                values[name] = shown(value)[: self.chars]
        return values

    def tell(self, kind, one, thread, changes, gone=(), **more):
        self.channel.tell_hit(
            {
                "kind": kind,
                "ms": self.channel.now(),
                "thread": thread.GetThreadID(),
                "name": thread.GetName(),
                "call": one.call,
                "parent": one.parent,
                "function": one.function,
                "path": one.path,
                "line": one.line,
                "changes": changes,
                "gone": list(gone),
                **more,
            }
        )
