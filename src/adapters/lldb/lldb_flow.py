"""Where a function's instructions lead: whether one of two places is always passed before the other, and what comes after a place."""

import re
import struct

import lldb

RETURN = re.compile(r"^(ret|retq|rep ret|retaa|retab|iretq)$")
CALL = re.compile(r"^(call|bl)")
# Nothing comes after it.
END = re.compile(r"^(ud2|hlt|int3|brk|udf)$")
JUMP = re.compile(r"^(notrack )?(jmpq?|b|br|braa|brab)$")
# More are not looked through.
MOST_INSTRUCTIONS = 40000
# Of a jump by a table: how far before it the table's place is read, and how many entries one may have.
TABLE_BEFORE = 16
MOST_ENTRIES = 4096
NO_ADDRESS = lldb.LLDB_INVALID_ADDRESS
IN_MEMORY = re.compile(r"^DW_OP_(fbreg|breg\d+|bregx|addrx?)\b")


class Function:
    def __init__(self, function, target):
        self.target = target
        self.start = function.GetStartAddress().GetFileAddress()
        self.end = function.GetEndAddress().GetFileAddress()
        found = list(function.GetInstructions(target))
        self.is_known = 0 < len(found) <= MOST_INSTRUCTIONS
        self.instructions = found if self.is_known else []
        self.order = [one.GetAddress().GetFileAddress() for one in self.instructions]
        self.place = {address: at for at, address in enumerate(self.order)}
        self.next = [self.successors(at) for at in range(len(self.order))]
        led_to = {one for to in self.next for one in to or ()}
        # Reached by what is thrown, or by a jump whose table was not found.
        self.orphans = [at for at in range(1, len(self.order)) if at not in led_to]

    def successors(self, at):
        """Positions in the function; None of a jump to who knows where."""
        one = self.instructions[at]
        name = (one.GetMnemonic(self.target) or "").strip()
        after = [at + 1] if at + 1 < len(self.order) else []
        if RETURN.match(name) or END.match(name):
            return []
        if CALL.match(name) or not one.DoesBranch():
            return after
        to = direct_target(one, self.target)
        if to is None:
            entries = self.table(at)
            return None if entries is None else entries
        return [self.place[to]] * (to in self.place) + ([] if JUMP.match(name) else after)

    def table(self, at):
        """What a jump by a table leads to. One entry too many makes nothing wrong: it is one way more."""
        for before in range(at - 1, max(-1, at - TABLE_BEFORE), -1):
            base = relative_to_pc(self.instructions[before], self.target)
            if base is None or self.start <= base < self.end:
                continue
            data = read_file(self.target, self.instructions[before].GetAddress().GetModule(), base)
            found = []
            for (entry,) in struct.iter_unpack("<i", data[: len(data) // 4 * 4]):
                if base + entry not in self.place:
                    break
                found.append(self.place[base + entry])
            if found:
                return found
        return None

    def is_reached_without(self, wanted, avoided):
        """Whether there may be a way from the function's start to a place that does not pass the other one."""
        return self.may_reach([self.order[0]], wanted, avoided)

    def may_come_again_without(self, wanted, avoided):
        """Whether there may be a way from a place back to it that does not pass the other one."""
        first = self.next[self.place[wanted]]
        return first is None or self.may_reach([self.order[one] for one in first], wanted, avoided)

    def may_reach(self, starts, wanted, avoided):
        seen, left = set(), [self.place[one] for one in starts]
        thrown = False
        while left:
            at = left.pop()
            if at in seen or self.order[at] == avoided:
                continue
            if self.order[at] == wanted:
                return True
            seen.add(at)
            to = self.next[at]
            if to is None:
                return True
            left += to
            if not thrown and CALL.match(self.instructions[at].GetMnemonic(self.target) or ""):
                thrown = True
                left += self.orphans
        return False


def direct_target(one, target):
    """As a file address; None of one that goes by a register or by memory."""
    where = re.search(r"(?:^|[\s,])(0x[0-9a-f]+)\s*$", one.GetOperands(target) or "")
    if where is None:
        return None
    address = int(where.group(1), 16)
    loaded = one.GetAddress().GetLoadAddress(target) != NO_ADDRESS
    return target.ResolveLoadAddress(address).GetFileAddress() if loaded else address


def relative_to_pc(one, target):
    """The file address of what an instruction takes the address of, counted from itself."""
    if (one.GetMnemonic(target) or "") not in ("lea", "leaq"):
        return None
    offset = re.search(r"(-?0x[0-9a-f]+|-?\d+)?\(%rip\)|\[rip(?: ([+-]) (0x[0-9a-f]+|\d+))?\]", one.GetOperands(target) or "")
    if offset is None:
        return None
    near = int(offset.group(1), 0) if offset.group(1) else int(offset.group(3) or "0", 0) * (-1 if offset.group(2) == "-" else 1)
    return one.GetAddress().GetFileAddress() + one.GetByteSize() + near


def read_file(target, module, address):
    """Of the module's file, up to the end of the section."""
    place = module.ResolveFileAddress(address)
    section = place.GetSection()
    if not section.IsValid():
        return b""
    left = section.GetFileAddress() + section.GetByteSize() - address
    error = lldb.SBError()
    return target.ReadMemory(place, min(left, 4 * MOST_ENTRIES), error) or b""


def next_places(frame, target):
    """Load addresses at which a thread that runs on from here is next; None where that is not known."""
    listed = target.ReadInstructions(frame.GetPCAddress(), 1)
    one = listed.GetInstructionAtIndex(0)
    if not one.IsValid():
        return None
    pc, name = frame.GetPC(), (one.GetMnemonic(target) or "").strip()
    after = pc + one.GetByteSize()
    if not one.DoesBranch():
        return [after]
    to = re.search(r"(?:^|[\s,])(0x[0-9a-f]+)\s*$", one.GetOperands(target) or "")
    if RETURN.match(name) or to is None:
        return None
    return [int(to.group(1), 16)] if JUMP.match(name) or CALL.match(name) else [int(to.group(1), 16), after]


def kept_in_memory(target, address):
    """Whether all variables that a place knows are in memory, as unoptimised code has them; None where it knows of none."""
    result = lldb.SBCommandReturnObject()
    where = address.GetLoadAddress(target)
    words = f"{where:#x}" if where != NO_ADDRESS else f"{address.GetFileAddress():#x} {address.GetModule().GetFileSpec().GetFilename()}"
    target.GetDebugger().GetCommandInterpreter().HandleCommand(f"image lookup -v -a {words}", result)
    places = re.findall(r"^\s*Variable: .*?, location = (.*?), decl = ", result.GetOutput() or "", re.M)
    return all(IN_MEMORY.match(one) for one in places) if places else None
