"""Every line of chosen functions: breakpoints where lines begin and where functions return, none of which stops the program."""

import re

import lldb
from lldb_trace_generic import is_called
from lldb_trace_values import place_of, shown

# So many places are watched; each costs a little when the program starts.
MOST_PLACES = 20000
MOST_VALUES = 40
MOST_FIELDS = 20
# What a method works on.
OWN = "this"
NO_ADDRESS = lldb.LLDB_INVALID_ADDRESS
CALL = re.compile(r"^(call|bl)")
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


def is_end(entry):
    """One that only says where the code before it ends: what begins there is another's."""
    return entry.GetStartAddress().GetFileAddress() == entry.GetEndAddress().GetFileAddress()


def any_kept(block, target):
    if block.GetVariables(target, False, False, True).GetSize() > 0:
        return True
    child = block.GetFirstChild()
    while child.IsValid():
        if any_kept(child, target):
            return True
        child = child.GetSibling()
    return False


def jumped_to(instructions, target):
    """File addresses that jumps of a function lead to; None where one of them goes by a table or a register."""
    found = set()
    for one in instructions:
        name = one.GetMnemonic(target) or ""
        if not one.DoesBranch() or RETURN.match(name) or CALL.match(name):
            continue
        where = re.search(r"(?:^|[\s,])(0x[0-9a-f]+)\s*$", one.GetOperands(target) or "")
        if where is None:
            return None
        address = int(where.group(1), 16)
        loaded = one.GetAddress().GetLoadAddress(target) != NO_ADDRESS
        found.add(target.ResolveLoadAddress(address).GetFileAddress() if loaded else address)
    return found


def is_given(name, kept):
    return name not in kept and not name.startswith(f"{OWN}.")


def fields_of(value):
    """With those of what it is made from."""
    value = value.GetNonSyntheticValue()
    kind, children = value.GetType(), value.GetNumChildren()
    # LLDB leaves out bases that hold nothing: before its own fields stand as many bases as there are further children.
    bases = min(kind.GetNumberOfDirectBaseClasses(), max(0, children - kind.GetNumberOfFields()))
    found = []
    for at in range(min(children, MOST_FIELDS)):
        child = value.GetChildAtIndex(at)
        name = child.GetName() or ""
        if at < bases:
            found += fields_of(child)
        elif name and not name.startswith("_vptr"):
            found.append((name, child))
    return found[:MOST_FIELDS]


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
        # Lines with code, by function; and which functions keep variables from call to call.
        self.coded = {}
        self.keeping = {}

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
                    if entry.GetLine() == 0 or not self.holds(path) or is_end(entry):
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
        entries, lines = {}, {}
        for entry in start.GetCompileUnit():
            address = entry.GetStartAddress()
            if low <= address.GetFileAddress() < high and entry.GetLine() > 0:
                entries.setdefault(address.GetFileAddress(), address)
                lines[address.GetFileAddress()] = entry.GetLine()
                self.coded.setdefault(self.key(function), set()).add(entry.GetLine())
        body = low + function.GetPrologueByteSize()
        if body == low and len(entries) > 1:
            body = sorted(entries)[1]
        instructions = list(function.GetInstructions(target))
        targets = jumped_to(instructions, target)
        before = None
        for at in sorted(entries):
            # A further piece of the line before it, which nothing else leads to, is no other moment.
            same = before is not None and before >= body and lines[before] == lines[at]
            before = at
            if at >= body and not (same and targets is not None and at not in targets):
                yield entries[at], function, False
        for instruction in instructions:
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
        # Their lines have no code and never run: what they hold from before is told there.
        kept = {name: line for name, (_value, line) in self.kept_in(one, frame).items() if not self.has_code(one, line)}
        self.tell("call", one, thread, [change for change in changes if is_given(change[0], kept)])
        first = one.line
        before = []
        for name in sorted(kept, key=kept.get):
            one.line = kept[name]
            self.tell("line", one, thread, before)
            before = [change for change in changes if change[0] == name]
        one.line = first
        self.tell("line", one, thread, before)

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
            if name == OWN and value.GetType().IsPointerType():
                # Each of its fields by itself: a line changes one of them.
                values[name] = one.values.get(name) or shown(value)[: self.chars]
                values.update((f"{OWN}.{field}", shown(held)[: self.chars]) for field, held in fields_of(value.Dereference()))
            elif not ahead or name in one.values or value.GetID() in arguments:
                values[name] = shown(value)[: self.chars]
        for name, (value, line) in self.kept_in(one, frame).items():
            # One that is made when its line runs holds nothing before.
            if name in one.values or line < one.line or not self.has_code(one, line):
                values.setdefault(name, shown(value)[: self.chars])
        return values

    def has_code(self, one, line):
        return line in self.coded.get(one.start, ())

    def keeps(self, one, frame):
        known = self.keeping.get(one.start)
        if known is None:
            target = frame.GetThread().GetProcess().GetTarget()
            known = self.keeping[one.start] = any_kept(frame.GetFunction().GetBlock(), target)
        return known

    def kept_in(self, one, frame):
        """Variables that a function keeps from call to call, each with the line that declares it."""
        found = {}
        if not self.keeps(one, frame):
            return found
        block = frame.GetBlock()
        while block.IsValid():
            for value in block.GetVariables(frame, False, False, True, lldb.eNoDynamicValues):
                place = value.GetDeclaration()
                if value.GetName() and place.GetFileSpec().fullpath == one.path:
                    found.setdefault(value.GetName(), (value, place.GetLine()))
            if block.GetInlinedName():
                break
            block = block.GetParent()
        return found

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
