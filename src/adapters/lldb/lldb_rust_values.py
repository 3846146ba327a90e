"""Corrections to the formatters that come with rustc, loaded after them.

LLDB names a variant of an enum by the low 32 bits of its discriminant. rustc's formatters take that for the whole of it, and
so mistake every variant that is told by an impossible capacity, such as `None` of an `Option<String>`. They also follow
whatever is in memory where a value does not live yet.
"""

import re
import sys

import lldb
import lldb_library
import lldb_values

providers = sys.modules.get("lldb_providers")
lookup = sys.modules.get("lldb_lookup")

NO_VALUE = "<not initialised>"
LOW = 0xFFFFFFFF
# More than a machine's address space holds.
TOO_LONG = 1 << 47

_places = {}


NICHES = r"(^|::)(Cap|Nanoseconds|NonNull|NonZero\w*|\w+NoHighBit|\w+NotAllOnes)(<|$)"


def spare_high_half(kind):
    """Of the 64-bit values that a type never has, by which others are told apart: the high 32 bits."""
    if re.search(r"(^|::)(Cap|\w+NoHighBit)$", kind):
        return 0x80000000
    return LOW if re.search(r"64NotAllOnes$|sizeNotAllOnes$", kind) else 0


def kinds_at(kind, offset):
    """The types that hold what is at an offset in another, from the outermost in."""
    kind = kind.GetCanonicalType()
    yield kind
    fields = kind.fields
    if fields and (fields[0].name or "").startswith("$variant$"):
        # Of an enum in an enum: the variant without a discriminant, or where there is none, the discriminant.
        default = [field for field in fields if field.name == "$variant$"]
        fields = default or fields[0].type.fields[:1]
    for field in fields:
        start = field.GetOffsetInBytes()
        if start <= offset < start + field.type.GetByteSize():
            yield from kinds_at(field.type, offset - start)
            return


def has_niche(kind, offset, size):
    """Whether there is something of this size that does not use all of its values."""
    kinds = list(kinds_at(kind, offset))
    leaf = kinds[-1]
    if leaf.GetByteSize() != size:
        return False
    if leaf.IsPointerType() or leaf.GetTypeClass() == lldb.eTypeClassEnumeration:
        return True
    if leaf.GetBasicType() in (lldb.eBasicTypeBool, lldb.eBasicTypeChar32):
        return True
    names = [one.GetName() or "" for one in kinds]
    return any(re.search(NICHES, name) or name.endswith("$Inner") for name in names[1:])


def tag_offset(variant, default):
    """LLDB gives the value's offset to the discriminant, and the discriminant's, in bits, to the value."""
    places = {field.name: field for field in variant.fields}
    tag, value = places.get("$discr$"), places.get("value")
    if tag is None or value is None or default is None or tag.GetOffsetInBytes() > 0:
        return tag.GetOffsetInBytes() if tag else 0
    size, claimed = tag.type.GetByteSize(), value.GetOffsetInBits()
    if claimed + size > default.GetByteSize():
        return 0
    # Where the two offsets are both 0 the value comes after the discriminant, as it would in C.
    if 0 < claimed < 8 * size or claimed > 128:
        return claimed
    return claimed if not has_niche(default, 0, size) and has_niche(default, claimed, size) else 0


def place_of_tag(variant, default):
    """Where the discriminant is, how long it is, and the high half of those that have a number."""
    key = (variant.GetName(), variant.GetByteSize())
    if key not in _places:
        offset = tag_offset(variant, default)
        size = next((f.type.GetByteSize() for f in variant.fields if f.name == "$discr$"), 0)
        high = None
        if default is not None:
            names = [kind.GetName() or "" for kind in kinds_at(default, offset)]
            high = next(filter(None, map(spare_high_half, names)), 0) if size == 8 else 0
        _places[key] = (offset, size, high)
    return _places[key]


def names_of(value, size, high):
    """The numbers by which LLDB may call a variant with this discriminant, the likeliest first."""
    bits = 8 * size
    value &= (1 << bits) - 1
    if high is None or value >> 32 == high:
        yield value & LOW
    # A negative one is written in as few bytes as it needs, and read as if it were positive.
    negative = value - (1 << bits)
    for short in (8, 16, 32):
        if -(1 << (short - 1)) <= negative:
            yield value & ((1 << short) - 1)
            return


def current_variant(_self, all_variants):
    by_number = {}
    default = None
    for at in range(all_variants.GetNumChildren()):
        name = all_variants.GetChildAtIndex(at).GetName() or ""
        if name == "$variant$":
            default = at
        elif name.startswith("$variant$"):
            by_number[name[len("$variant$") :]] = at
    if not by_number:
        return default or 0
    kind = all_variants.GetChildAtIndex(next(iter(by_number.values()))).GetType()
    other = None if default is None else all_variants.GetChildAtIndex(default).GetType()
    offset, size, high = place_of_tag(kind, other)
    data = all_variants.GetData()
    order = "big" if data.GetByteOrder() == lldb.eByteOrderBig else "little"
    raw = data.ReadRawData(lldb.SBError(), offset, size)
    for number in names_of(int.from_bytes(raw or b"", order), size, high):
        if str(number) in by_number:
            return by_number[str(number)]
    return default or 0


def out_of_reach(pointer, length, size):
    """Whether so many elements cannot be there."""
    if length == 0 or size == 0:
        return False
    if length * size > TOO_LONG:
        return True
    error = lldb.SBError()
    pointer.GetProcess().ReadMemory(pointer.GetValueAsUnsigned() + length * size - 1, 1, error)
    return not error.Success()


def is_dead_vec(vec):
    vec = vec.GetNonSyntheticValue()
    inner = vec.GetChildMemberWithName("buf").GetChildMemberWithName("inner").GetNonSyntheticValue()
    if not inner.IsValid():
        return False
    length = vec.GetChildMemberWithName("len").GetValueAsUnsigned()
    capacity = inner.GetChildMemberWithName("cap").GetNonSyntheticValue()
    if capacity.GetNumChildren() > 0:
        capacity = capacity.GetChildAtIndex(0)
    size = vec.GetType().GetTemplateArgumentType(0).GetByteSize()
    if size > 0 and length > capacity.GetValueAsUnsigned():
        return True
    pointer = providers.unwrap_unique_or_non_null(inner.GetChildMemberWithName("ptr"))
    return out_of_reach(pointer, length, size)


def is_dead_slice(slice):
    slice = slice.GetNonSyntheticValue()
    pointer = slice.GetChildMemberWithName("data_ptr")
    if not pointer.IsValid():
        return False
    size = pointer.GetType().GetPointeeType().GetByteSize()
    return out_of_reach(pointer, slice.GetChildMemberWithName("length").GetValueAsUnsigned(), size)


def is_dead_string(string):
    return is_dead_vec(string.GetNonSyntheticValue().GetChildMemberWithName("vec"))


def is_dead_sequence(value):
    return is_dead_vec(value) or is_dead_slice(value)


def checked_summary(name, is_dead, better=None):
    """Only a value that lives is summed up."""
    inner = better or getattr(lookup, name, None)
    if not hasattr(lookup, name):
        return

    def summary(value, internal):
        value = lldb_values.followed(value)
        return NO_VALUE if is_dead(value) else inner(value, internal)

    setattr(lookup, name, summary)


def checked_children(name, is_dead):
    """Only a value that lives has elements."""
    provider = getattr(providers, name, None)
    if provider is None:
        return
    update = provider.update

    def checked(self):
        update(self)
        if is_dead(self.valobj):
            self.length = 0

    provider.update = checked


def through_pointers(name):
    """A reference is summed up as what it refers to, by the same function: it has to be followed first."""
    inner = getattr(lookup, name, None)
    if inner is None:
        return

    def summary(value, internal):
        return inner(lldb_values.followed(value), internal)

    setattr(lookup, name, summary)


def with_value(name):
    """What is counted, before the count."""
    inner = getattr(lookup, name, None)
    if inner is None:
        return

    def summary(value, internal):
        held = lldb_values.followed(value).GetSyntheticValue().GetChildMemberWithName("value")
        count = inner(value, internal).replace(", ", " ")
        return f"{lldb_values.brief(held)} {count}" if held.IsValid() else count

    setattr(lookup, name, summary)


def guarded(value, _internal):
    """What is behind a lock."""
    data = lldb_values.followed(value).GetNonSyntheticValue().GetChildMemberWithName("data")
    held = data.GetChildMemberWithName("value")
    return lldb_values.brief(held) if held.IsValid() else ""


def written(summary):
    """A text as it stands in a program: what is in it cannot be taken for its end."""

    def escaped(value, internal):
        text = summary(value, internal)
        if len(text) < 2 or text[0] != '"' or text[-1] != '"':
            return text
        return '"' + "".join(map(lldb_library.escaped, text[1:-1])) + '"'

    return escaped


if providers is not None and lookup is not None:
    enum = getattr(providers, "ClangEncodedEnumProvider", None)
    if enum is not None:
        enum._getCurrentVariantIndex = current_variant
    for text, is_dead in (("StdStringSummaryProvider", is_dead_string), ("StdStrSummaryProvider", is_dead_slice)):
        checked_summary(text, is_dead, written(getattr(lookup, text, lambda *_: "")))
    with_value("StdRcSummaryProvider")
    with_value("StdRefSummaryProvider")
    checked_summary("SizeSummaryProvider", is_dead_sequence, lldb_values.container)
    checked_children("StdStringSyntheticProvider", is_dead_string)
    checked_children("StdVecSyntheticProvider", is_dead_vec)
    checked_children("StdSliceSyntheticProvider", is_dead_slice)
    through_pointers("ClangEncodedEnumSummaryProvider")
    through_pointers("summary_lookup")
