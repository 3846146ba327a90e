"""Whether a breakpoint is met a second time on one visit.

A signal that comes while LLDB steps over its breakpoint is delivered first: the step ends in the handler, LLDB takes the breakpoint for
passed, and meets it again when the handler returns, every register as before. What the kernel saved for that return still lies below
the stack, where nothing of the program's is, or on the stack that the program gave its handlers, which may be anywhere. It is struck
out, so that it speaks for one return only.
"""

import re
import struct

import lldb

# In the order in which the kernel saves them, by the name of a register that only this processor has; and how far before the first of
# them it says which stack handlers have: https://man7.org/linux/man-pages/man2/sigaltstack.2.html
SAVED = {
    "rip": ([*(f"r{at}" for at in range(8, 16)), "rdi", "rsi", "rbp", "rbx", "rdx", "rax", "rcx", "rsp", "rip"], 24),
    "x28": ([*(f"x{at}" for at in range(29)), "fp", "lr", "sp", "pc"], 168),
}
# A processor's further registers are saved above.
REACH = 16384
# Bytes that are looked through for a handler's stack that is not known yet: at once, and in vain in the whole run.
PIECE = 1 << 20
MOST = 16 << 20
MOST_IN_VAIN = 128 << 20
# Stack pointers of a thread whose last visit is remembered.
DEPTHS = 4096
# What an instruction brings about itself: SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV.
# Nor do the two that glibc keeps for its threads.
FAULTS = sum(1 << number - 1 for number in (4, 5, 6, 7, 8, 11, 32, 33))


class Visits:
    def __init__(self, tell_unsure):
        self.tell_unsure = tell_unsure
        # By thread and stack pointer: the registers of the last visit.
        self.last = {}
        # By thread: where its handlers' stack begins and how long it is.
        self.stacks = {}
        self.in_vain = 0
        # By thread: the last stop that was asked about, and the answer. Several breakpoints may be at one place.
        self.answers = {}

    def is_again(self, frame):
        thread = frame.GetThread()
        number, stop = thread.GetThreadID(), thread.GetProcess().GetStopID()
        known = self.answers.get(number)
        if known is None or known[0] != (stop, frame.GetPC()):
            known = self.answers[number] = (stop, frame.GetPC()), self.is_met_again(frame)
        return known[1]

    def is_met_again(self, frame):
        thread = frame.GetThread()
        process = thread.GetProcess()
        caught = caught_signals(process)
        if caught == 0:
            return False
        registers, before = saved_registers(frame)
        if registers is None:
            return False
        last = self.last.setdefault(thread.GetThreadID(), {})
        was_here = last.pop(frame.GetSP(), None) == registers
        last[frame.GetSP()] = registers
        if len(last) > DEPTHS:
            del last[next(iter(last))]
        # A signal that came just before this visit left the same. It must not speak for a visit to come.
        found = self.find(frame, registers, caught) if was_here else self.find_near(frame, registers)
        if found is None:
            return False
        error = lldb.SBError()
        said = process.ReadMemory(found - before, 24, error)
        if error.Success():
            start, _flags, size = struct.unpack("<QQQ", said)
            if start <= found < start + size:
                self.stacks[thread.GetThreadID()] = start, min(size, MOST)
        process.WriteMemory(found + len(registers) - 8, bytes(8), error)
        return was_here

    def arrive(self, frame):
        """A visit that began without a breakpoint being met: by a step."""
        registers, _before = saved_registers(frame)
        self.last.setdefault(frame.GetThread().GetThreadID(), {})[frame.GetSP()] = registers

    def forget(self):
        """Signals that came while a breakpoint was not there left the same, and nobody struck it out."""
        self.last.clear()

    def find_near(self, frame, registers):
        """Below the stack, or on the handlers' own where that is known."""
        thread = frame.GetThread()
        found = find_in(thread.GetProcess(), frame.GetSP() - REACH, REACH, registers)
        if found is None and thread.GetThreadID() in self.stacks:
            return find_in(thread.GetProcess(), *self.stacks[thread.GetThreadID()], registers)
        return found

    def find(self, frame, registers, caught):
        thread = frame.GetThread()
        process = thread.GetProcess()
        found = self.find_near(frame, registers)
        if found is not None or thread.GetThreadID() in self.stacks:
            return found
        if self.in_vain > MOST_IN_VAIN:
            if caught & ~FAULTS:
                self.tell_unsure()
            return None
        left = MOST
        for start, size in writable(process):
            if size > left:
                if caught & ~FAULTS:
                    self.tell_unsure()
                break
            left -= size
            found = find_in(process, start, size, registers)
            if found is not None:
                return found
        self.in_vain += MOST - left
        return None


def caught_signals(process):
    try:
        with open(f"/proc/{process.GetProcessID()}/status", encoding="ascii", errors="replace") as status:
            caught = next(line for line in status if line.startswith("SigCgt:"))
    except (OSError, StopIteration):
        return 0  # nothing is known of such a system's signals
    return int(caught.split()[1], 16)


def saved_registers(frame):
    """As the kernel writes them, and where it writes of the handlers' stack."""
    names, before = next((saved for one, saved in SAVED.items() if frame.FindRegister(one).IsValid()), (None, 0))
    if names is None:
        return None, 0
    # Not as formatters show them: Rust's take any value for one of theirs, and make up another number each time.
    values = (frame.FindRegister(name).GetNonSyntheticValue().GetValueAsUnsigned() for name in names)
    return struct.pack(f"<{len(names)}Q", *values), before


def writable(process):
    """Start and size of memory that a handler's stack may be in, the smallest first."""
    try:
        with open(f"/proc/{process.GetProcessID()}/maps", encoding="utf-8", errors="replace") as maps:
            found = [re.match(r"([0-9a-f]+)-([0-9a-f]+) rw", line) for line in maps]
    except OSError:
        return []
    spans = [(int(one[1], 16), int(one[2], 16)) for one in found if one]
    return sorted(((start, end - start) for start, end in spans), key=lambda one: one[1])


def find_in(process, start, size, wanted):
    """The last of those in the first piece that has one. Pieces overlap, so that none is cut in two."""
    for at in range(start, start + size, PIECE):
        error = lldb.SBError()
        data = process.ReadMemory(at, min(PIECE + len(wanted), start + size - at), error) or b""
        found = data.rfind(wanted)
        if found >= 0:
            return at + found
    return None
