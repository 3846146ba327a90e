"""Calls functions in a running process by ptrace, without a debugger: Linux on x86-64.

Only the main thread is halted, and only until the calls have returned. Signals reach the program meanwhile as they always do; a
debugger's server loses them (LLDB takes one for the answer of its call) or needs the program to take a step first.

Runs as a process of its own: whoever ends it half-way takes the process with it (sonde_inject.py). It prints its answer.
"""

import json
import os
import re
import signal
import struct
import sys

# What is said before anything was called.
UNABLE = "unable: "

if sys.platform != "linux" or os.uname().machine != "x86_64" or sys.maxsize < 1 << 32:
    sys.exit(UNABLE + "only on Linux, x86-64")
try:
    import ctypes
except ImportError as _error:
    sys.exit(UNABLE + str(_error))

CONT, GETREGS, SETREGS, DETACH = 7, 12, 13, 17
GETREGSET, SETREGSET, SEIZE, INTERRUPT, GETSIGINFO = 0x4204, 0x4205, 0x4206, 0x4207, 0x4202
EVENT_STOP = 128
ALL_CHILDREN = 0x40000000
XSTATE = 0x202
REGISTERS = (
    "r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss fs_base gs_base ds es fs gs"
).split()
ARGUMENTS = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")
# Below what the function that was interrupted may use beyond its stack pointer.
RED_ZONE = 1024
TRAP = b"\xcc"
NONE = (1 << 64) - 1
FAULTS = (signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGSYS)
HALTS = (signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU)
OF_LIBC = r"/(libc|ld-musl)[.-][^/]*$"
NEEDED = ("Py_AddPendingCall", "PyRun_SimpleString", "PyGILState_Check", "PyGILState_Ensure", "PyGILState_Release")


class Unable(Exception):
    pass


class Registers(ctypes.Structure):
    _fields_ = [(name, ctypes.c_ulonglong) for name in REGISTERS]


class Buffer(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]


libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long


def ptrace(request, pid, address=0, data=0):
    if libc.ptrace(request, pid, address, data) == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


class Halted:
    """The main thread of a process, while it is halted; it goes on as it was afterwards."""

    def __init__(self, pid, trap):
        self.pid, self.trap, self.later = pid, trap, []
        try:
            ptrace(SEIZE, pid)
        except OSError as error:
            raise Unable("ptrace: %s" % error.strerror)
        try:
            self.halt()
            self.registers = Registers()
            ptrace(GETREGS, pid, 0, ctypes.addressof(self.registers))
            self.vectors = ctypes.create_string_buffer(1 << 16)
            buffer = Buffer(ctypes.addressof(self.vectors), ctypes.sizeof(self.vectors))
            ptrace(GETREGSET, pid, XSTATE, ctypes.addressof(buffer))
            self.vector_size = buffer.size
            if self.registers.cs != 0x33:
                raise Unable("not a 64-bit process")
        except OSError as error:
            self.leave()
            raise Unable("ptrace: %s" % error.strerror)
        except Unable:
            self.leave()
            raise

    def halt(self):
        ptrace(INTERRUPT, self.pid)
        while True:
            status = self.wait()
            if status >> 16 == EVENT_STOP:
                if os.WSTOPSIG(status) != signal.SIGTRAP:
                    raise Unable("halted by a signal")
                return
            ptrace(CONT, self.pid, 0, os.WSTOPSIG(status))

    def wait(self):
        while True:
            _, status = os.waitpid(self.pid, ALL_CHILDREN)
            if os.WIFSTOPPED(status):
                return status
            if os.WIFEXITED(status) or os.WIFSIGNALED(status):
                sys.exit("process %d has ended" % self.pid)

    def call(self, function, *arguments):
        """What it returns, in 64 bits."""
        registers = Registers.from_buffer_copy(self.registers)
        for name, value in zip(ARGUMENTS, arguments):
            setattr(registers, name, value)
        stack = (self.registers.rsp - RED_ZONE) & ~15
        self.write(stack - 8, struct.pack("<Q", self.trap))
        # Not in a system call, so none is begun again.
        registers.rsp, registers.rip, registers.rax, registers.orig_rax = stack - 8, function, 0, NONE
        registers.eflags &= ~0x500  # neither backwards nor step by step
        ptrace(SETREGS, self.pid, 0, ctypes.addressof(registers))
        passed = 0
        while True:
            ptrace(CONT, self.pid, 0, passed)
            status = self.wait()
            number, passed = os.WSTOPSIG(status), 0
            if status >> 16 == EVENT_STOP:
                continue
            ptrace(GETREGS, self.pid, 0, ctypes.addressof(registers))
            if number == signal.SIGTRAP and registers.rip == self.trap + 1 and registers.rsp == stack:
                return registers.rax
            if number in FAULTS and self.is_fault():
                sys.exit("a call in the process failed: %s at %#x" % (signal.Signals(number).name, registers.rip))
            # It would halt in the middle of the call.
            if number in HALTS:
                self.later.append(number)
            else:
                passed = number

    def is_fault(self):
        """Of the processor, not sent by anybody."""
        facts = ctypes.create_string_buffer(128)
        ptrace(GETSIGINFO, self.pid, 0, ctypes.addressof(facts))
        return struct.unpack_from("<i", facts, 8)[0] > 0

    def write(self, address, text):
        with open("/proc/%d/mem" % self.pid, "r+b", 0) as memory:
            memory.seek(address)
            memory.write(text)

    def restore(self):
        buffer = Buffer(ctypes.addressof(self.vectors), self.vector_size)
        try:
            ptrace(SETREGS, self.pid, 0, ctypes.addressof(self.registers))
            ptrace(SETREGSET, self.pid, XSTATE, ctypes.addressof(buffer))
        except ProcessLookupError:
            pass  # it has ended

    def leave(self):
        try:
            ptrace(DETACH, self.pid)
        except OSError:
            pass  # it has ended
        for number in self.later:
            os.kill(self.pid, number)


class Programs:
    """The files of programs and libraries that a process has mapped, and where functions of theirs are."""

    def __init__(self, pid):
        self.pid, self.files = pid, {}
        with open("/proc/%d/maps" % pid, errors="surrogateescape") as maps:
            for line in maps:
                words = line.rstrip("\n").split(None, 5)
                if len(words) < 6 or not words[5].startswith("/"):
                    continue
                start, end = (int(one, 16) for one in words[0].split("-"))
                part = (start, end, words[1], int(words[2], 16), int(words[4]))
                self.files.setdefault(words[5], []).append(part)

    def functions(self, names, pattern):
        """Of the first file that has them all."""
        for path, parts in self.files.items():
            if not any("x" in part[2] for part in parts) or not re.search(pattern, path):
                continue
            for way in (self.by_file, self.by_memory):
                try:
                    found = way(path, parts, {name.encode() for name in names})
                except (OSError, struct.error, ValueError, IndexError):
                    continue
                if len(found) == len(names):
                    return found
        raise Unable("the process has no function %s" % names[0])

    def by_file(self, path, parts, names):
        with open("/proc/%d/root%s" % (self.pid, path), "rb") as file:
            # A newer one may be in its place.
            if os.fstat(file.fileno()).st_ino != parts[0][4]:
                return {}
            elf = Elf(lambda at, size: file.seek(at) and None or file.read(size))
            return elf.found(names, elf.bias(parts), elf.tables())

    def by_memory(self, path, parts, names):
        """Of a file that is gone: only what other files may use."""
        start = min(part[0] for part in parts if part[3] == 0)
        elf = Elf(lambda at, size: self.read(start + at, size))
        bias = elf.bias(parts)
        memory = Elf(self.read, start)
        return memory.found(names, bias, memory.dynamic_tables(bias))

    def read(self, address, size):
        with open("/proc/%d/mem" % self.pid, "rb", 0) as memory:
            memory.seek(address)
            return memory.read(size)

    def trap(self):
        """Where a byte that traps stands in the code: a call returns there."""
        for path, parts in self.files.items():
            for start, end, flags, _, _ in parts if re.search(OF_LIBC, path) else ():
                at = self.read(start, min(end - start, 1 << 20)).find(TRAP) if "x" in flags else -1
                if at >= 0:
                    return start + at
        raise Unable("no place to return to")


class Elf:
    """`read(at, size)`: in its file, or in memory, where it begins at `start`."""

    def __init__(self, read, start=0):
        self.read = read
        head = read(start, 64)
        if head[:6] != b"\x7fELF\x02\x01":
            raise ValueError("no program")
        segments, self.sections_at = struct.unpack_from("<QQ", head, 32)
        size, count, self.section_size, self.section_count = struct.unpack_from("<HHHH", head, 54)
        self.segments = [struct.unpack("<IIQQQQQQ", read(start + segments + size * number, 56)) for number in range(count)]

    def bias(self, parts):
        """How far from its own addresses it is in memory."""
        for kind, flags, offset, address, _, _, _, _ in self.segments:
            for start, end, allowed, at, _ in parts:
                if kind == 1 and flags & 1 and "x" in allowed and at <= offset < at + end - start:
                    return start + offset - at - address
        raise ValueError("its code is not in memory")

    def tables(self):
        """Symbols and their texts, as places and sizes: all symbols, and those that other files may use."""
        sections = [
            struct.unpack("<IIQQQQIIQQ", self.read(self.sections_at + number * self.section_size, 64))
            for number in range(self.section_count)
        ]
        for _, kind, _, _, offset, size, link, _, _, _ in sections:
            if kind in (2, 11):
                yield offset, size, sections[link][4], sections[link][5]

    def dynamic_tables(self, bias):
        address, size = next((one[3], one[6]) for one in self.segments if one[0] == 2)
        entries = dict(struct.iter_unpack("<QQ", self.read(bias + address, size)))
        # Some loaders put addresses of the memory there.
        at = lambda tag: entries[tag] + (bias if entries[tag] < bias else 0)  # noqa: E731
        symbols, texts = at(6), at(5)
        # The texts follow the symbols in what linkers write; else there is no telling how many there are.
        if texts > symbols:
            yield symbols, texts - symbols, texts, entries[10]

    def found(self, names, bias, tables):
        found = {}
        for at, size, texts_at, texts_size in tables:
            texts = self.read(texts_at, texts_size)
            for name_at, info, _, section, value, _ in struct.iter_unpack("<IBBHQQ", self.read(at, size - size % 24)):
                if info & 15 != 2 or section == 0 or name_at >= texts_size:
                    continue
                name = texts[name_at : texts.index(b"\0", name_at)]
                if name in names:
                    found[name.decode()] = bias + value
        return found


class Calls:
    """What is to be called, and how it went."""

    def __init__(self, task):
        self.pid, self.place, self.codes = task["pid"], task.get("place"), task.get("codes")
        self.programs = Programs(self.pid)
        self.trap = self.programs.trap()

    def run(self, act, *arguments):
        halted = Halted(self.pid, self.trap)
        try:
            try:
                return act(halted, *arguments)
            finally:
                halted.restore()
        finally:
            halted.leave()

    def libc(self, name):
        return self.programs.functions((name,), OF_LIBC)[name]

    def number(self):
        """A call that changes nothing."""
        return self.run(lambda halted, getpid: as_int(halted.call(getpid)), self.libc("getpid"))

    def script(self, script):
        python = self.programs.functions(NEEDED, r"python")
        return self.run(self.act, python, self.libc("mmap"), script.encode("utf-8", "surrogateescape") + b"\0")

    def act(self, halted, python, mmap, text):
        """Elsewhere than at `place` the text is not run but queued."""
        if self.place is not None:
            stack, instruction = (int(one, 16) for one in self.place)
            # Some processors go back to a call that they repeat.
            if halted.registers.rsp != stack or not 0 <= instruction - halted.registers.rip <= 4:
                return self.codes["elsewhere"]
            if as_int(halted.call(python["PyGILState_Check"])) != 0:
                return self.codes["elsewhere"]
        # To be read and written, private, of no file.
        where = halted.call(mmap, 0, len(text), 3, 0x22, NONE, 0)
        if where == NONE:
            return self.codes["no_memory"]
        halted.write(where, text)
        if self.place is None:
            return as_int(halted.call(python["Py_AddPendingCall"], python["PyRun_SimpleString"], where))
        state = halted.call(python["PyGILState_Ensure"])
        halted.call(python["PyRun_SimpleString"], where)
        halted.call(python["PyGILState_Release"], state & 0xFFFFFFFF)
        return self.codes["done"]


def as_int(value):
    return ctypes.c_int(value & 0xFFFFFFFF).value


def main(words):
    task = json.loads(words[0])
    try:
        calls = Calls(task)
        print("sonde = %d" % (calls.script(task["script"]) if "script" in task else calls.number()))
    except Unable as error:
        sys.exit(UNABLE + str(error))
    except OSError as error:
        sys.exit(UNABLE + error.strerror)


if __name__ == "__main__":
    main(sys.argv[1:])
