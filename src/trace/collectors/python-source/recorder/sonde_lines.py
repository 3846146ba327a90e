"""Functions line by line: what is called with what, each line that runs with the variables that changed before it, and how it ends."""
import dis
import os
import sys
import threading
import types

from sonde_room import Room, switched_off
from sonde_trace import quote

_MOST_VARIABLES = 60
_MOST_ATTRIBUTES = 20
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
_GENERATOR, _NEW_LOCALS, _ARGS, _KEYWORDS = 0x20 | 0x80 | 0x200, 0x2, 0x4, 0x8
_ABSENT = object()


class Activation:
    __slots__ = ("number", "parent", "level", "names", "objects", "thrown")

    def __init__(self, number, parent, level):
        self.number = number
        self.parent = parent
        self.level = level
        # As they were last told, and the objects behind those that cannot change.
        self.names = {}
        self.objects = {}
        self.thrown = None


class Shape:
    """What is worth knowing of a code object, found out once."""

    __slots__ = ("code", "name", "path", "listed", "bytes", "arguments", "head", "owner")

    def __init__(self, code, name, path, listed):
        self.code = code
        self.name = name
        self.path = path
        self.listed = listed
        self.bytes = code.co_code
        self.arguments = _arguments(code)
        self.head = "%s,%s" % (quote(name), quote(path))
        # The parameter by which a method has its object.
        self.owner = "self" if code.co_argcount > 0 and code.co_varnames[0] == "self" else None


def _arguments(code):
    """As they are written: what `*` and `**` take stands last in a code object."""
    plain, keyword = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    names = code.co_varnames
    more = names[keyword : keyword + 1] if code.co_flags & _ARGS else ()
    end = keyword + len(more)
    rest = names[end : end + 1] if code.co_flags & _KEYWORDS else ()
    return names[:plain] + more + names[plain:keyword] + rest


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
        self.depth = lines["depth"] if self.functions else None
        self.codes = []
        self.shapes = {}
        self.suspended = {}
        self.local = threading.local()
        self.count = 0
        self.qualified = {}
        self.passed = set()
        self.room = Room(self.on, self.off)

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
        if code.co_name in _WITHIN_A_LINE or path is None or not self.files.is_users(path):
            return None
        real = os.path.realpath(path)
        if not any(real == one or real.startswith(one.rstrip(os.sep) + os.sep) for one in self.under):
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
        return Shape(code, name, path, listed)

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
            self.qualified[path] = _qualified_names(path)
        return self.qualified[path].get((code.co_name, code.co_firstlineno), code.co_name)

    # What happens

    def call(self, frame, event, _value):
        if self.room.lacks(frame):
            return None
        code = frame.f_code
        shape = self.shape(code, frame)
        if shape is None:
            return None
        stack = self._stack()
        activation = self._resumed(frame) if code.co_flags & _GENERATOR else None
        if activation is None:
            parent = stack[-1] if stack else None
            level = 0 if shape.listed else parent.level + 1 if parent else None
            if level is None or (self.depth is not None and level > self.depth):
                return None
            self.count += 1
            activation = Activation(self.count, parent.number if parent else None, level)
            self._tell("call", activation, shape, frame, self._arguments(activation, shape, frame))
        stack.append(activation)

        def local(frame, event, value):
            if event == "line":
                self._tell("line", activation, shape, frame, self._changes(activation, shape, frame))
            elif event == "exception":
                activation.thrown = value[1] if value[1] is not None else value[0]
            elif event == "return":
                self._left(activation, shape, frame, value)
            return local

        return local

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
        if operation in _RETURNS:
            self._tell("return", activation, shape, frame, changes, self.show(value))
        else:
            self._tell("throw", activation, shape, frame, changes, self._thrown(activation.thrown))

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
                    self._held(activation, name, value, changes if _shows_nothing(value) else [])
        return changes, []

    def _changes(self, activation, shape, frame):
        here = frame.f_locals
        # A module's or a class's: most of what it holds is what it defines.
        wide = not (shape.code.co_flags & _NEW_LOCALS) or shape.code.co_name == "<module>"
        names, changes, present = activation.names, [], set()
        for name, value in list(here.items()):
            if name.startswith("__") and name.endswith("__") or name.startswith("."):
                continue
            if wide and isinstance(value, _NO_VARIABLES):
                continue
            if name not in names and len(names) >= _MOST_VARIABLES:
                continue
            present.add(name)
            self._compare(activation, name, value, changes, name == shape.owner)
        if shape.owner in present:
            value, found = here[shape.owner], []
            present.update(self._held(activation, shape.owner, value, found))
            # One that shows itself in words of its own may leave out what changed.
            if _shows_nothing(value) or not any(name == shape.owner for name, _ in changes):
                changes.extend(found)
        gone = [name for name in names if name not in present]
        for name in gone:
            del names[name]
            activation.objects.pop(name, None)
        return changes, gone

    def _held(self, activation, name, value, changes):
        held = _attributes(name, value)
        for attribute, one in held:
            self._compare(activation, attribute, one, changes)
        return [attribute for attribute, _ in held]

    def _compare(self, activation, name, value, changes, by_parts=False):
        """`by_parts`: its fields are told of one by one, unless it has words of its own."""
        if by_parts and _shows_nothing(value):
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

    def _tell(self, kind, activation, shape, frame, changed, value=None):
        changes, gone = changed
        self.say(
            '["%s",%s,%d,%d,%s,%s,%d,[%s],[%s],%s]\n'
            % (
                kind,
                self.thread(),
                self.now(),
                activation.number,
                "null" if activation.parent is None else activation.parent,
                shape.head,
                frame.f_lineno or shape.code.co_firstlineno,
                ",".join(["[%s,%s]" % (quote(name), quote(text)) for name, text in changes]),
                ",".join([quote(name) for name in gone]),
                "null" if value is None else quote(value),
            )
        )


def _shows_nothing(value):
    """Of itself but where it lies."""
    return type(value).__repr__ is object.__repr__


def _attributes(name, value):
    """Of an object, the first so many. Runs nothing of the program's."""
    if isinstance(value, type):
        return []
    found = []
    try:
        for kind in type(value).__mro__:
            if "__slots__" not in kind.__dict__:
                continue
            for one, slot in list(kind.__dict__.items()):
                if type(slot) is types.MemberDescriptorType:
                    try:
                        found.append((one, slot.__get__(value)))
                    except AttributeError:
                        pass  # not set
        held = object.__getattribute__(value, "__dict__")
        if type(held) is dict:
            found.extend((one, held[one]) for one in list(held)[:_MOST_ATTRIBUTES] if type(one) is str)
    except Exception:  # no such attribute, or changed by another thread meanwhile
        pass
    return [("%s.%s" % (name, one), held) for one, held in found[:_MOST_ATTRIBUTES]]


def _qualified_names(path):
    """Names with their classes, for Pythons whose code objects do not know them: by name and first line, decorators included."""
    import ast

    found = {}

    def visit(node, prefix):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                name = prefix + child.name
                first = min([child.lineno] + [one.lineno for one in child.decorator_list])
                found[(child.name, first)] = name
                visit(child, name + ".")
            elif isinstance(child, ast.Lambda):
                found[("<lambda>", child.lineno)] = prefix + "<lambda>"
                visit(child, prefix)
            else:
                visit(child, prefix)

    try:
        with open(path, "rb") as file:
            visit(ast.parse(file.read()), "")
    except (OSError, SyntaxError, ValueError):
        pass  # the bare names serve
    return found


def begin(plan, **parts):
    import atexit

    lines = Lines(plan, **parts)
    call, channel = lines.call, parts["channel"]

    def end():
        note = lines.room.note()
        if note is not None:
            channel.say('["d",%s]\n' % quote(note))
        if not lines.room.waiting and sys.gettrace() != call:
            channel.say('["n",%s]\n' % quote(switched_off()))

    atexit.register(end)
    threading.settrace(call)
    sys.settrace(call)
