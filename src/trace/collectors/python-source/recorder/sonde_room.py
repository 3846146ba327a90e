"""
Room on the stack. What records is Python as well, and calls on top of the program's own: close to Python's limit there would be none left
for it, and the program would die of a recursion that is not its own. So recording is switched off there, and the program runs as if it
were alone, until the call in which that happened has ended.
"""
import _thread
import sys

# That much is kept for what records.
_KEPT = 60
# …and that much to hear of a call at all.
_LEAST = 16
# Until 3.11 calls made by C count as well: so many for one of Python's own, at most.
_EACH = 1 if sys.version_info >= (3, 12) else 4
_GENERATOR = 0x20 | 0x80 | 0x200


class Room:
    def __init__(self, on, off):
        """`on` and `off` switch recording in the thread that calls them."""
        self.on = on
        self.off = off
        self.limit = 0
        self.local = _thread._local()
        self.left_out = 0
        # Threads in which it is off, and the turn in which it went off.
        self.waiting = {}
        self.turns = 0

    def lacks(self, frame):
        """Asked as each call begins: whether there is too little left to record it. Further calls may not be heard of then."""
        local = self.local
        limit = sys.getrecursionlimit()
        try:
            calls = local.calls - 1
        except AttributeError:
            calls = 0
        # No sooner than after so many calls can it be short: it is measured again then.
        if calls > 0 and limit == self.limit:
            local.calls = calls
            return False
        left = limit - _depth()
        local.calls = (left - _KEPT) // _EACH
        return self._short(frame, limit, left)

    def lacks_now(self, frame):
        """Asked as something is to be recorded, where nobody hears of each call."""
        if _thread.get_ident() in self.waiting:
            return True
        limit = sys.getrecursionlimit()
        return self._short(frame, limit, limit - _depth())

    def _short(self, frame, limit, left):
        self.limit = limit
        if left > _KEPT:
            return False
        self.left_out += 1
        # One that can wait is seldom done when it is left.
        if left < _LEAST or not frame.f_code.co_flags & _GENERATOR:
            self._leave(frame)
        return True

    def _leave(self, frame):
        """Nothing is recorded from here on until this call has ended, or the one that asked for a value: their frames hold what tells so."""
        me = _thread.get_ident()
        self.turns += 1
        self.waiting[me] = self.turns
        self.off()
        frame.f_trace = _Back(self, me, frame.f_trace)
        while frame.f_code.co_flags & _GENERATOR and frame.f_back is not None:
            frame = frame.f_back
            frame.f_trace = _Back(self, me, frame.f_trace)

    def back(self, thread, turn):
        if _thread.get_ident() == thread and self.waiting.get(thread) == turn:
            del self.waiting[thread]
            self.local.calls = 0
            self.on()

    def note(self):
        if self.waiting:
            return "came so close to Python's recursion limit (%d) that nothing was recorded from there on" % self.limit
        if self.left_out:
            return "came close to Python's recursion limit (%d): calls in its last %d levels are not in the record" % (
                self.limit,
                _KEPT,
            )
        return None


class _Back:
    """Held by a frame alone: when it goes, that has ended."""

    def __init__(self, room, thread, before):
        self.room = room
        # What the frame had in its place.
        self.before = before
        self.thread = thread
        self.turn = room.turns

    def __call__(self, frame, event, value):
        return None if self.before is None else self.before(frame, event, value)

    def __del__(self):
        self.room.back(self.thread, self.turn)


def switched_off():
    """What to say at the end where no trace function of ours is in place, and no lack of room is why."""
    if sys.gettrace() is None:
        return "tracing was switched off while the program ran: what ran after that is not in the record"
    return "the program set a trace function of its own: what ran after that is not in the record"


def _depth():
    """Python tells it only in the words of a complaint, and does nothing else then."""
    try:
        sys.setrecursionlimit(1)
    except RecursionError as error:
        return int("".join([one for one in str(error).partition("depth")[2] if one.isdigit()]) or 0)
    return 0
