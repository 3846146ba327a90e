"""C++'s own classes by what is in them: smart pointers, optionals, variants, atomics, and texts that the compiler left to the library."""

import re

import lldb
from lldb_values import brief, followed

LONGEST_TEXT = 1024
ESCAPES = {0: "\\0", 7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r", 27: "\\e", 34: '\\"', 92: "\\\\"}
PREFIXES = {"wchar_t": "L", "char16_t": "u", "char32_t": "U"}
ENCODINGS = {1: "utf-8", 2: "utf-16-le", 4: "utf-32-le"}


def inside(value, *names, depth=8):
    """The nearest member by one of these names, in what it is made of; nothing if there is none."""
    waiting = [(value.GetNonSyntheticValue(), depth)]
    for _ in range(60):
        if not waiting:
            return None
        one, left = waiting.pop(0)
        if one.GetName() in names:
            return one
        if left > 0 and not one.GetType().IsPointerType():
            parts = range(min(one.GetNumChildren(), 8))
            waiting.extend((one.GetChildAtIndex(at, lldb.eNoDynamicValues, False), left - 1) for at in parts)
    return None


def pointer_in(value):
    """What a smart pointer leads to, wherever its library keeps that: the first pointer there is in it."""
    plain = value.GetNonSyntheticValue()
    waiting = [plain]
    for _ in range(60):
        if not waiting:
            break
        one = waiting.pop(0)
        if one.GetType().IsPointerType():
            return one
        waiting.extend(one.GetChildAtIndex(at, lldb.eNoDynamicValues, False) for at in range(min(one.GetNumChildren(), 8)))
    # The tuple that libstdc++ keeps it in may be more than LLDB makes of g++'s debug information: it is all there is, or not known.
    target, kind = value.GetTarget(), plain.GetType().GetCanonicalType()
    owns = kind.GetTemplateArgumentType(0)
    if owns.IsArrayType():
        owns = owns.GetArrayElementType()
    if not owns.IsValid() or kind.GetByteSize() != target.GetAddressByteSize():
        return None
    return plain.CreateValueFromAddress("pointer", plain.GetLoadAddress(), owns.GetPointerType())


def owned(value, _internal):
    pointer = pointer_in(followed(value))
    if pointer is None:
        return ""
    address = pointer.GetValueAsUnsigned()
    return "nullptr" if address == 0 else f"{address:#x} → {brief(target_of(pointer))}"


def target_of(pointer):
    """As what it is, which may be more than what it is declared as."""
    return pointer.GetDynamicValue(lldb.eDynamicDontRunTarget).Dereference()


def shared(value, internal):
    """With how many there are: owners, and those that only watch."""
    value = followed(value)
    text = owned(value, internal)
    strong, weak = (inside(counter(value), *names) for names in (("_M_use_count",), ("_M_weak_count",)))
    if text in ("", "nullptr") or strong is None or weak is None:
        return text
    owners = strong.GetValueAsSigned()
    if owners <= 0:
        return "expired"
    return f"{text} strong={owners} weak={weak.GetValueAsSigned() - 1}"


def counter(value):
    held = inside(value, "_M_pi")
    return held.Dereference() if held is not None else value


class Owned:
    """A smart pointer is opened as what it leads to. LLDB's own view of two of them in a frame may end lldb-dap."""

    def __init__(self, value, _internal):
        self.value = value
        self.update()

    def update(self):
        pointer = pointer_in(self.value)
        there = pointer is not None and pointer.GetValueAsUnsigned() != 0
        self.target = target_of(pointer) if there else None
        return False

    def has_children(self):
        return self.target is not None

    def num_children(self):
        return 0 if self.target is None else 1

    def get_child_index(self, name):
        return 0 if self.target is not None and name in ("*", "$$dereference$$") else -1

    def get_child_at_index(self, _index):
        if self.target is None:
            return None
        return self.value.CreateValueFromAddress("*", self.target.GetLoadAddress(), self.target.GetType())


def held_in(value):
    """What an optional holds, None if nothing; whether that can be told at all."""
    plain = value.GetNonSyntheticValue()
    kind = plain.GetType().GetCanonicalType()
    holds = kind.GetTemplateArgumentType(0)
    size, place = holds.GetByteSize() if holds.IsValid() else 0, plain.GetLoadAddress()
    if size == 0 or place == lldb.LLDB_INVALID_ADDRESS or size >= kind.GetByteSize():
        return None, False
    # Every library has what is held first, and after it whether it is.
    error = lldb.SBError()
    flag = plain.GetProcess().ReadMemory(place + size, 1, error)
    if not error.Success() or flag not in (b"\0", b"\1"):
        return None, False
    return (plain.CreateValueFromAddress("value", place, holds) if flag == b"\1" else None), True


def optional(value, _internal):
    value = followed(value)
    held, told = held_in(value)
    if not told:
        return ""
    return "nullopt" if held is None else brief(held)


class Optional:
    """Opened as what it holds."""

    def __init__(self, value, _internal):
        self.value = value
        self.update()

    def update(self):
        self.held = held_in(self.value)[0]
        return False

    def has_children(self):
        return self.held is not None

    def num_children(self):
        return 0 if self.held is None else 1

    def get_child_index(self, name):
        return 0 if self.held is not None and name in ("value", "$$dereference$$") else -1

    def get_child_at_index(self, _index):
        return self.held


def variant(value, _internal):
    """`(int) 5`"""
    value = followed(value)
    index = inside(value, "_M_index", "__index", "__index_")
    if index is None:
        return ""
    number, kind = index.GetValueAsUnsigned(), value.GetType().GetCanonicalType()
    holds = kind.GetTemplateArgumentType(number) if number < kind.GetNumberOfTemplateArguments() else None
    if number == (1 << (8 * index.GetByteSize())) - 1:
        return "valueless"
    if holds is None or not holds.IsValid():
        return ""
    plain = value.GetNonSyntheticValue()
    held = plain.CreateValueFromAddress("value", plain.GetLoadAddress(), holds)
    return f"({short(holds)}) {brief(held)}"


def short(kind):
    name = kind.GetDisplayTypeName() or kind.GetName() or ""
    return re.sub(r"std::basic_string<char(, std::char_traits<char>, std::allocator<char> ?)?>", "std::string", name)


def atomic(value, _internal):
    value = followed(value)
    held = inside(value, "_M_i", "_M_p", "_M_fp", "__a_value")
    return brief(held) if held is not None else ""


def function(value, _internal):
    """`→ twice(int)`"""
    value = followed(value)
    manager, invoker = inside(value, "_M_manager"), inside(value, "_M_invoker")
    if manager is None or invoker is None:
        return ""
    if manager.GetValueAsUnsigned() == 0:
        return "empty"
    plain, target = value.GetNonSyntheticValue(), value.GetTarget()
    called = re.search(r"_Function_handler<.*\), (.+)>::_M_invoke", name_at(target, invoker.GetValueAsUnsigned()))
    if called is None:
        return ""
    if "(*)" not in called.group(1):
        return f"→ {called.group(1)}"
    error = lldb.SBError()
    address = value.GetProcess().ReadPointerFromMemory(plain.GetLoadAddress(), error)
    return f"→ {name_at(target, address)}" if error.Success() else ""


def name_at(target, address):
    symbol = target.ResolveLoadAddress(address).GetSymbol()
    return symbol.GetDisplayName() or symbol.GetName() or ""


def anything(value, _internal):
    """What a std::any holds, by the function that manages it."""
    value = followed(value)
    manager, target = inside(value, "_M_manager"), value.GetTarget()
    if manager is None:
        return ""
    if manager.GetValueAsUnsigned() == 0:
        return "empty"
    manages = re.search(r"_Manager_(internal|external)<(.+)>::_S_manage", name_at(target, manager.GetValueAsUnsigned()))
    basic = {one.GetName(): one for one in map(target.GetBasicType, range(2, 28)) if one.IsValid()}
    kind = manages and (basic.get(manages.group(2)) or target.FindFirstType(manages.group(2)))
    if not kind or not kind.IsValid():
        return f"({manages.group(2)})" if manages else ""
    plain, error = value.GetNonSyntheticValue(), lldb.SBError()
    place = plain.GetLoadAddress() + target.GetAddressByteSize()
    if manages.group(1) == "external":
        place = value.GetProcess().ReadPointerFromMemory(place, error)
    return f"({short(kind)}) {brief(plain.CreateValueFromAddress('value', place, kind))}" if error.Success() else ""


def is_text(kind, _internal):
    """Whether it is libstdc++'s. LLDB ends it at the first zero in it, and reads none of a program that clang compiled."""
    real = kind.GetCanonicalType()
    if real.IsReferenceType():
        real = real.GetDereferencedType()
    elif real.IsPointerType():
        real = real.GetPointeeType()
    real = real.GetUnqualifiedType()
    if not re.match(r"std::(__cxx11::)?basic_string<", real.GetName() or ""):
        return False
    return {"_M_dataplus", "_M_string_length"} <= {field.name for field in real.fields}


def letter_of(kind):
    return kind.GetCanonicalType().GetUnqualifiedType().GetTemplateArgumentType(0).GetCanonicalType()


def text(value, _internal):
    kind = value.GetType().GetCanonicalType()
    value = value.Dereference() if kind.IsPointerType() or kind.IsReferenceType() else value
    place, process, letter = value.GetLoadAddress(), value.GetProcess(), letter_of(value.GetType())
    size, error = letter.GetByteSize(), lldb.SBError()
    if place == lldb.LLDB_INVALID_ADDRESS:
        return ""
    start, length, room = (process.ReadUnsignedFromMemory(place + at, 8, error) for at in (0, 8, 16))
    own = place + 16
    if not error.Success() or length > (15 // size if start == own else room):
        return "<not initialised>"
    read = process.ReadMemory(start, min(length, LONGEST_TEXT) * size, error) if length > 0 else b""
    if not error.Success():
        return "<not initialised>"
    told = "".join(map(escaped, read.decode(ENCODINGS.get(size, "utf-8"), "surrogateescape" if size == 1 else "replace")))
    return f'{PREFIXES.get(letter.GetName(), "")}"{told}"' + ("..." if length > LONGEST_TEXT else "")


def escaped(one):
    code = ord(one)
    if code in ESCAPES:
        return ESCAPES[code]
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return one if one.isprintable() else f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
