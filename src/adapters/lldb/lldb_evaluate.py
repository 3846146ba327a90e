"""Expressions, without LLDB's own guesses at what was meant, and with what its C++ does not know: a container's elements and size
where the program has no code for them, and Rust's paths (`self.history[0]`, `pair.0`), which go through references by themselves.

Values that only a debugger's view of a container has are put into an expression as numbers, or as values of LLDB's own (`$3`).
"""

import json
import re

import lldb
import lldb_library
import lldb_rust_trees
import lldb_unset

PATH = re.compile(r"[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*(?:\s*(?:\.|->)\s*\w+|\[[^\[\]]*\])*")
SKIPPED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)+'|\$\w+|\d[\w.]*")
STEP = re.compile(r"\s*(?:\.|->)\s*(\w+)|\[([^\[\]]*)\]")
SIZES = ("len", "size", "length")
EMPTIES = ("is_empty", "empty")
SMART = re.compile(r"std::(__\w+::)*(unique_ptr|shared_ptr|optional)<")
CONTAINER = re.compile(
    r"std::(__\w+::)*(vector|deque|list|forward_list|array|span|bitset|initializer_list|basic_string|basic_string_view"
    r"|(unordered_)?(multi)?(set|map))<"
    r"|&?(mut )?(str|\[.+\])$"
    r"|alloc::(string::String$|vec::Vec<|collections::(vec_deque::VecDeque|btree::(map::BTreeMap|set::BTreeSet))<)"
    r"|std::collections::hash::(map::HashMap|set::HashSet)<"
)
MAP = re.compile(r"std::(__\w+::)*(unordered_)?map<|std::collections::hash::map::HashMap<")
TREE = re.compile(r"alloc::collections::btree::(map::BTreeMap|set::BTreeSet)<")
OWNER = re.compile(r"alloc::(rc::Rc|sync::Arc|boxed::Box)<")
MOST_ENTRIES = 10000
NO_RESULT = 0x1001


def evaluate(text, rust, frame_id):
    """Says, as JSON: the path or LLDB value to show, that there is none, or why not."""
    frame = frame_of(frame_id)
    if frame.IsValid():
        print("sonde " + json.dumps(answer(frame, bytes.fromhex(text).decode(), rust)))


def arguments(frame_id):
    """Says the names of a frame's arguments, also as lldb-dap writes them where a local has the same name."""
    named = []
    for one in frame_of(frame_id).GetVariables(True, False, False, False):
        declared = one.GetDeclaration()
        named += [one.GetName(), f"{one.GetName()} @ {declared.GetFileSpec().GetFilename()}:{declared.GetLine()}"]
    print("sonde " + json.dumps(named))


def unset(frame_id):
    """Says which variables have no value yet."""
    frame = frame_of(frame_id)
    print("sonde " + json.dumps(lldb_unset.unset(frame) if frame.IsValid() else []))


def frame_of(frame_id):
    """By lldb-dap's number, which it does not select for commands."""
    process = lldb.debugger.GetSelectedTarget().GetProcess()
    return process.GetThreadByIndexID(frame_id >> 19).GetFrameAtIndex(frame_id & 0x7FFFF)


def answer(frame, text, rust):
    why = None if rust else lldb_unset.refusal(frame, text)
    if why is not None:
        return {"why": why}
    try:
        return found(frame, text, rust)
    except LookupError as missing:
        return {"why": str(missing)}


def found(frame, text, rust):
    keyed = resolved(frame, text) if "[" in text else None
    if keyed is None and not rust:
        keyed = pointed_at(frame, text)
    if keyed is not None:
        return {"show": kept(frame, keyed)}
    if frame.GetValueForVariablePath(text).GetError().Success():
        return {"show": text}
    assigned = assign(frame, text) if rust else write_text(frame, text)
    if assigned is not None:
        return assigned
    alone = resolved(frame, text) if rust or not text.isidentifier() else None
    if alone is not None:
        return {"show": kept(frame, alone)}
    value = None if rust else computed(frame, text)
    if value is None or failed(value):
        other = filled(frame, text)
        if rust or other != text:
            value = computed(frame, other)
    if not failed(value):
        return {"show": value.GetName()} if value.GetName() else {"none": True}
    if value.GetError().GetError() == NO_RESULT:
        return {"none": True}
    return {"why": value.GetError().GetCString() or "no value"}


def pointed_at(frame, text):
    """`*owner` of a reference to a smart pointer, of which LLDB would follow the reference alone."""
    path = re.fullmatch(r"\s*\*\s*(\w.*)", text)
    value = resolved(frame, path.group(1)) if path else None
    if value is None or not value.GetType().IsReferenceType():
        return None
    owner = value.Dereference()
    inner = opened(owner) if SMART.match(name_of(owner)) else None
    return inner if inner is not None and inner.IsValid() else None


def assign(frame, text):
    """`place = value`, of a place that only we find; nothing if it is something else."""
    sides = re.match(r"\s*(.*?[^=!<>+*/%&|^-])\s*=(?!=)\s*(.+)$", text)
    place = sides and resolved(frame, sides.group(1).strip())
    if not place:
        return None
    value = computed(frame, filled(frame, sides.group(2)))
    error = value.GetError()
    if error.Success():
        error = lldb.SBError()
        place.SetValueFromCString(value.GetValue() or "", error)
    return {"show": kept(frame, place)} if error.Success() else {"why": error.GetCString() or "no value"}


def write_text(frame, text):
    """`array = "text"`, which C knows only where the array is declared; nothing if it is something else."""
    sides = re.match(r"\s*(\S.*?)\s*=\s*(\"(?:[^\"\\]|\\.)*\")\s*$", text)
    place = sides and frame.GetValueForVariablePath(sides.group(1))
    kind = place and place.GetType().GetCanonicalType()
    if not kind or not (kind.IsArrayType() or kind.IsPointerType()):
        return None
    if (kind.GetArrayElementType() if kind.IsArrayType() else kind.GetPointeeType()).GetByteSize() != 1:
        return None
    letters = computed(frame, sides.group(2))
    if kind.IsPointerType() and not failed(letters):
        return point_at(frame, place, sides.group(1), letters)
    size, room = letters.GetByteSize(), kind.GetByteSize()
    if failed(letters):
        return {"why": letters.GetError().GetCString() or "no value"}
    if size > room:
        return {"why": f"the text and the zero behind it are {size} bytes, and there is room for {room}"}
    error = lldb.SBError()
    told = letters.GetData().ReadRawData(error, 0, size)
    if error.Success():
        frame.GetThread().GetProcess().WriteMemory(place.GetLoadAddress(), told, error)
    return {"show": sides.group(1)} if error.Success() else {"why": error.GetCString() or "no value"}


def point_at(frame, place, path, letters):
    """The memory that LLDB keeps a text of an expression in is given to the next one: this stays."""
    process, error, size = frame.GetThread().GetProcess(), lldb.SBError(), letters.GetByteSize()
    told = letters.GetData().ReadRawData(error, 0, size)
    readable_writable = 3
    address = process.AllocateMemory(size, readable_writable, error) if error.Success() else 0
    if error.Success():
        process.WriteMemory(address, told, error)
    if error.Success():
        place.SetValueFromCString(str(address), error)
    return {"show": path} if error.Success() else {"why": error.GetCString() or "no value"}


def failed(value):
    return not value.GetError().Success()


def computed(frame, text):
    options = lldb.SBExpressionOptions()
    options.SetAutoApplyFixIts(False)
    options.SetIgnoreBreakpoints(True)
    options.SetUnwindOnError(True)
    options.SetFetchDynamicValue(lldb.eDynamicDontRunTarget)
    return frame.EvaluateExpression(text, options)


def kept(frame, value):
    """A path that LLDB knows it by, or a name of LLDB's own."""
    stream = lldb.SBStream()
    value.GetExpressionPath(stream)
    path = stream.GetData() or ""
    same = frame.GetValueForVariablePath(path) if path else None
    if same is not None and same.GetError().Success() and same.GetLoadAddress() == value.GetLoadAddress():
        return path
    return value.Persist().GetName()


def filled(frame, text):
    """The expression with everything in it that has to be looked up put in."""
    parts, at = [], 0
    while at < len(text):
        skipped = SKIPPED.match(text, at)
        path = None if skipped else PATH.match(text, at)
        if skipped or not path:
            end = skipped.end() if skipped else at + 1
            parts.append(text[at:end])
            at = end
            continue
        called = re.compile(r"\s*\(\s*\)").match(text, path.end())
        word, end = put(frame, path.group(), called is not None, text[path.end() :])
        addressed = re.search(r"(^|[^&])&\s*$", "".join(parts)) and re.match(r"\$|-?[\d(]", word)
        parts.append(path.group() if addressed else word)
        at = (called.end() if called and end else path.end())
    return "".join(parts)


def put(frame, path, called, rest):
    """What stands for a path, and whether that is for the call after it too."""
    if called:
        parts = re.fullmatch(r"(.+?)\s*(\.|->)\s*(\w+)", path)
        owner, sign, method = parts.groups() if parts else ("", "", path)
        value = resolved(frame, owner) if method in SIZES + EMPTIES else None
        count = counted(opened(value) if value is not None and sign == "->" else value)
        if count is None:
            return path, False
        return (str(count) if method in SIZES else str(count == 0).lower()), True
    if re.match(r"\s*[(]", rest):
        return path, False
    value = resolved(frame, path)
    return (path if value is None else literal(value)), False


def counted(value):
    """How many elements a container has; nothing of what is none."""
    if value is None:
        return None
    value = through(value)
    if not value.GetType().GetCanonicalType().IsArrayType() and not CONTAINER.match(name_of(value)):
        return None
    # A text has no elements in LLDB's eyes, but it has a length.
    if re.match(r"std::(__\w+::)?basic_string", name_of(value)):
        return text_length(value.GetNonSyntheticValue())
    if TREE.match(name_of(value)):
        return lldb_library.inside(value, "length").GetValueAsUnsigned()
    return elements(value).GetNumChildren()


def name_of(value):
    return value.GetType().GetCanonicalType().GetUnqualifiedType().GetName() or ""


def text_length(value):
    for name in ("_M_string_length", "_M_len", "__size_"):
        found = value.GetChildMemberWithName(name)
        if found.IsValid() and not failed(found):
            return found.GetValueAsUnsigned()
    return None


def opened(value):
    """What `->` leads to: through a pointer, or an object that stands for one."""
    if SMART.match(name_of(value)):
        return value.GetSyntheticValue().GetChildMemberWithName("$$dereference$$")
    return value


def through(value):
    """What a reference or a pointer leads to, in the view that formatters have of it."""
    value = followed(value)
    return value.GetSyntheticValue() if value.GetSyntheticValue().IsValid() else value


def resolved(frame, path):
    """The value at a path; nothing if there is none."""
    head = re.match(r"\s*(\w+)", path)
    if head is None or not PATH.fullmatch(path.strip()):
        return None
    value = frame.FindVariable(head.group(1))
    if not value.IsValid() or failed(value):
        return None
    rest, at = path.strip(), head.end()
    while at < len(rest):
        step = STEP.match(rest, at)
        if step is None:
            return None
        value = member(value, step.group(1)) if step.group(1) else element(frame, value, step.group(2))
        if value is None or not value.IsValid() or failed(value):
            return None
        at = step.end()
    return value


def member(value, name):
    plain = followed(value)
    for one in (plain.GetSyntheticValue(), plain.GetNonSyntheticValue()):
        for called in (name, f"__{name}"):
            found = one.GetChildMemberWithName(called)
            if found.IsValid():
                return found
    return None


def followed(value):
    for _ in range(6):
        kind = value.GetType().GetCanonicalType()
        if OWNER.match(name_of(value)):
            held = value.GetSyntheticValue().GetChildMemberWithName("value")
            if not held.IsValid():
                return value
            value = held
        elif kind.IsPointerType() or kind.IsReferenceType():
            value = value.Dereference()
        else:
            return value
    return value


def element(frame, value, text):
    number, kind = text.strip(), value.GetType().GetCanonicalType()
    pointed = kind.GetPointeeType().GetCanonicalType()
    plain = kind.IsPointerType() and not pointed.IsArrayType() and pointed.GetTypeClass() != lldb.eTypeClassStruct
    inner = followed(value)
    if not plain and MAP.match(name_of(inner)):
        return entry(frame, through(value), number.removeprefix("&"))
    if not plain and TREE.match(name_of(inner)):
        return lldb_rust_trees.entry(inner, number.removeprefix("&"))
    if not number.isdigit():
        index = resolved(frame, number)
        if index is None:
            return None
        number = str(index.GetValueAsSigned(-1))
    if plain:
        return value.GetValueForExpressionPath(f"[{number}]")
    if kind.IsPointerType() and not CONTAINER.match(name_of(inner)) and not inner.GetType().IsArrayType():
        return None
    # Of any other class its own operator says what that is.
    count = counted(inner)
    if count is None or not number.isdigit():
        return None
    held = elements(through(value))
    if int(number) >= count:
        raise LookupError(f"it has {count} elements: there is no [{number}]")
    return held.GetChildAtIndex(int(number)) if int(number) < held.GetNumChildren() else None


def entry(frame, entries, text):
    """What a map has under a key. Its own way to find that puts in what is not there, and LLDB takes the number of an entry."""
    key = None if re.fullmatch(r"-?\d+|\"[^\"\\]*\"", text) else resolved(frame, text)
    wanted = text if key is None else told(key)
    count = entries.GetNumChildren(MOST_ENTRIES + 1)
    if count > MOST_ENTRIES:
        raise LookupError(f"it has more than {MOST_ENTRIES} entries, too many to look through")
    for at in range(count):
        one = entries.GetChildAtIndex(at)
        pair = [one.GetChildMemberWithName(name) for name in ("first", "second")]
        if not pair[0].IsValid():
            pair = [one.GetChildAtIndex(index) for index in (0, 1)]
        if told(pair[0]) == wanted:
            return pair[1]
    raise LookupError(f"it has no entry for {text}")


def told(key):
    """As it is written in a program."""
    kind = key.GetType().GetCanonicalType()
    flags = kind.GetTypeFlags()
    if flags & lldb.eTypeIsInteger:
        return str(key.GetValueAsSigned() if flags & lldb.eTypeIsSigned else key.GetValueAsUnsigned())
    return key.GetSummary() or key.GetValue()


def elements(value):
    """Of a std::array, which is a structure around an array."""
    if value.GetNumChildren() == 1 and value.GetChildAtIndex(0).GetName() in ("_M_elems", "__elems_"):
        return value.GetChildAtIndex(0)
    return value


def literal(value):
    """A number as it is; anything else under a name of LLDB's own."""
    kind = value.GetType().GetCanonicalType()
    if kind.IsReferenceType():
        value = value.Dereference()
        kind = value.GetType().GetCanonicalType()
    flags, size = kind.GetTypeFlags(), kind.GetByteSize()
    if flags & lldb.eTypeIsInteger and not flags & lldb.eTypeIsPointer and size <= 8:
        long = "L" if size == 8 else ""
        if flags & lldb.eTypeIsSigned:
            number = value.GetValueAsSigned()
            return f"{number}{long}" if number >= 0 else f"(-{-number}{long})" if number > -(1 << 63) else value.Persist().GetName()
        return f"{value.GetValueAsUnsigned()}u{long}"
    return value.Persist().GetName()
