"""The fields of an object that has no `repr` of its own, read without running any of the program's code.

Used by pydevd in a debugged program and by the recorder of traces, so that both show the same.
"""

from types import GetSetDescriptorType, MemberDescriptorType

# How many are shown, by depth.
MOST = (12, 6)


def text_of(value, level, deepest, show):
    """`<Cart total=10, items=[...]>`; None for what has a `repr` of its own, or nothing to show. `show` is for a part of it."""
    try:
        kind = type(value)
        if kind.__repr__ is not object.__repr__:
            return None
        found = list(pairs(value))
        if not found:
            return None
        most = MOST[level] if level < min(len(MOST), deepest) else 0
        told = ["%s=%s" % (name, show(part)) for name, part in found[:most]]
        return "<%s %s>" % (kind.__name__, ", ".join(told + (["..."] if len(found) > most else [])))
    except Exception:  # changed by another thread meanwhile, or a class that is made in an odd way
        return None


def pairs(value):
    """In slots, then in its own dictionary as they were set."""
    for kind in reversed(type(value).__mro__):
        for name, part in list(kind.__dict__.items()):
            if type(part) is MemberDescriptorType:
                try:
                    yield name, part.__get__(value, type(value))
                except AttributeError:
                    pass  # not set
    yield from [(name, part) for name, part in (own(value) or {}).items() if isinstance(name, str)]


def own(value):
    """Its `__dict__`, unless the program makes that itself."""
    for kind in type(value).__mro__:
        found = kind.__dict__.get("__dict__")
        if found is not None:
            return found.__get__(value) if type(found) is GetSetDescriptorType else None
    return None


def field(value, name):
    """Of an object or a class. One that is computed by the program's code is refused."""
    kinds = value.__mro__ if isinstance(value, type) else type(value).__mro__
    held = next((kind.__dict__[name] for kind in kinds if name in kind.__dict__), None)
    mine = None if isinstance(value, type) else own(value)
    if type(held) is MemberDescriptorType and not isinstance(value, type):
        return held.__get__(value, type(value))
    if hasattr(type(held), "__set__"):
        raise AttributeError(name)
    if mine is not None and name in mine:
        return mine[name]
    if held is None or hasattr(type(held), "__get__"):
        raise AttributeError(name)
    return held


def adapt():
    from _pydevd_bundle.pydevd_safe_repr import SafeRepr

    plain = SafeRepr._repr_other

    def other(self, value, level):
        def show(part):
            return "".join(self._repr(part, 100 if part is value else level + 1))

        text = None if self.raw_value else text_of(value, level, len(self.maxcollection), show)
        return plain(self, value, level) if text is None else iter((text,))

    SafeRepr._repr_other = other
