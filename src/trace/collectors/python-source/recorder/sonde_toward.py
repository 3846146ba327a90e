"""A run that is recorded toward a place: what comes long before it is recorded only for a while."""
import dis
import os
import time

# Longer texts may be cut, each by its own rules.
_SHORT = 60
# The clock is looked at.
_SELDOM = 64
_OFTEN = 20
# As much as before others.
_MORE = 3
# Of what may be recorded: less is not worth it.
_LEAST = 1 / 256
# More calls than there are within each other.
_DEEP = 1 << 30
_PLAIN = frozenset((int, bool, str, type(None)))


class Toward:
    """
    Open at first, and anew when the function with the place is entered: each time for so many events or so long, and for more
    where a line of it leads there. If that is used up in calls within calls, those that made them are recorded for a while again
    when the run is back in them, the outer the longer, and less each time: what comes last is the nearest to what they return. From the place on, with
    the values that it is known to have there, to the end.
    """

    def __init__(self, asked, lines):
        self.path = os.path.realpath(asked["path"])
        self.first, self.last = asked["first"], asked["last"]
        # How often more is recorded for lines that lead to the place.
        self.before = {line: _OFTEN for line in asked["before"]}
        self.values = [(one["name"], one["value"]) for one in asked["values"] if len(one["value"]) <= _SHORT]
        self.events, self.seconds = asked["events"], asked["ms"] / 1000
        self.show, self.say = lines.show, lines.say
        self.closed = self.there = False
        # A line that leads to the place runs.
        self.leading = False
        # Lines of the function itself.
        self.own = 0
        # Of the processor: how busy the machine is makes no difference.
        self.counted, self.since = 0, time.process_time()
        # The part of what may be recorded that may be now, and how far in it began to be.
        self.part, self.depth = 1, _DEEP

    def is_in(self, code, real):
        if real != self.path or (code.co_firstlineno >= self.first and code.co_name != "<module>"):
            return False
        return any(line is not None and self.first <= line <= self.last for _, line in dis.findlinestarts(code))

    def enters(self, shape):
        """Whether a function that is called is recorded."""
        if shape.near and not self.there:
            self._open()
        return not self.closed

    def sees(self, shape, frame, depth):
        """Whether a line that is about to run is."""
        if not shape.near:
            if self.closed and self.leading and 0 < depth <= self.depth:
                part = self.part / 2 if depth == self.depth else 0.5 ** (depth + 1)
                if part >= _LEAST:
                    self._open(part, depth)
            return not self.closed
        line = frame.f_lineno
        if self.there:
            return True
        self.leading = False
        if self.first <= line <= self.last and self._is_it(frame.f_locals):
            self._open()
            self.there = True
        elif self.before.get(line, 0) > 0 and self._is_it(frame.f_locals):
            self.before[line] -= 1
            self._open()
            self.leading = True
        self.own += 1
        return not self.closed or self.own <= self.events

    def count(self):
        """One more event."""
        if self.there or self.closed:
            return
        more = (_MORE if self.leading else 1) * self.part
        self.counted += 1
        late = self.counted % _SELDOM == 0 and time.process_time() - self.since > self.seconds * more
        if late or self.counted > self.events * more:
            self.closed = True
            self.say('["g"]\n')

    def failed(self):
        """The function with the place is left by an exception: what comes now is its report, which explains nothing, until it is entered again."""
        if self.there:
            self.there, self.closed = False, True

    def _open(self, part=1, depth=_DEEP):
        self.closed = False
        self.part, self.depth = part, depth
        self.counted, self.since = 0, time.process_time()

    def _is_it(self, here):
        """In a loop it is passed many times: not where a plain value is another."""
        return all(
            self.show(here[name]) == text
            for name, text in self.values
            if name in here and type(here[name]) in _PLAIN
        )
