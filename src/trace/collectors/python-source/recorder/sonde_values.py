"""Values as debugpy writes them, so that a record does not depend on how it was made."""
from collections import OrderedDict, deque

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


class Values:
    def __init__(self, items, inner, chars):
        """`items`: how many of a collection are shown, by depth; `inner`: characters of a part; `chars`: of the whole."""
        self.items = items
        self.inner = inner
        self.chars = chars

    def show(self, value):
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
        return text if len(text) <= self.chars else text[: self.chars - 1] + "\u2026"

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
            if len(parts) == most - 1:
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
            if len(parts) == most - 1:
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


def _size(value):
    try:
        return "<%s, len() = %s>" % (type(value).__name__, len(value))
    except Exception:
        return "<%s>" % type(value).__name__
