"""Frames by the names that LLDB has for them."""

import os
import re
import struct

import gdb

EH_FRAME = 0x6474E550
# What Rust's names tell two versions of a crate apart by.
CRATE_HASH = re.compile(r"(?<=\w)\[[0-9a-f]{8,16}\]")


class Frames:
    """Each place is told once; hits name it by number."""

    def __init__(self, channel):
        self.channel = channel
        self.known = {}
        self.folders = {}

    def numbers(self, frame, most):
        told, before, same = [], None, 0
        while frame is not None and len(told) < most:
            pc = frame.pc()
            # Functions that were compiled into their caller share its address.
            same = same + 1 if pc == before else 0
            before = pc
            key = (pc, len(told) == same, same)
            number = self.known.get(key)
            if number is None:
                number = self.known[key] = len(self.known)
                self.channel.tell({"frame": number, **self.place(frame, len(told) > same)})
            told.append(number)
            frame = frame.older()
        return told

    def place(self, frame, calling):
        sal = frame.find_sal()
        function = frame.function()
        name = named(function) if function else frame.name() or unnamed(frame.pc() - (1 if calling else 0))
        if function is None or sal.symtab is None or sal.line == 0:
            return {"name": name, "path": None, "line": 0}
        return {"name": name, "path": self.path(sal.symtab), "line": sal.line}

    def path(self, symtab):
        """As the compiler recorded it: links are not followed."""
        if os.path.isabs(symtab.filename):
            return os.path.normpath(symtab.filename)
        full = symtab.fullname()
        if not os.path.exists(full):
            return os.path.normpath(full)
        if full not in self.folders:
            self.folders[full] = folder_of(symtab)
        plain = os.path.normpath(os.path.join(self.folders[full] or "", symtab.filename))
        return plain if os.path.realpath(plain) == os.path.realpath(full) else full


def folder_of(symtab):
    try:
        gdb.execute(f"list '{symtab.filename}':1,1", to_string=True)
        said = gdb.execute("info source", to_string=True)
    except gdb.error:
        return None
    found = re.search(r"^Compilation directory is (.*)$", said, re.M)
    return found.group(1) if found else None


def named(function):
    linkage = function.linkage_name or function.name
    if not re.match(r"_(Z|R)", linkage):
        return own_name(function)
    language = "rust" if function.symtab.filename.endswith(".rs") else "c++"
    try:
        said = gdb.execute(f"demangle -l {language} -- {linkage}", to_string=True).strip()
    except gdb.error:
        return function.name
    return without_result(re.sub(r"> (?=>)", ">", CRATE_HASH.sub("", said)))


def without_result(name):
    """A template's name says what it returns, in front; operators are left as they are."""
    if "operator" in name:
        return name
    depth, start = 0, 0
    for at, char in enumerate(name):
        if char == "(" and depth == 0 and not name.startswith("(anonymous", at):
            break
        depth += (char in "<({[") - (char in ">)}]")
        if char == " " and depth == 0:
            start = at + 1
    return name[start:].lstrip("*&")


def own_name(function):
    """Of C++ functions that only their file knows, LLDB marks those of no namespace."""
    name = function.name
    outer = name.split("(")[0]
    return f"::{name}" if "(" in name and "::" not in outer and outer != "main" else name


def unnamed(pc):
    """A function that only the tables for unwinding know is called by its place in its file."""
    path = gdb.solib_name(pc) or gdb.current_progspace().filename
    base = base_of(pc)
    try:
        start = function_start(path, pc - base)
    except (OSError, struct.error):
        start = None
    return "<unknown>" if start is None else f"___lldb_unnamed_symbol_{start:x}"


def base_of(pc):
    """Where the file that this address belongs to was loaded."""
    first = {}
    with open(f"/proc/{gdb.selected_inferior().pid}/maps", encoding="utf-8", errors="replace") as maps:
        for line in maps:
            places, _rights, offset, _device, inode, *_name = line.split(maxsplit=5)
            low, high = (int(one, 16) for one in places.split("-"))
            if int(offset, 16) == 0:
                first[inode] = low
            if low <= pc < high:
                return first.get(inode, 0)
    return 0


def function_start(path, address):
    """By the sorted table of PT_GNU_EH_FRAME: pairs of 32-bit offsets from where it is loaded."""
    with open(path, "rb") as file:
        header = file.read(64)
        if header[:5] != b"\x7fELF\x02":
            return None
        offset, size, count = struct.unpack_from("<Q", header, 32)[0], *struct.unpack_from("<HH", header, 54)
        file.seek(offset)
        table = file.read(size * count)
        for at in range(count):
            kind, _flags, place, loaded, _physical, length = struct.unpack_from("<IIQQQQ", table, at * size)
            if kind == EH_FRAME:
                file.seek(place)
                return search(file.read(length), loaded, address)
    return None


def search(table, loaded, address):
    if table[:4] != b"\x01\x1b\x03\x3b":
        return None
    low, high = 0, struct.unpack_from("<I", table, 8)[0]
    start = lambda at: loaded + struct.unpack_from("<i", table, 12 + 8 * at)[0]
    while low < high:
        middle = (low + high) // 2
        if start(middle) <= address:
            low = middle + 1
        else:
            high = middle
    return start(low - 1) if low > 0 else None
