"""The elements of containers, a page at a time: pydevd shows the first few hundred and has no way to the others."""

import array
import contextlib
import itertools
import threading
import types

# What is shown of a container when no page is asked for, and the row that then tells of the rest.
FIRST = 100
MORE = "sonde: more"

_asked = threading.local()


class Page:
    def __init__(self, start, count, elements):
        self.start, self.count, self.elements = start, count, elements
        self.cut = False
        # After how many elements its attributes begin, and which of these belong to the page.
        self.others = None


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
    from _pydevd_bundle import pydevd_resolver, pydevd_suspended_frames, pydevd_xml

    plain = pydevd_resolver.defaultResolver.get_contents_debug_adapter_protocol

    def attributes(self, value, fmt):
        return plain(value, fmt) or []

    for name, rows in (("DictResolver", entries), ("TupleResolver", items), ("SetResolver", members)):
        kind = getattr(pydevd_resolver, name)
        kind.get_contents_debug_adapter_protocol = contents(rows, attributes)
    known = pydevd_xml._create_default_type_map
    pydevd_xml._create_default_type_map = lambda: known() + built_in(pydevd_resolver.DefaultResolver, attributes)
    for kind in (pydevd_suspended_frames._ObjectVariable, pydevd_suspended_frames._FrameVariable):
        kind.get_children_variables = paged(kind.get_children_variables)
    from pydevd_plugins.extensions.types.pydevd_plugin_numpy_types import NDArrayTypeResolveProvider

    NDArrayTypeResolveProvider.get_contents_debug_adapter_protocol = contents(sliced, measures)


def built_in(resolver, attributes):
    """Containers of Python's own that pydevd shows without their elements."""
    views = ({}.keys(), {}.values(), {}.items())
    slices = (array.array, range, bytes, bytearray, memoryview)
    kinds = [(kind, sliced) for kind in slices] + [(type(view), items) for view in views]
    kinds.append((types.MappingProxyType, entries))

    def made(rows):
        class Elements(resolver):
            get_contents_debug_adapter_protocol = contents(rows, attributes)

        return Elements()

    return [(kind, made(rows)) for kind, rows in kinds]


def measures(self, value, fmt):
    """Of an array of numpy: its size, shape and extremes, not the first few elements as a list."""
    found = self.get_dictionary(value)
    return [(name, part, None) for name, part in sorted(found.items()) if name[:1].isalpha()]


def contents(rows, attributes):
    def get(self, value, fmt=None):
        try:
            return listed(self, value, fmt)
        except Exception:  # it has no length, was released, or is of several dimensions
            return list(attributes(self, value, fmt))

    def listed(self, value, fmt):
        page, total = getattr(_asked, "page", None), len(value)
        if page is not None:
            end = page.start + page.count
            found = list(rows(value, page.start, min(end, total), total, fmt)) if page.start < total else []
            if end > total and not page.elements:  # after the last element come its attributes
                page.others = (len(found), max(0, page.start - total), end - total)
                found += list(attributes(self, value, fmt))
            page.cut = True
            return found
        first = list(rows(value, 0, FIRST, total, fmt))
        more = [(MORE, total - len(first), None)] if total > len(first) else []
        return first + list(attributes(self, value, fmt)) + more

    return get


def items(value, start, stop, total, fmt):
    width = len(str(max(0, total - 1)))
    for at, item in enumerate(itertools.islice(value, start, stop), start):
        yield "%0*d" % (width, at), item, "[%d]" % at


def sliced(value, start, stop, total, fmt):
    width = len(str(max(0, total - 1)))
    for at, item in enumerate(value[start:stop], start):
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


def is_inherited(variable, owner):
    """Methods that pydevd leaves among the values because their names begin with an underscore, and what `abc` keeps."""
    name, value = variable.get_name(), variable.get_value()
    if not isinstance(name, str) or not name.startswith("_"):
        return False
    return name == "_abc_impl" or (isinstance(value, types.MethodType) and value.__self__ is owner)


def paged(children):
    """Of what has no elements: its parts, in the order they are always in."""
    from _pydevd_bundle.pydevd_utils import DAPGrouper

    def get(self, *args, **named):
        found, page = children(self, *args, **named), getattr(_asked, "page", None)
        found = [one for one in found if not is_inherited(one, self.value)]
        if page is not None and page.others is not None:
            elements, first, last = page.others
            parts = [one for one in found if not isinstance(one.get_value(), DAPGrouper)]
            return parts[:elements] + parts[elements:][first:last]
        if page is None or page.cut:
            return found
        page.cut = True
        return [] if page.elements else found[page.start : page.start + page.count]

    return get
