"""What can be told of paths and of objects without running anything of the program's."""
import os
import types

MOST_ATTRIBUTES = 20


def is_below(real, folders):
    return any(real == one or real.startswith(one.rstrip(os.sep) + os.sep) for one in folders)


def shows_nothing(value):
    """Of itself but where it lies."""
    return type(value).__repr__ is object.__repr__


def attributes(name, value):
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
            found.extend((one, held[one]) for one in list(held)[:MOST_ATTRIBUTES] if type(one) is str)
    except Exception:  # no such attribute, or changed by another thread meanwhile
        pass
    return [("%s.%s" % (name, one), held) for one, held in found[:MOST_ATTRIBUTES]]
