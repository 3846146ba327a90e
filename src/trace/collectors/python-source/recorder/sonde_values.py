"""Values as debugpy writes them, so that a record does not depend on how it was made."""
from collections import OrderedDict, deque
from itertools import islice
from marshal import dumps

import sonde_fields

_SEQUENCES = {
    tuple.__repr__: (tuple, "(", ")"),
    list.__repr__: (list, "[", "]"),
    frozenset.__repr__: (frozenset, "frozenset({", "})"),
    set.__repr__: (set, "{", "}"),
    deque.__repr__: (deque, "deque([", "])"),
}
_MAPPINGS = {
    dict.__repr__: (dict, "{", "}", "", ": ", ""),
    OrderedDict.__repr__: (OrderedDict, "OrderedDict([", "])", "(", ", ", ")"),
}
_TEXTS = {str.__repr__: str, bytes.__repr__: bytes}
_SIZED = (list, tuple, bytearray, range, dict, set, frozenset)
_PLAIN = frozenset((int, float, bool, type(None)))
# An integer whose digits are more than Python will print.
_MOST_BITS = 4000
# debugpy's own limit of what stands alone.
_OUTER = 2**16
# Of a value's text, what is kept to find where the next one differs from it.
_KEPT = 4096
# What is looked at of a value whose text leaves some out: of each collection in it so many from each end where they are plain, so many
# parts in all that are not, and those among them whose text the program's own code makes.
_FROM_END = 1000
_MOST_PARTS = 300
_MOST_OTHERS = 100
# …where it must be quick: so many parts, and of the text what is shown and as much again.
_FEW_PARTS = 40
_BRIEFLY = 2
_NUMBERS = frozenset((int, float, complex, bool, type(None)))
_TEXTUAL = _NUMBERS | {str, bytes}
_MOST_MEMBERS = 100000
# Around a difference that a cut would hide: of the beginning, and before it.
_HEAD = 24
_BEFORE = 30


class Values:
    def __init__(self, items, inner, chars, brief=False):
        """
        `items`: how many of a collection are shown, by depth; `inner`: characters of a part; `chars`: of the whole. `brief`: what is shown is
        the same, and less is looked at beyond it.
        """
        self.items = items
        self.inner = inner
        self.chars = chars
        self.most = chars * _BRIEFLY if brief else None
        self.parts = _FEW_PARTS if brief else _MOST_PARTS

    def show(self, value):
        return self._shortened(self._whole(value))

    def bare(self, value):
        """What it is, without its fields."""
        return self._shortened(object.__repr__(value))

    def _shortened(self, text):
        return text if len(text) <= self.chars else text[: self.chars - 1] + "\u2026"

    def look(self, value):
        """Its text, and what to know the whole of it by where the text is not all that there is."""
        text = self._whole(value)
        if len(text) <= self.chars and "..." not in text and "len() = " not in text:
            return text, None
        return text, hash((text, _mark(value, self.parts)))

    def kept(self, look):
        text, mark = look
        return (text, mark) if len(text) <= _KEPT else (text[:_KEPT], mark)

    def differing(self, before, look, value):
        """A value that is not as it was, with the part that differs."""
        text, mark = look
        if mark is None:
            return text
        at = _first_difference(before[0], text[:_KEPT])
        if at is None:
            note = " (%schanged beyond what is shown)" % self._end_of(value)
            room = max(1, self.chars - len(note))
            return (text if len(text) <= room else text[: room - 1] + "\u2026") + note
        # What differs must not be the mere sign of a cut.
        if len(text) <= self.chars or at < self.chars - _BEFORE or self.chars < 2 * (_HEAD + _BEFORE):
            return self._shortened(text)
        room = self.chars - _HEAD - 1
        start = max(_HEAD, min(at - _BEFORE, len(text) - room))
        end = start + room
        tail = text[start:end] if end >= len(text) else text[start : end - 1] + "\u2026"
        return text[:_HEAD] + "\u2026" + tail

    def _end_of(self, value):
        kind = type(value)
        if kind in (str, bytes, bytearray):
            return "its length is %d; " % len(value)
        if kind in (list, tuple, deque) and value:
            last = self._whole(value[-1])
            return "its length is %d, its last %s; " % (len(value), last if len(last) <= 40 else last[:39] + "\u2026")
        return "its length is %d; " % len(value) if kind in (dict, set, frozenset, OrderedDict) else ""

    def _whole(self, value):
        kind = type(value)
        try:
            if kind in _PLAIN or (kind is str and len(value) <= _OUTER):
                text = repr(value) if kind is not int or value.bit_length() < _MOST_BITS else self._other(value, 0)
            else:
                text = self._show(value, 0)
        except Exception as error:
            try:
                text = "An exception was raised: %r" % (error,)
            except Exception:
                text = "An exception was raised"
        return text

    def _show(self, value, level):
        try:
            own = type(value).__repr__
            sequence, mapping, text = _SEQUENCES.get(own), _MAPPINGS.get(own), _TEXTS.get(own)
        except Exception:
            sequence = mapping = text = None
        if sequence and isinstance(value, sequence[0]):
            return self._sequence(value, level, *sequence)
        if mapping and isinstance(value, mapping[0]):
            return self._mapping(value, level, *mapping[1:])
        if text and isinstance(value, text):
            return self._text(value, level)
        if self._is_long(value, 0):
            return _size(value)
        return self._other(value, level)

    def _part(self, value, whole, level):
        """Of a collection; one that holds itself is not followed."""
        return self._show(value, 100 if value is whole else level + 1)

    def _sequence(self, value, level, kind, prefix, suffix):
        if level >= len(self.items):
            return prefix + "..." + suffix
        most = self.items[level]
        parts = []
        for item in value:
            if len(parts) == most - 1 or self._is_enough(parts):
                parts.append("...")
                break
            parts.append(self._part(item, value, level))
        else:
            if kind is tuple and len(parts) == 1:
                suffix = "," + suffix
        return prefix + ", ".join(parts) + suffix

    def _mapping(self, value, level, prefix, suffix, before, between, after):
        if not value:
            return prefix + suffix
        if level >= len(self.items):
            return prefix + "..." + suffix
        most = self.items[level]
        parts = []
        for key in list(value):
            if len(parts) == most - 1 or self._is_enough(parts):
                parts.append("...")
                break
            name = self._show(key, level + 1)
            try:
                item = value[key]
            except Exception:
                shown = "<?>"
            else:
                shown = self._part(item, value, level)
            parts.append(before + name + between + shown + after)
        return prefix + ", ".join(parts) + suffix

    def _is_enough(self, parts):
        return self.most is not None and sum(map(len, parts)) > self.most

    def _text(self, value, level):
        limit = self.inner if level > 0 else _OUTER
        if len(value) <= limit:
            return repr(value)
        head, tail = repr(value[: 2 * limit // 3]), repr(value[-(limit // 3) :])
        try:
            return head[: head.rindex("'")] + "..." + tail[tail.index("'") + 1 :]
        except ValueError:  # in other quotes
            return self._cut(repr(value), level)

    def _other(self, value, level):
        text = sonde_fields.text_of(value, level, len(self.items), lambda part: self._part(part, value, level))
        if text is not None:
            return text
        try:
            text = repr(value)
        except Exception:
            try:
                text = object.__repr__(value)
            except Exception:
                text = "<no repr available for %s>" % type(value).__name__
        return self._cut(text, level)

    def _cut(self, text, level):
        limit = self.inner if level > 0 else _OUTER
        if len(text) <= limit:
            return text
        return text[: 2 * limit // 3] + "..." + text[-(limit // 3) :]

    def _is_long(self, value, level):
        """Whether a collection with a `repr` of its own would print more than can be shown."""
        try:
            if isinstance(value, (str, bytes)):
                return len(value) > self.inner
            if not isinstance(value, _SIZED) or isinstance(value, range) or not hasattr(value, "__iter__"):
                return False
            if value is iter(value) or type(value).__module__.partition(".")[0] in ("numpy", "scipy"):
                return False
            if level >= len(self.items) or len(value) > self.items[level]:
                return True
            return any(self._is_long(item, level + 1) for item in value)
        except Exception:
            return True


def _first_difference(one, other):
    """Where it is; none if they are the same."""
    if one == other:
        return None
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _mark(value, most):
    """Of a value's parts, however deep; `most`: of so many."""
    marks, waiting, seen, others = [], [value], set(), 0
    try:
        for _ in range(most):
            if not waiting:
                break
            one = waiting.pop()
            kind = type(one)
            if kind in _TEXTUAL:
                marks.append(_plain((one,)))
            elif isinstance(one, bytearray):
                marks.append((len(one), hash(bytes(one[:_OUTER])), hash(bytes(one[-_OUTER:]))))
            elif isinstance(one, (set, frozenset)):
                # Their order is none; a copy takes the hashes that are known.
                marks.append((len(one), hash(frozenset(one)) if len(one) <= _MOST_MEMBERS else 0))
            elif isinstance(one, (list, tuple, deque, dict)):
                if id(one) not in seen:
                    seen.add(id(one))
                    marks.append(len(one))
                    for parts in _ends(one):
                        if _TEXTUAL.issuperset(map(type, parts)):
                            marks.append(_plain(parts))
                        else:
                            waiting.extend(_in_turn(parts))
            elif others < _MOST_OTHERS and kind.__repr__ is not object.__repr__:
                others += 1
                marks.append(hash(repr(one)))
            else:
                marks.append(id(one))
                if id(one) not in seen and kind.__repr__ is object.__repr__:
                    seen.add(id(one))
                    waiting.extend([part for _, part in sonde_fields.pairs(one)][:_FROM_END])
    except Exception:  # changed by another thread meanwhile, or it cannot be read: the text serves
        return None
    return hash(tuple(marks))


def _plain(parts):
    """Numbers by what they are, for some share their hash with others; texts know theirs."""
    numbers = parts if _NUMBERS.issuperset(map(type, parts)) else [one for one in parts if type(one) in _NUMBERS]
    return hash(dumps(tuple(numbers), 0)), 0 if numbers is parts else hash(tuple(parts))


def _ends(value):
    """The parts of a collection: those of its beginning and, of a long one, those of its end."""
    if isinstance(value, dict):
        yield tuple(islice(value.keys(), _FROM_END))
        yield tuple(islice(value.values(), _FROM_END))
        if len(value) > _FROM_END:
            yield tuple([value[key] for key in islice(reversed(value), _FROM_END)])
    elif isinstance(value, deque):
        yield tuple(islice(value, _FROM_END))
        yield tuple(islice(reversed(value), _FROM_END))
    else:
        yield tuple(value[:_FROM_END])
        if len(value) > _FROM_END:
            yield tuple(value[-_FROM_END:])


def _in_turn(parts):
    """From each end in turn, to be taken from the last: whatever is left undone is in the middle."""
    half = (len(parts) + 1) // 2
    mixed = [one for pair in zip(parts[:half], reversed(parts)) for one in pair]
    return mixed[_MOST_PARTS - 1 :: -1]


def _size(value):
    try:
        return "<%s, len() = %s>" % (type(value).__name__, len(value))
    except Exception:
        return "<%s>" % type(value).__name__
