"""Values of plain variables in the words of LLDB, so that a record is the same whoever made it; nothing for those it is not sure of.

A shower takes a value and gives its two parts: what it is, and what is said about it.
"""

import math
import re

import gdb

# As in adapters/lldb/lldb_values.py.
MOST_MEMBERS, LINE, LONGEST = 16, 160, 60
MOST_TEXT = 1024
UNREADABLE = "(not readable)"
NOTHING_READ = re.compile(r'^(\{(\w+:""(, )?)+(\.\.\.)?\})?$')
SIMPLE_ESCAPES = {0: "\\0", 7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r", 27: "\\e"}
POINTED = re.compile(r"^(unsigned |signed )?(int|long|short|long long|float|double|bool|_Bool)$")
PLAIN_NAMES = {
    "short int": "short", "long int": "long", "long long int": "long long", "short unsigned int": "unsigned short",
    "long unsigned int": "unsigned long", "long long unsigned int": "unsigned long long", "unsigned int": "unsigned int",
}


class Unsure(Exception):
    """Why a value is left to LLDB."""


def text(raw):
    """In quotes, as far as its end."""
    cut = raw.find(b"\0")
    told = (raw if cut < 0 else raw[:cut]).decode("utf-8")
    return '"' + "".join(in_text(one) for one in told) + '"'


def in_text(one):
    code = ord(one)
    if code in SIMPLE_ESCAPES:
        return SIMPLE_ESCAPES[code]
    if one in '"\\':
        return "\\" + one
    return one if one.isprintable() else f"\\U{code:08x}"


def real(number, digits):
    """In so many digits, with a power of ten where there would be many zeros or more digits than are known."""
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "+Inf" if number > 0 else "-Inf"
    sign = "-" if math.copysign(1, number) < 0 else ""
    if number == 0:
        return sign + "0"
    told, last = decimal(abs(number), digits)
    power = last + len(told) - 1
    if last > 6 or (last >= 0 and len(told) + last > digits) or power < -6:
        return f"{sign}{told[0]}.{told[1:] or '0'}E{'+' if power >= 0 else '-'}{abs(power)}"
    if last >= 0:
        return sign + told + "0" * last
    if power >= 0:
        return f"{sign}{told[: power + 1]}.{told[power + 1 :]}"
    return f"{sign}0.{'0' * (-power - 1)}{told}"


def decimal(number, digits):
    """Its digits and the power of ten of the last. What is beyond a few bits more than are needed is cut off, then it is rounded."""
    whole, base = number.as_integer_ratio()
    power = 0
    if base > 1:
        power = -(base.bit_length() - 1)
        whole *= 5**-power
    spare = (whole.bit_length() - (digits * 196 + 58) // 59) * 59 // 196
    if spare > 0:
        power += spare
        whole //= 10**spare
    told = str(whole)
    over = len(told) - digits
    if over > 0:
        power += over
        told = str(int(told[:digits]) + (1 if told[digits] >= "5" else 0))
    short = told.rstrip("0")
    return short, power + len(told) - len(short)


def enumerator(kind):
    names = {}
    flags, covered = True, 0
    for field in kind.fields():
        value = field.enumval
        names.setdefault(value, field.name.split("::")[-1])
        if bin(value & (2**64 - 1)).count("1") != 1 and value & ~covered:
            flags = False
        covered |= value
    by_size = sorted(names.items(), key=lambda one: -bin(one[0] & (2**64 - 1)).count("1"))

    def show(value):
        number = int(value)
        if number in names:
            return names[number], ""
        if not flags or len(names) <= 1:
            return str(number), ""
        if number == 0:
            return "0x0", ""
        told, rest = [], number
        for bits, name in by_size:
            if bits and rest & bits == bits:
                told.append(name)
                rest &= ~bits
        return " | ".join(told + ([hex(rest)] if rest else [])), ""

    return show


def whole(value):
    return str(int(value)), ""


def letter(value):
    code = int(value) & 0xFF
    plain = chr(code) if 32 <= code < 127 else f"\\x{code:02x}"
    return f"'{SIMPLE_ESCAPES.get(code, plain)}'", ""


def truth(value):
    return ("true" if int(value) else "false"), ""


def shower_of(kind, rust, inner=False):
    """`inner` is what is shown of a member or an element: no deeper than that."""
    plain = kind.strip_typedefs().unqualified()
    code = plain.code
    if code == gdb.TYPE_CODE_BOOL:
        return truth
    if code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR):
        return integer(plain, rust)
    if code == gdb.TYPE_CODE_FLT and plain.sizeof in (4, 8):
        digits = 9 if plain.sizeof == 4 else 17
        return lambda value: (real(float(value), digits), "")
    if rust:
        raise Unsure(f"its values of type {kind} are shown by LLDB")
    if code == gdb.TYPE_CODE_ENUM:
        return enumerator(plain)
    if code == gdb.TYPE_CODE_PTR or code == gdb.TYPE_CODE_REF:
        return address(plain, inner)
    if code == gdb.TYPE_CODE_ARRAY:
        return array(plain, inner)
    if code == gdb.TYPE_CODE_STRUCT and kind.unqualified().code != gdb.TYPE_CODE_TYPEDEF:
        return structure(plain, inner)
    raise Unsure(f"its values of type {kind} are shown by LLDB")


def integer(plain, rust):
    name = plain.name or ""
    if plain.sizeof > 8 or re.search(r"wchar_t|char\d+_t", name):
        raise Unsure(f"its values of type {name} are shown by LLDB")
    if plain.sizeof > 1:
        if rust and name == "char":
            raise Unsure("its values of type char are shown by LLDB")
        return whole
    if rust and name != "u8":
        raise Unsure(f"its values of type {name} are shown by LLDB")
    return whole if rust or name != "char" else letter


def is_letter(kind):
    plain = kind.strip_typedefs().unqualified()
    return plain.code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR) and plain.sizeof == 1


def address(plain, inner):
    target = plain.target()
    bare = target.strip_typedefs().unqualified()
    reference = plain.code == gdb.TYPE_CODE_REF
    # LLDB chooses by a type's name, and a name of the program's own is not one of those it chooses by.
    own_name = target.unqualified().name != bare.name and bare.code != gdb.TYPE_CODE_STRUCT
    if own_name or bare.code in (gdb.TYPE_CODE_FUNC, gdb.TYPE_CODE_METHOD) or (reference and is_letter(bare)):
        raise Unsure(f"its values of type {plain} are shown by LLDB")
    about = pointed(bare, inner)

    def show(value):
        pointer = value.referenced_value().address if reference else value
        place = int(pointer)
        shown = f"0x{place:016x}"
        if place == 0 or about is None:
            return shown, ""
        try:
            return shown, about(pointer)
        except gdb.MemoryError:
            return shown, UNREADABLE

    return show


def pointed(bare, inner):
    """What is said about a pointer beside its address, if anything."""
    if bare.code == gdb.TYPE_CODE_VOID:
        return None
    if is_letter(bare):
        return c_string
    name = PLAIN_NAMES.get(bare.name or "", bare.name or "")
    if POINTED.match(name):
        show = shower_of(bare, False)
        return lambda pointer: "→ " + show(pointer.dereference())[0]
    if bare.code == gdb.TYPE_CODE_STRUCT:
        if inner:
            raise Unsure(f"what pointers to {bare} lead to is shown by LLDB")
        return to_structure(structure(bare, False))
    raise Unsure(f"what pointers to {bare} lead to is shown by LLDB")


def to_structure(show):
    """One of which nothing was read may not be there."""

    def about(pointer):
        parts = show(pointer.dereference())[1]
        if NOTHING_READ.match(parts):
            gdb.selected_inferior().read_memory(int(pointer), 1)
        return parts

    return about


def c_string(pointer):
    memory = gdb.selected_inferior()
    place, raw = int(pointer), b""
    while len(raw) <= MOST_TEXT and b"\0" not in raw:
        # To the end of a page: the next may not be there.
        length = min(256, 4096 - (place + len(raw)) % 4096)
        try:
            raw += bytes(memory.read_memory(place + len(raw), length))
        except gdb.MemoryError:
            return text(raw) if raw else UNREADABLE
    end = raw.find(b"\0")
    return text(raw) if 0 <= end <= MOST_TEXT else text(raw[:MOST_TEXT]) + "..."


def letters(place, count):
    try:
        return text(bytes(gdb.selected_inferior().read_memory(place, count)))
    except gdb.MemoryError:
        return '""'


def array(plain, inner):
    low, high = plain.range()
    element = plain.target().strip_typedefs().unqualified()
    if not is_letter(element) or element.name != "char":
        raise Unsure(f"its values of type {plain} are shown by LLDB")
    return lambda value: ("", letters(int(value.address), high - low + 1))


def part_shower(kind):
    """Of a member: arrays and structures are left to LLDB, which shows their parts."""
    plain = kind.strip_typedefs().unqualified()
    compound = plain.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION, gdb.TYPE_CODE_ARRAY)
    if not compound or (plain.code == gdb.TYPE_CODE_ARRAY and is_letter(plain.target())):
        return shower_of(kind, False, True)
    raise Unsure(f"its values of type {kind} are shown by LLDB")


def is_class(plain):
    """Declared by that word: LLDB tells it from a structure."""
    try:
        return gdb.execute(f"ptype {plain}", to_string=True).startswith("type = class ")
    except gdb.error:
        return False


def structure(plain, inner):
    if "::" in (plain.name or "") or "<" in (plain.name or "") or is_class(plain):
        raise Unsure(f"its values of type {plain} are shown by LLDB")
    members = []
    for field in plain.fields():
        if field.is_base_class or not field.name or field.bitsize or field.artificial or not hasattr(field, "bitpos"):
            raise Unsure(f"its values of type {plain} are shown by LLDB")
        members.append((field, part_shower(field.type)))
    if not members:
        raise Unsure(f"its values of type {plain} are shown by LLDB")
    return lambda value: ("", summed((field.name, value[field.name], show) for field, show in members))


def summed(parts):
    told, length = [], 0
    for name, value, show in parts:
        if length > LINE or len(told) == MOST_MEMBERS:
            told.append("…")
            break
        try:
            shown, about = show(value)
        except gdb.MemoryError:
            continue
        one = about or shown
        told.append(f"{name}:{one if len(one) <= LONGEST else one[: LONGEST - 1] + '…'}")
        length += len(told[-1]) + 2
    return "{" + ", ".join(told) + "}" if told else ""


def joined(parts):
    shown, about = parts
    return f"{shown} {about}" if shown and about else shown or about
