"""
Lines seen without `sys.monitoring`. Python tells of every file's code before it runs (an audit event); the functions in it that hold one
of the lines are replaced there by ones that call us at it (sonde_patch), before any of them exists. A line outside functions is seen
by a trace function of the file's own frame, and what cannot be done so by one of all frames.
"""
import _io
import _thread
import os
import sys
from types import CodeType

from sonde_patch import patched
from sonde_room import Room, switched_off

# Answers nothing to whatever a trace function is told (`getattr(frame, "call", None)`), without running any Python.
_DEAF = getattr
_OPTIMIZED = 0x1


class _Switch(list):
    """On while there is something in it. It is among a function's constants, and those of a program that asks can be hashed."""

    __hash__ = object.__hash__


class Hooks:
    def __init__(self, points):
        self.points = points
        self.switch = _Switch([True])
        # A file was loaded under a trace function of the program's own.
        self.under_another = False
        self.kept = []
        self.ours = set()
        self.visiting = {}
        self.tracing = False
        # How many threads ran when tracing began: nobody can set their trace function for them.
        self.unseen = 0
        # Whether there is a way to change code that is about to run, once it was tried.
        self.put = None
        self.room = Room(self.on, self.off)

    # Of this thread alone: other threads have room of their own.

    def on(self):
        if self.tracing and sys.gettrace() is None:
            sys.settrace(self.call)

    def off(self):
        if self.tracing:
            sys.settrace(None)

    # As a file is loaded

    def audit(self, event, args):
        if event != "exec":
            return
        code = args[0]
        if type(code) is CodeType:
            try:
                lines = self.points.lines_of(code)
                if lines is not None:
                    self.prepare(code, lines)
            except RecursionError:
                self.room.left_out += 1

    def prepare(self, code, lines):
        if not self.tracing:
            try:
                if self.put is None:
                    self.put = _writer()
                self.replace(code, lines)
            except RecursionError:
                raise
            except Exception:
                # Whatever it is, it is not the program's.
                self.trace_all()
        if not self.tracing and self.points.wanted(code, lines):
            if sys.gettrace() not in (None, _DEAF, self.visit, self.visited):
                self.under_another = True
                return
            self.visiting.setdefault(_thread.get_ident(), []).append(code)
            sys.settrace(self.visit)

    def replace(self, code, lines):
        """In all or none of it: whatever is unclear is found out first."""
        found = []
        for at, one in enumerate(code.co_consts):
            if type(one) is CodeType and id(one) not in self.ours:
                new = self.changed(one, lines)
                if new is not one:
                    found.append((at, new))
        for at, new in found:
            self.kept.append((code.co_consts[at], new))
            self.put(code.co_consts, at, new)

    def changed(self, code, lines):
        consts = [
            self.changed(one, lines) if type(one) is CodeType and id(one) not in self.ours else one
            for one in code.co_consts
        ]
        whole = code
        if any(one is not other for one, other in zip(consts, code.co_consts)):
            whole = code.replace(co_consts=tuple(consts))
        new = patched(whole, {line: self.hook(numbers) for line, numbers in lines.items()}, self.switch) or whole
        if new is not code:
            self.kept.append(new)
            self.ours.add(id(new))
            self.points.seen[id(new)] = False
        return new

    def hook(self, numbers):
        room, hit, lacks = self.room, self.points.hit, self.room.lacks_now
        frame_of, gettrace, settrace = sys._getframe, sys.gettrace, sys.settrace

        def at_line():
            trace = None
            try:
                # What the program traces is not to be our doing.
                trace = gettrace()
                if trace is not None:
                    settrace(None)
                frame = frame_of(1)
                if not lacks(frame):
                    hit(numbers, frame)
                    _let_go(frame)
            except RecursionError:
                # That there was no room is nothing that the program did.
                room.left_out += 1
            finally:
                if trace is not None:
                    settrace(trace)

        return at_line

    # Where a trace function is needed

    def visit(self, frame, _event, _value):
        codes = self.visiting.get(_thread.get_ident())
        if not codes or frame.f_code is not codes[-1]:
            return None
        sys.settrace(_DEAF)
        return self.visited

    def visited(self, frame, event, _value):
        if event == "line":
            self.at(frame)
        elif event == "return":
            codes = self.visiting.get(_thread.get_ident())
            if codes and codes[-1] is frame.f_code:
                codes.pop()
            # One of the program's own stays.
            if sys.gettrace() is _DEAF and not codes:
                sys.settrace(None)
        return self.visited

    def at(self, frame):
        numbers = (self.points.lines_of(frame.f_code) or {}).get(frame.f_lineno)
        if numbers is not None and not self.room.lacks_now(frame):
            self.points.hit(numbers, frame)

    def trace_all(self):
        import threading

        self.tracing = True
        self.unseen = len(sys._current_frames()) - 1
        threading.settrace(self.call)
        sys.settrace(self.call)

    def local(self, frame, event, _value):
        if event == "line":
            numbers = (self.points.lines_of(frame.f_code) or {}).get(frame.f_lineno)
            if numbers is not None:
                self.points.hit(numbers, frame)
        return self.local

    def call(self, frame, _event, _value):
        if self.room.lacks(frame):
            return None
        points, code = self.points, frame.f_code
        lines = points.by_name.get(code.co_filename, False)
        if lines is None:
            return None
        if lines is False:
            lines = points.lines_of(code)
            if lines is None:
                return None
        wanted = points.seen.get(id(code))
        if wanted is None:
            wanted = points.wanted(code, lines)
        return self.local if wanted else None

    def reason(self):
        # A file's code that was never seen to end was not seen to its end.
        if any(self.visiting.values()) or (self.tracing and sys.gettrace() != self.call):
            return switched_off()
        if self.under_another:
            return "the program has a trace function of its own: lines outside functions, of files loaded under it, are not in the record"
        if self.unseen > 0:
            many = "1 thread" if self.unseen == 1 else "%d threads" % self.unseen
            return "these lines could only be seen by tracing, which does not reach %s that ran already: hits there are not in the record" % many
        return None


def _let_go(frame):
    """
    Reading a call's variables makes a copy of them that stays until it ends. Nobody has it but the frame, unless the program asked for it too.
    What `exec` made in the call is in it and nowhere else: only what the call has elsewhere is taken out.
    """
    code = frame.f_code
    if code.co_flags & _OPTIMIZED:
        copy = frame.f_locals
        if sys.getrefcount(copy) == _UNSHARED:
            for names in (code.co_varnames, code.co_cellvars, code.co_freevars):
                for name in names:
                    copy.pop(name, None)


def _unshared():
    """What Python counts for such a copy."""
    copy = sys._getframe().f_locals
    return sys.getrefcount(copy)


def _writer():
    """Puts something else into a tuple; what was there, and what comes, must be kept for good."""
    memory = _memory()

    def put(into, at, what):
        # It is counted as held by whoever holds it, and once more for the tuple.
        memory(id(what), (1 << 40) + sys.getrefcount(what))
        memory(id(into) + tuple.__basicsize__ + at * tuple.__itemsize__, id(what))

    trial = (object(), object())
    before, new = trial[1], object()
    put(trial, 1, new)
    if trial[1] is not new:
        raise OSError("memory is not where it should be")
    put(trial, 1, before)
    return put


_UNSHARED = _unshared()


def _memory():
    """Writes a word of memory: as the system lets a process write its own, without a module that the program did not load."""
    size, path = tuple.__itemsize__, "/proc/self/mem"
    if not os.path.exists(path):
        import ctypes

        return lambda address, value: ctypes.memmove(address, value.to_bytes(size, sys.byteorder), size)

    def write(address, value):
        with _io.FileIO(path, "r+") as memory:
            memory.seek(address)
            memory.write(value.to_bytes(size, sys.byteorder))

    return write


def begin(points, at_exit):
    hooks = Hooks(points)
    at_exit(hooks.room, hooks.reason)
    sys.addaudithook(hooks.audit)
