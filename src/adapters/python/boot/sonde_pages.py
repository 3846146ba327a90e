"""The elements of containers, a page at a time: pydevd shows the first few hundred and has no way to the others."""

import contextlib
import itertools
import threading

# What is shown of a container when no page is asked for, and the row that then tells of the rest.
FIRST = 100
MORE = "sonde: more"

_asked = threading.local()


class Page:
    def __init__(self, start, count, elements):
        self.start, self.count, self.elements = start, count, elements
        self.cut = False


@contextlib.contextmanager
def asked_by(request):
    """While the answer to a `variables` request is made."""
    said = request.arguments
    start, count = getattr(said, "start", None), getattr(said, "count", None)
    only = getattr(said, "filter", None) == "indexed"
    _asked.page = Page(start or 0, count or FIRST, only) if start is not None or count is not None else None
    try:
        yield
    finally:
        _asked.page = None


def adapt():
    from _pydevd_bundle import pydevd_resolver, pydevd_suspended_frames

    for name, rows in (("DictResolver", entries), ("TupleResolver", items), ("SetResolver", members)):
        kind = getattr(pydevd_resolver, name)
        kind.get_contents_debug_adapter_protocol = contents(rows, pydevd_resolver)
    for kind in (pydevd_suspended_frames._ObjectVariable, pydevd_suspended_frames._FrameVariable):
        kind.get_children_variables = paged(kind.get_children_variables)


def contents(rows, resolver):
    def get(self, value, fmt=None):
        page, total = getattr(_asked, "page", None), len(value)
        if page is not None:
            page.cut = True
            return list(rows(value, page.start, page.start + page.count, total, fmt))
        own = resolver.defaultResolver.get_contents_debug_adapter_protocol(value, fmt)
        first = list(rows(value, 0, FIRST, total, fmt))
        more = [(MORE, total - len(first), None)] if total > len(first) else []
        return first + list(own or []) + more

    return get


def items(value, start, stop, total, fmt):
    width = len(str(max(0, total - 1)))
    for at, item in enumerate(itertools.islice(value, start, stop), start):
        yield "%0*d" % (width, at), item, "[%d]" % at


def entries(value, start, stop, total, fmt):
    from _pydevd_bundle.pydevd_resolver import _does_obj_repr_evaluate_to_obj

    seen = set()
    for key, item in itertools.islice(value.items(), start, stop):
        name = "%r" % (key,)
        again = name in seen
        seen.add(name)
        shown = "%s (id: %s)" % (name, id(key)) if again else name
        yield shown, item, "[%s]" % name if _does_obj_repr_evaluate_to_obj(key) else None


def members(value, start, stop, total, fmt):
    for item in itertools.islice(value, start, stop):
        yield str(id(item)), item, None


def paged(children):
    """Of what has no elements: its parts, in the order they are always in."""

    def get(self, *args, **named):
        found, page = children(self, *args, **named), getattr(_asked, "page", None)
        if page is None or page.cut:
            return found
        page.cut = True
        return [] if page.elements else found[page.start : page.start + page.count]

    return get
