"""
Which lines ran in each call from outside of a function of one file, as a runner calls its tests: summed up over the calls that returned,
and over those that an exception left.
"""
import os
import sys
import threading
import time

from sonde_lines import _GENERATOR, _RETURNS
from sonde_room import Room
from sonde_trace import quote

# Told at least this often, for a program that is killed.
_EVERY = 0.5
# Lines of one file have numbers below that; the rest of a number is the file's.
_FILE = 1 << 20


class Ran:
    def __init__(self, plan, channel, values, threads, files, clock):
        self.say = channel.say
        self.files = files
        self.under = tuple(os.path.realpath(one) for one in plan["lines"]["under"])
        self.tests = os.path.realpath(plan["lines"]["tests"])
        self.paths = []
        self.numbers = {}
        # By code, which is kept: another's identity could be the same after it.
        self.tracers = {}
        self.local = threading.local()
        self.room = Room(self.on, lambda: sys.settrace(None))
        self.lock = threading.Lock()
        self.greet()

    def greet(self):
        """Also in a child after a fork: what its parent has summed up is told by its parent."""
        self.sums, self.ended = {}, [0, 0]
        self.since = time.monotonic()

    def on(self):
        if sys.gettrace() is None:
            sys.settrace(self.call)

    def call(self, frame, _event, _value):
        if self.room.lacks(frame):
            return None
        code = frame.f_code
        found = self.tracers.get(id(code))
        if found is None:
            found = self.tracers[id(code)] = (code, *self._tracers(code))
        _code, inner, outer = found
        if getattr(self.local, "lines", None) is not None:
            return inner
        if outer is not None:
            self.local.lines = set()
        return outer

    def _tracers(self, code):
        """For calls within a test, and for those that may be one."""
        path = self.files.path(code.co_filename)
        if path is None or not self.files.is_users(path):
            return None, None
        real = os.path.realpath(path)
        if not any(real == one or real.startswith(one.rstrip(os.sep) + os.sep) for one in self.under):
            return None, None
        base = self._number(path) * _FILE
        local = self.local

        def inner(frame, event, _value):
            if event == "line" and local.lines is not None:
                local.lines.add(base + frame.f_lineno)
            return inner

        def outer(frame, event, _value):
            if event == "line":
                local.lines.add(base + frame.f_lineno)
            elif event == "return":
                lines, local.lines = local.lines, None
                self._add(lines, 0 if code.co_code[frame.f_lasti] in _RETURNS else 1)
            return outer

        # One that waits is left and entered again.
        may_be = real == self.tests and code.co_name != "<module>" and not code.co_flags & _GENERATOR
        return inner, outer if may_be else None

    def _number(self, path):
        if path not in self.numbers:
            self.numbers[path] = len(self.paths)
            self.paths.append(path)
        return self.numbers[path]

    def _add(self, lines, how):
        with self.lock:
            self.ended[how] += 1
            for one in lines:
                self.sums.setdefault(one, [0, 0])[how] += 1
            if time.monotonic() - self.since > _EVERY:
                self._tell()

    def _tell(self):
        by_file = {}
        for number, (returned, thrown) in self.sums.items():
            by_file.setdefault(number // _FILE, []).append("[%d,%d,%d]" % (number % _FILE, returned, thrown))
        told = ",".join("[%s,[%s]]" % (quote(self.paths[file]), ",".join(lines)) for file, lines in by_file.items())
        returned, thrown = self.ended
        self.greet()
        if returned + thrown > 0:
            self.say('["T",%d,%d,[%s]]\n' % (returned, thrown, told))

    def end(self):
        with self.lock:
            self._tell()


def begin(plan, **parts):
    import atexit

    ran = Ran(plan, **parts)
    parts["channel"].greetings.append(ran.greet)
    atexit.register(ran.end)
    threading.settrace(ran.call)
    sys.settrace(ran.call)
