"""
Expressions read at lines. A line is seen by `sys.monitoring` where Python has it; in older ones the code that holds it is changed as its
file is loaded (sonde_hooks). Either way nothing is slowed down but the line itself.
"""
import os
import sys
from dis import findlinestarts

from sonde_room import Room
from sonde_trace import quote

_MOST_CODES = 20000
_UNAVAILABLE = '"<unavailable>"'


class Expression:
    def __init__(self, text):
        self.code = compile(text, "<expression>", "eval")
        self.text = text
        # Inner functions do not see a caller's variables, and an assignment must not reach the program's.
        inner = any(isinstance(one, type(self.code)) for one in self.code.co_consts)
        self.apart = inner or ":=" in text
        self.private = [one for one in self.code.co_names if one.startswith("__") and not one.endswith("__")]
        # Set for what most are: it is read as it stands, with nothing to try again.
        self.plain = None if self.apart or self.private else self.code
        self.variants = {}

    def read(self, outer, inner):
        try:
            return self._read(self.code, outer, inner)
        except (AttributeError, NameError):
            if not self.private:
                raise
            return self._mangled(outer, inner)

    def _read(self, code, outer, inner):
        if not self.apart:
            return eval(code, outer, inner)
        every = dict(outer)
        every.update(inner)
        return eval(code, every)

    def _mangled(self, outer, inner):
        """`self.__x` in a class is `self._Class__x`."""
        me = inner.get("self", inner.get("cls"))
        for owner in (me if isinstance(me, type) else type(me)).__mro__:
            code = self.variants.get(owner.__name__)
            if code is None:
                code = self.variants[owner.__name__] = self._variant(owner.__name__)
            try:
                return self._read(code, outer, inner)
            except (AttributeError, NameError):
                continue
        raise NameError(self.text)

    def _variant(self, owner):
        import ast

        tree = ast.parse(self.text, mode="eval")
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in self.private:
                node.attr = "_%s%s" % (owner.lstrip("_"), node.attr)
        return compile(tree, "<expression>", "eval")


class Points:
    def __init__(self, plan, channel, values, threads, files, clock):
        self.say = channel.say
        self.show = values.show
        self.thread = threads.name
        self.now = clock.now
        self.files = files
        self.most = plan["frames"]
        self.points = [
            ([Expression(text) for text in one["expressions"]], one["condition"] and Expression(one["condition"]))
            for one in plan["points"]
        ]
        self.by_path = {}
        for number, one in enumerate(plan["points"]):
            lines = self.by_path.setdefault(os.path.realpath(one["path"]), {})
            lines.setdefault(one["line"], []).append(number)
        # Keyed by the file name that code objects carry.
        self.by_name = {}
        self.seen = {}
        self.frames = {}
        self.codes = []

    def lines_of(self, code):
        """The lines asked for in this code's own file; none if it is another file."""
        name = code.co_filename
        found = self.by_name.get(name, False)
        if found is False:
            path = self.files.path(name)
            found = None if path is None else self.by_path.get(os.path.realpath(path))
            self.by_name[name] = found
            if found is not None:
                self.say('["l",%s]\n' % [number for numbers in found.values() for number in numbers])
        return found

    def wanted(self, code, lines):
        """Whether one of them is in this very code object."""
        found = self.seen.get(id(code))
        if found is None:
            self._keep(code)
            found = self.seen[id(code)] = any(line in lines for _, line in findlinestarts(code))
        return found

    def hit(self, numbers, frame):
        outer, inner = frame.f_globals, frame.f_locals
        show = self.show
        for number in numbers:
            expressions, condition = self.points[number]
            if condition is not None and not self._holds(condition, outer, inner):
                continue
            texts = []
            for one in expressions:
                try:
                    value = eval(one.plain, outer, inner) if one.plain else one.read(outer, inner)
                    texts.append(quote(show(value)))
                except KeyboardInterrupt:
                    raise
                except BaseException:
                    texts.append(_UNAVAILABLE)
            stack = ",".join(self._stack(frame)) if self.most else ""
            self.say("[%d,%s,%d,[%s],[%s]]\n" % (number, self.thread(), self.now(), ",".join(texts), stack))

    @staticmethod
    def _holds(condition, outer, inner):
        try:
            return bool(condition.read(outer, inner))
        except KeyboardInterrupt:
            raise
        except BaseException:
            return False

    def _stack(self, frame):
        """Numbers of frames that were told of before; a library's are left out, as debugpy does."""
        out = []
        frames = self.frames
        while frame is not None and len(out) < self.most:
            code = frame.f_code
            # By the instruction: which line that is on takes longer to find out.
            key = (id(code), frame.f_lasti)
            found = frames.get(key)
            if found is None:
                found = self._tell(code, frame.f_lineno)
                frames[key] = found
            if found:
                out.append(found)
            frame = frame.f_back
        return out

    def _keep(self, code):
        """Or its number might become another's. A program that makes code as it runs is not to be kept whole."""
        if len(self.codes) >= _MOST_CODES:
            self.codes.clear()
            self.seen.clear()
            self.frames.clear()
        self.codes.append(code)

    def _tell(self, code, line):
        self._keep(code)
        path = self.files.path(code.co_filename)
        if not self.files.is_users(path):
            return ""
        number = str(len(self.frames) + 1)
        self.say('["f",%s,%s,%s,%d]\n' % (number, quote(code.co_name), quote(path), line))
        return number

    def forked(self):
        """A child speaks for itself, from the beginning."""
        self.frames.clear()
        self.by_name.clear()


def begin(plan, **parts):
    points = Points(plan, **parts)
    parts["channel"].greetings.append(points.forked)
    if hasattr(sys, "monitoring") and _monitor(points, parts["channel"]):
        return
    import sonde_hooks

    sonde_hooks.begin(points, lambda room, reason: _at_exit(room, parts["channel"], reason))


def _monitor(points, channel):
    monitoring = sys.monitoring
    free = [one for one in (4, 3) if monitoring.get_tool(one) is None]
    if not free:
        return False
    tool = free[0]
    disable, events = monitoring.DISABLE, monitoring.events
    frame_of = sys._getframe
    wanted = {}

    def on():
        monitoring.set_events(tool, events.PY_START)
        for code in list(wanted.values()):
            monitoring.set_local_events(tool, code, events.LINE)

    def off():
        monitoring.set_events(tool, 0)
        for code in list(wanted.values()):
            monitoring.set_local_events(tool, code, 0)

    room = Room(on, off)

    def start(code, _offset):
        """Heard of once for each code: what has none of the lines is never heard of again."""
        try:
            if id(code) not in wanted:
                lines = points.lines_of(code)
                if lines is not None and points.wanted(code, lines):
                    wanted[id(code)] = code
                    monitoring.set_local_events(tool, code, events.LINE)
            return disable
        except RecursionError:  # by its last calls the program came here
            return None

    def line(code, number):
        numbers = (points.lines_of(code) or {}).get(number)
        if numbers is None:
            return disable
        try:
            frame = frame_of(1)
            if not room.lacks_now(frame):
                points.hit(numbers, frame)
        except RecursionError:
            room.left_out += 1

    monitoring.use_tool_id(tool, "sonde")
    monitoring.register_callback(tool, events.PY_START, start)
    monitoring.register_callback(tool, events.LINE, line)
    monitoring.set_events(tool, events.PY_START)
    _at_exit(room, channel, lambda: None)
    return True


def _at_exit(room, channel, reason):
    import atexit

    def end():
        note = room.note()
        if note is not None:
            channel.say('["d",%s]\n' % quote(note))
        other = None if room.waiting else reason()
        if other is not None:
            channel.say('["n",%s]\n' % quote(other))

    atexit.register(end)
