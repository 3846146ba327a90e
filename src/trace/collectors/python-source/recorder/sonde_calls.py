"""
Which of the program's functions ran: how often, called by whom, and how long. Nothing is told of single calls: what came since the last
time is summed up and sent a few times a second, so that little is lost of a program that is killed.
"""
import os
import sys
import threading
import time

from sonde_lines import _AGAIN, _GENERATOR, _NEW_LOCALS, _RESUME, _RETURNS, _SUSPENDS, _WITHIN_A_LINE, _qualified_names
from sonde_room import Room, switched_off
from sonde_trace import quote

_EVERY = 0.05
_OUTSIDE = 0


class Function:
    __slots__ = ("number", "code", "bytes", "waits", "depth")

    def __init__(self, number, code):
        self.number = number
        self.code = code
        self.bytes = code.co_code
        self.waits = code.co_flags & _GENERATOR
        # Threads in which it runs, with how many calls of it are open there: time is counted once for those within each other.
        self.depth = {}


class Calls:
    def __init__(self, plan, channel, values, threads, files, clock):
        self.say = channel.say
        self.files = files
        self.under = tuple(os.path.realpath(one) for one in plan["calls"]["under"])
        self.functions = {}
        self.codes = []
        self.qualified = {}
        self.local = threading.local()
        self.suspended = set()
        self.greet()

    def greet(self):
        """Also in a child after a fork, which tells all of its own."""
        self.told = set()
        self.tallies = {}
        self.since = time.perf_counter()

    # Which code

    def function(self, code):
        found = self.functions.get(id(code), False)
        if found is False:
            self.codes.append(code)  # or its number might become another's
            found = self.functions[id(code)] = self._function(code)
        return found

    def _function(self, code):
        if code.co_name in _WITHIN_A_LINE:
            return None
        # A class's body runs once, where it stands: nobody calls it.
        if not code.co_flags & _NEW_LOCALS and code.co_name != "<module>":
            return None
        path = self.files.path(code.co_filename)
        if path is None or not self.files.is_users(path):
            return None
        real = os.path.realpath(path)
        if not any(real == one or real.startswith(one.rstrip(os.sep) + os.sep) for one in self.under):
            return None
        return Function(len(self.codes), code)

    def _name(self, code):
        name = getattr(code, "co_qualname", None)
        if name is None:
            path = code.co_filename
            if path not in self.qualified:
                self.qualified[path] = _qualified_names(path)
            name = self.qualified[path].get((code.co_name, code.co_firstlineno), code.co_name)
        return name.replace("<locals>.", "")

    # What happens

    def _stack(self):
        try:
            return self.local.stack
        except AttributeError:
            self.local.stack = []
            return self.local.stack

    def enter(self, function, frame, is_new):
        now = time.perf_counter()
        stack = self._stack()
        above = stack[-1] if stack else None
        if above is not None:
            above[3] += now - above[4]
        me = threading.get_ident()
        function.depth[me] = function.depth.get(me, 0) + 1
        # Of whom, its frame, when it began, what it took itself, since when it runs, who called it.
        caller = above[0] if above is not None else None
        stack.append([function, id(frame), now, 0.0, now, caller])
        # A file's own code is loaded, not called; it is there for its time, and as a caller.
        if is_new and function.code.co_name != "<module>":
            self._tally(function, caller)[0] += 1

    def leave(self, function, frame, key=None):
        now = time.perf_counter()
        stack = self._stack()
        if key is None:
            key = id(frame)
        at = len(stack) - 1
        while at >= 0 and stack[at][1] != key:
            at -= 1
        if at < 0:
            return
        me = threading.get_ident()
        # Those above it have been left without a word, as a switch between stacks leaves them.
        for one in stack[at:]:
            one[3] += now - one[4] if one is stack[-1] else 0.0
            tally = self._tally(one[0], one[5])
            tally[1] += one[3]
            open_calls = one[0].depth.get(me, 1) - 1
            one[0].depth[me] = open_calls
            if open_calls == 0:
                del one[0].depth[me]
                tally[2] += now - one[2]
        del stack[at:]
        if stack:
            stack[-1][4] = now
        if now - self.since > _EVERY:
            self.tell(now)

    def _tally(self, function, caller):
        key = (function, caller)
        found = self.tallies.get(key)
        if found is None:
            found = self.tallies[key] = [0, 0.0, 0.0]
        return found

    def tell(self, now):
        self.since = now
        tallies, self.tallies = self.tallies, {}
        for (function, caller), (count, own, whole) in list(tallies.items()):
            above = _OUTSIDE if caller is None else self._number(caller)
            self.say('["k",%d,%d,%d,%d,%d]\n' % (self._number(function), above, count, own * 1e6, whole * 1e6))

    def _number(self, function):
        if function.number not in self.told:
            self.told.add(function.number)
            code = function.code
            name, path = quote(self._name(code)), quote(self.files.path(code.co_filename))
            self.say('["K",%d,%s,%s,%d]\n' % (function.number, name, path, code.co_firstlineno))
        return function.number

    def end(self):
        """What still runs has run until now."""
        now = time.perf_counter()
        stack = self._stack()
        if stack:
            self.leave(stack[0][0], None, stack[0][1])
        self.tell(now)


def begin(plan, **parts):
    import atexit

    calls, channel = Calls(plan, **parts), parts["channel"]
    channel.greetings.append(calls.greet)
    reason = _monitor(calls) if hasattr(sys, "monitoring") else None
    if reason is None:
        reason = _trace(calls)

    def end():
        calls.end()
        note = reason()
        if note is not None:
            channel.say('["d",%s]\n' % quote(note[1]) if note[0] == "d" else '["n",%s]\n' % quote(note[1]))

    atexit.register(end)


def _monitor(calls):
    monitoring = sys.monitoring
    free = [one for one in (4, 3) if monitoring.get_tool(one) is None]
    if not free:
        return None
    tool, disable, events = free[0], monitoring.DISABLE, monitoring.events
    frame_of = sys._getframe

    def started(is_new):
        def start(code, _offset, *_more):
            function = calls.function(code)
            if function is None:
                return disable if is_new is not None else None
            try:
                calls.enter(function, frame_of(1), is_new is True)
            except RecursionError:
                pass

        return start

    def ended(may_disable):
        def end(code, _offset, _value):
            function = calls.function(code)
            if function is None:
                return disable if may_disable else None
            try:
                calls.leave(function, frame_of(1))
            except RecursionError:
                pass

        return end

    monitoring.use_tool_id(tool, "sonde")
    callbacks = {
        events.PY_START: started(True),
        events.PY_RESUME: started(False),
        events.PY_THROW: started(None),
        events.PY_RETURN: ended(True),
        events.PY_YIELD: ended(True),
        events.PY_UNWIND: ended(False),
    }
    every = 0
    for event, callback in callbacks.items():
        monitoring.register_callback(tool, event, callback)
        every |= event
    monitoring.set_events(tool, every)
    return lambda: None


def _trace(calls):
    suspended = calls.suspended

    def on():
        if sys.gettrace() is None:
            sys.settrace(call)

    room = Room(on, lambda: sys.settrace(None))
    lacks = room.lacks

    def local(frame, event, _value):
        if event == "return":
            function = calls.function(frame.f_code)
            if function.waits and _waits(function.bytes, frame.f_lasti):
                suspended.add(id(frame))
            calls.leave(function, frame)
        return local

    def call(frame, _event, _value):
        if lacks(frame):
            return None
        function = calls.function(frame.f_code)
        if function is None:
            return None
        frame.f_trace_lines = False
        is_new = True
        if function.waits and id(frame) in suspended:
            suspended.discard(id(frame))
            is_new = False
        calls.enter(function, frame, is_new)
        return local

    def reason():
        note = room.note()
        if note is not None:
            return ("d", note)
        return None if room.waiting or sys.gettrace() is call else ("n", switched_off())

    threading.settrace(call)
    sys.settrace(call)
    return reason


def _waits(code, at):
    """Whether it is left at an instruction from which it goes on."""
    operation = code[at] if 0 <= at < len(code) else None
    if operation in _RETURNS:
        return False
    if operation in _SUSPENDS or (operation == _RESUME and code[at - 2] in _SUSPENDS):
        return True
    return _AGAIN is not None and at + 2 < len(code) and code[at + 2] == _AGAIN
