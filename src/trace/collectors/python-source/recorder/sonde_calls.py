"""
Which of the program's functions ran: how often, called by whom, and how long. Nothing is told of single calls: what came since the last
time is summed up and sent often, so that little is lost of a process that is killed, and nothing of one that is short.
"""
import os
import sys
import threading
import time
from _weakref import ref

from sonde_lines import _GENERATOR, _NEW_LOCALS, _RESUME, _WITHIN_A_LINE
from sonde_names import qualified_names
from sonde_room import Room, switched_off
from sonde_trace import quote

# Told at least this often; more often as long as that takes a small part of the time.
_EVERY = 0.05
_PART = 20
# So many first calls of a process are told at once: it may be a child that does no more than that.
_AT_ONCE = 400
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
        self.count = 0
        # Code that is not counted, as long as it lives: another's number may be the same after that.
        self.others = {}
        self.qualified = {}
        self.local = threading.local()
        self.greet()

    def greet(self):
        """Also in a child after a fork, which tells all of its own."""
        self.told = set()
        self.tallies = {}
        self.since = now = time.perf_counter()
        self.wait, self.spare = 0.0, _AT_ONCE
        # What its parent did until now is told by its parent.
        for one in self._stack():
            one[2] = one[4] = now
            one[3] = 0.0

    # Which code

    def function(self, code):
        found = self.functions.get(id(code), False)
        if found is False:
            found = self.functions[id(code)] = self._function(code)
            if found is None:
                self.others[id(code)] = ref(code, lambda _, key=id(code): self._forget(key))
        return found

    def _forget(self, key):
        self.functions.pop(key, None)
        self.others.pop(key, None)

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
        self.count += 1
        return Function(self.count, code)

    def _name(self, code):
        name = getattr(code, "co_qualname", None)
        if name is None:
            path = code.co_filename
            if path not in self.qualified:
                self.qualified[path] = qualified_names(path)
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
            if self.spare:
                self.spare -= 1
                self.tell(now)
                # What that took is not its own.
                stack[-1][2] = stack[-1][4] = time.perf_counter()

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
        if now - self.since > self.wait:
            self.tell(now)
            if stack:
                stack[-1][4] = time.perf_counter()

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
        if not self.spare:
            self.wait = min(_EVERY, _PART * (time.perf_counter() - now))

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
        channel.say('["e"]\n')
        note = reason()
        if note is not None:
            channel.say('["d",%s]\n' % quote(note[1]) if note[0] == "d" else '["n",%s]\n' % quote(note[1]))

    atexit.register(end)
    _before("_exit", channel, end)
    for one in ("execv", "execve"):
        _before(one, channel, lambda: (calls.tell(time.perf_counter()), channel.say('["e"]\n')))


def _before(name, channel, told):
    """What ends the process without a word tells its last calls first."""
    original = getattr(os, name, None)
    if original is None:
        return

    def ending(*args, **named):
        # A signal's handler may run while a record is being written: then there is no more to tell.
        if channel.lock.acquire(True, 0.2):
            channel.lock.release()
            told()
        return original(*args, **named)

    ending.__name__ = ending.__qualname__ = name
    ending.__module__, ending.__doc__ = "os", original.__doc__
    setattr(os, name, ending)


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
    def on():
        if sys.gettrace() is None:
            sys.settrace(call)

    room = Room(on, lambda: sys.settrace(None))
    lacks = room.lacks

    def local(frame, event, _value):
        if event == "return":
            calls.leave(calls.function(frame.f_code), frame)
        return local

    def call(frame, _event, _value):
        if lacks(frame):
            return None
        function = calls.function(frame.f_code)
        if function is None:
            return None
        frame.f_trace_lines = False
        calls.enter(function, frame, not function.waits or _begins(function.bytes, frame.f_lasti))
        return local

    def reason():
        note = room.note()
        if note is not None:
            return ("d", note)
        return None if room.waiting or sys.gettrace() is call else ("n", switched_off())

    threading.settrace(call)
    sys.settrace(call)
    return reason


def _begins(code, at):
    """Whether a generator, or what can wait, is entered for the first time: it goes on elsewhere than it begins."""
    if _RESUME is None:
        return at < 0
    return 0 <= at < len(code) - 1 and code[at] == _RESUME and code[at + 1] & 3 == 0
