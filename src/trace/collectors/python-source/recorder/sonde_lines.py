"""Functions line by line: what is called with what, each line that runs with the variables that changed before it, and how it ends."""
import dis
import os
import sys
import threading
import types

from sonde_names import argument_names, qualified_names, variables_by_line
from sonde_objects import attributes, is_below, shows_nothing
from sonde_room import Room, switched_off
from sonde_toward import Toward
from sonde_trace import quote

_MOST_VARIABLES = 60
_MOST_CODES = 50000
# Functions that are told of by name only.
_MOST_NAMES = 200
_FIXED = frozenset((int, float, bool, str, bytes, type(None)))
_NO_VARIABLES = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type)
# Part of a line to a reader, though older Pythons run them as functions.
_WITHIN_A_LINE = frozenset(("<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>"))
_SUSPENDS = {dis.opmap[one] for one in ("YIELD_VALUE", "YIELD_FROM", "SEND") if one in dis.opmap}
# From 3.13 a frame that waits stands behind the instruction.
_RESUME = dis.opmap.get("RESUME")
_AGAIN = dis.opmap.get("YIELD_FROM")
_RETURNS = {number for name, number in dis.opmap.items() if name.startswith("RETURN_") and name != "RETURN_GENERATOR"}
_GENERATOR, _NEW_LOCALS = 0x20 | 0x80 | 0x200, 0x2
_ABSENT = object()


class Activation:
    __slots__ = ("number", "parent", "level", "names", "objects", "thrown", "line", "first", "stale", "untold", "depth")

    def __init__(self, number, parent, level):
        self.number = number
        self.parent = parent
        self.level = level
        # As they were last told, and the objects behind those that cannot change.
        self.names = {}
        self.objects = {}
        self.thrown = None
        # The one that was told last.
        self.line = None
        # Those that are looked at before each line; of others only those that a line names.
        self.first = set()
        # Lines of it ran that were not recorded: what has changed since is no line's doing that is known.
        self.stale = False
        # …the last of them, if that is the one that runs.
        self.untold = None
        # Calls from the function with the place to it.
        self.depth = 0


class Shape:
    """What is worth knowing of a code object, found out once."""

    __slots__ = ("code", "name", "path", "listed", "bytes", "arguments", "head", "owner", "named", "near")

    def __init__(self, code, name, path, listed):
        self.code = code
        self.name = name
        self.path = path
        self.listed = listed
        self.bytes = code.co_code
        self.arguments = argument_names(code)
        self.head = "%s,%s" % (quote(name), quote(path))
        # By line, once that is needed: the variables it names.
        self.named = None
        # It holds the place that the run is recorded toward.
        self.near = False
        # The parameter by which a method has its object.
        self.owner = "self" if code.co_argcount > 0 and code.co_varnames[0] == "self" else None


class Lines:
    def __init__(self, plan, channel, values, threads, files, clock):
        self.say = channel.say
        self.values = values
        self.show = values.show
        self.thread = threads.name
        self.now = clock.now
        self.files = files
        lines = plan["lines"]
        self.functions = lines["functions"]
        self.under = tuple(os.path.realpath(one) for one in lines["under"])
        self.packages = lines.get("packages")
        self.roots = tuple(os.path.realpath(one) for one in self.packages or () if one.startswith(os.sep))
        self.told = set()
        self.depth = lines["depth"] if self.functions else None
        self.codes = []
        self.shapes = {}
        self.suspended = {}
        self.local = threading.local()
        self.count = 0
        self.qualified = {}
        self.passed = set()
        self.room = Room(self.on, self.off)
        self.toward = Toward(lines["toward"], self) if lines.get("toward") else None

    def on(self):
        if sys.gettrace() is None:
            sys.settrace(self.call)

    @staticmethod
    def off():
        sys.settrace(None)

    # Which code

    def shape(self, code, frame):
        found = self.shapes.get(id(code), False)
        if found is False:
            if len(self.codes) >= _MOST_CODES:
                self.codes.clear()
                self.shapes.clear()
            self.codes.append(code)  # or its number might become another's
            found = self.shapes[id(code)] = self._shape(code, frame)
        return found

    def _shape(self, code, frame):
        path = self.files.path(code.co_filename)
        if path is None:
            return None
        real = os.path.realpath(path)
        if not self._is_recorded(path, real):
            if self.packages is not None:
                self.load(path)
            return None
        if code.co_name in _WITHIN_A_LINE:
            return None
        name = self._qualified(code, path).replace("<locals>.", "")
        # The file that is run is called __main__, and is asked for by its own name too.
        places = (frame.f_globals.get("__name__", ""), os.path.splitext(real)[0].replace(os.sep, "."))
        fulls = ["%s.%s" % (place, name) for place in places]
        listed = not self.functions or any(
            full == one or full.endswith("." + one) for one in self.functions for full in fulls
        )
        # A class's body runs once, where it stands: nobody calls it.
        if not listed and code.co_flags & _NEW_LOCALS:
            self._pass(code.co_name, name)
        shape = Shape(code, name, path, listed)
        shape.near = self.toward is not None and self.toward.is_in(code, real)
        return shape

    def _is_recorded(self, path, real):
        if self.packages and (is_below(real, self.roots) or self.files.package(path) in self.packages):
            return True
        return self.files.is_users(path) and is_below(real, self.under)

    def load(self, path):
        """A file with code that is not recorded, unless it is one of Python's own."""
        if path not in self.told and self.files.is_others(path):
            self.told.add(path)
            self.say('["L",%s]\n' % quote(path))

    def load_compiled(self):
        """What has no lines is seen only among the modules."""
        for module in list(sys.modules.values()):
            name = getattr(module, "__file__", None)
            if type(name) is str and name.endswith((".so", ".pyd")):
                path = self.files.path(name)
                if not is_below(os.path.realpath(path), self.under) or not self.files.is_users(path):
                    self.load(path)

    def _pass(self, own, name):
        """Who asked for a name that nothing has wants to know what there was."""
        if own.startswith("<") or name in self.passed or len(self.passed) >= _MOST_NAMES:
            return
        self.passed.add(name)
        self.say('["s",%s]\n' % quote(name))

    def _qualified(self, code, path):
        name = getattr(code, "co_qualname", None)
        if name is not None:
            return name
        if path not in self.qualified:
            self.qualified[path] = qualified_names(path)
        return self.qualified[path].get((code.co_name, code.co_firstlineno), code.co_name)

    # What happens

    def call(self, frame, event, _value):
        if self.room.lacks(frame):
            return None
        code = frame.f_code
        shape = self.shape(code, frame)
        if shape is None:
            return None
        if self.toward is not None and not self.toward.enters(shape):
            if id(frame) in self.suspended:
                self.suspended[id(frame)][1].stale = True
            return None
        stack = self._stack()
        activation = self._resumed(frame) if code.co_flags & _GENERATOR else None
        if activation is None:
            parent = stack[-1] if stack else None
            level = 0 if shape.listed else parent.level + 1 if parent else None
            if level is None or (self.depth is not None and level > self.depth):
                return None
            self.count += 1
            if parent is not None:
                self._catch_up(parent)
            activation = Activation(self.count, parent.number if parent else None, level)
            if parent is not None and not shape.near:
                activation.depth = parent.depth + 1
            self._tell("call", activation, shape, frame.f_lineno, self._arguments(activation, shape, frame))
        stack.append(activation)

        def local(frame, event, value):
            if event == "line":
                self._line(activation, shape, frame)
            elif event == "exception":
                activation.thrown = value[1] if value[1] is not None else value[0]
            elif event == "return":
                self._left(activation, shape, frame, value)
            return local

        return local

    def _line(self, activation, shape, frame):
        if self.toward is not None and not self.toward.sees(shape, frame, activation.depth):
            activation.stale, activation.untold = True, (shape, frame.f_lineno)
            return
        changes, gone = self._changes(activation, shape, frame)
        self._tell("line", activation, shape, frame.f_lineno, ([] if activation.stale else changes, gone))
        activation.stale, activation.untold = False, None

    def _catch_up(self, activation):
        """It calls another, or is left: by the line that runs, also where that was not told."""
        if activation.untold is not None:
            (shape, line), activation.untold = activation.untold, None
            self._tell("line", activation, shape, line, ([], []))

    def _resumed(self, frame):
        at, activation = self.suspended.pop(id(frame), (0, None))
        # One that was dropped while it waited is never heard of again, and its number may be a new one's.
        return activation if frame.f_lasti >= at else None

    def _stack(self):
        try:
            return self.local.stack
        except AttributeError:
            self.local.stack = []
            return self.local.stack

    def _left(self, activation, shape, frame, value):
        stack = self._stack()
        if activation in stack:
            del stack[stack.index(activation) :]
        self.suspended.pop(id(frame), None)
        at = frame.f_lasti
        operation = shape.bytes[at] if 0 <= at < len(shape.bytes) else None
        if operation not in _RETURNS and shape.code.co_flags & _GENERATOR and self._suspends(shape, at, operation):
            self.suspended[id(frame)] = (at, activation)
            return
        changes = self._changes(activation, shape, frame)
        self._catch_up(activation)
        if activation.stale:
            changes = ([], [])
        if operation in _RETURNS:
            self._tell("return", activation, shape, frame.f_lineno, changes, self.show(value))
        else:
            self._tell("throw", activation, shape, frame.f_lineno, changes, self._thrown(activation.thrown))
            if self.toward is not None and shape.near:
                self.toward.failed()

    @staticmethod
    def _suspends(shape, at, operation):
        if operation in _SUSPENDS or (operation == _RESUME and shape.bytes[at - 2] in _SUSPENDS):
            return True
        # Until 3.10 a frame that waits for another stands before the instruction, which runs again.
        return _AGAIN is not None and at + 2 < len(shape.bytes) and shape.bytes[at + 2] == _AGAIN

    def _thrown(self, error):
        return "<unavailable>" if error is None else self.show(error)

    # Variables

    def _arguments(self, activation, shape, frame):
        if not shape.arguments:
            return ([], []) if shape.code.co_flags & _NEW_LOCALS else self._changes(activation, shape, frame)
        here = frame.f_locals
        changes = []
        for name in shape.arguments:
            value = here.get(name, _ABSENT)
            if value is not _ABSENT:
                self._compare(activation, name, value, changes, name == shape.owner)
                if name == shape.owner:
                    self._held(activation, name, value, changes if shows_nothing(value) else [])
        return changes, []

    def _changes(self, activation, shape, frame):
        here = frame.f_locals
        # A module's or a class's: most of what it holds is what it defines.
        wide = not (shape.code.co_flags & _NEW_LOCALS) or shape.code.co_name == "<module>"
        names, changes, present, near = activation.names, [], set(), None
        for name, value in list(here.items()):
            # Nor what no source can name: `.0` of a comprehension, `@py_assert1` of pytest.
            if name.startswith("__") and name.endswith("__") or name.startswith((".", "@")):
                continue
            if wide and isinstance(value, _NO_VARIABLES):
                continue
            if len(names) >= _MOST_VARIABLES and name not in activation.first:
                near = _near(activation, shape, frame) if near is None else near
                if name not in near:
                    if name in names:
                        present.add(name)
                    continue
            else:
                activation.first.add(name)
            present.add(name)
            self._compare(activation, name, value, changes, name == shape.owner)
        if shape.owner in present:
            value, found = here[shape.owner], []
            present.update(self._held(activation, shape.owner, value, found))
            # One that shows itself in words of its own may leave out what changed.
            if shows_nothing(value) or not any(name == shape.owner for name, _ in changes):
                changes.extend(found)
        activation.line = frame.f_lineno
        gone = [name for name in names if name not in present]
        for name in gone:
            del names[name]
            activation.objects.pop(name, None)
        return changes, gone

    def _held(self, activation, name, value, changes):
        held = attributes(name, value)
        for attribute, one in held:
            self._compare(activation, attribute, one, changes)
        return [attribute for attribute, _ in held]

    def _compare(self, activation, name, value, changes, by_parts=False):
        """`by_parts`: its fields are told of one by one, unless it has words of its own."""
        if by_parts and shows_nothing(value):
            text = self.values.bare(value)
            if activation.names.get(name) != (text, None):
                activation.names[name] = (text, None)
                changes.append((name, text))
            return
        fixed = type(value) in _FIXED
        if fixed and activation.objects.get(name, _ABSENT) is value:
            return
        look = self.values.look(value)
        if fixed:
            activation.objects[name] = value
        else:
            activation.objects.pop(name, None)
        now, before = self.values.kept(look), activation.names.get(name)
        if before != now:
            activation.names[name] = now
            changes.append((name, self.show(value) if before is None else self.values.differing(before, look, value)))

    def _tell(self, kind, activation, shape, line, changed, value=None):
        changes, gone = changed
        if self.toward is not None:
            self.toward.count()
        self.say(
            '["%s",%s,%d,%d,%s,%s,%d,[%s],[%s],%s]\n'
            % (
                kind,
                self.thread(),
                self.now(),
                activation.number,
                "null" if activation.parent is None else activation.parent,
                shape.head,
                line or shape.code.co_firstlineno,
                ",".join(["[%s,%s]" % (quote(name), quote(text)) for name, text in changes]),
                ",".join([quote(name) for name in gone]),
                "null" if value is None else quote(value),
            )
        )


def _near(activation, shape, frame):
    """Of more variables than are followed: those of the line that ran and of the one that is about to."""
    if shape.named is None:
        shape.named = variables_by_line(shape.code)
    return shape.named.get(activation.line, frozenset()) | shape.named.get(frame.f_lineno, frozenset())


def begin(plan, **parts):
    import atexit

    lines = Lines(plan, **parts)
    call, channel = lines.call, parts["channel"]

    def end():
        if lines.packages is not None:
            lines.load_compiled()
        note = lines.room.note()
        if note is not None:
            channel.say('["d",%s]\n' % quote(note))
        if not lines.room.waiting and sys.gettrace() != call:
            channel.say('["n",%s]\n' % quote(switched_off()))

    atexit.register(end)
    threading.settrace(call)
    sys.settrace(call)
