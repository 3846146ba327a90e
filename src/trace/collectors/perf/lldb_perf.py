"""What a program's debug information says, asked of LLDB: one JSON object a line on file descriptor 3, one back for each."""

import json
import os

import lldb

CHANNEL = 3
INTS = {
    lldb.eBasicTypeShort: True,
    lldb.eBasicTypeUnsignedShort: False,
    lldb.eBasicTypeInt: True,
    lldb.eBasicTypeUnsignedInt: False,
    lldb.eBasicTypeLong: True,
    lldb.eBasicTypeUnsignedLong: False,
    lldb.eBasicTypeLongLong: True,
    lldb.eBasicTypeUnsignedLongLong: False,
}
# A plain `char` may be any of these to LLDB. That is a letter, the others are numbers, and all are text where a pointer leads to them.
SIGNED = (lldb.eBasicTypeChar, lldb.eBasicTypeSignedChar)
CHARS = (*SIGNED, lldb.eBasicTypeUnsignedChar)


class Unfit(Exception):
    """It has a value, but not one that a probe can fetch and we can print as LLDB does."""


class Missing(Exception):
    """LLDB has no value for it either."""


def plain(kind):
    return kind.GetCanonicalType().GetUnqualifiedType()


class Program:
    def __init__(self, debugger, path, rust):
        self.path = path
        self.target = debugger.CreateTarget(path)
        self.rust = rust
        self.modules = {}

    def module(self, path):
        if path not in self.modules:
            found = self.target.FindModule(lldb.SBFileSpec(path, False))
            self.modules[path] = found if found.IsValid() else self.target.AddModule(path, None, None)
        return self.modules[path]

    # Places

    def place(self, asked):
        return [self.location(one, asked["paths"]) for one in asked["spots"]]

    def location(self, spot, paths):
        address = self.module(self.path).ResolveFileAddress(spot["address"])
        section = address.GetSection()
        return {
            "offset": section.GetFileOffset() + address.GetOffset(),
            "leaves": [self.leaf(address, one, spot["names"]) for one in paths],
        }

    # Values

    def leaf(self, address, path, names):
        try:
            return self.walk(address, path, names.get(path["root"], {"local": False}))
        except Missing:
            return {"missing": True}
        except Unfit as why:
            return {"unfit": str(why)}

    def walk(self, address, path, meaning):
        steps = list(path["steps"])
        if "unsure" in meaning:
            raise Missing()
        root = self.root(address, path["root"], meaning)
        if root is None:
            this = self.local(address, "this")
            if this is None or not members(this.GetType().GetPointeeType(), path["root"]):
                raise self.unknown(path["root"])
            root = this
            steps.insert(0, {"op": "->", "name": path["root"]})
        kind, hops = root.GetType(), [0]
        for step in steps:
            kind = follow(kind, step, hops)
        answer = {"root": root.GetName(), "hops": hops, "type": self.described(kind)}
        if "line" not in meaning and root.GetValueType() in (lldb.eValueTypeVariableGlobal, lldb.eValueTypeVariableStatic):
            answer["global"] = root.GetAddress().GetFileAddress()
        return answer

    def root(self, address, name, meaning):
        """The variable that the source means, if LLDB knows it there too."""
        if "line" in meaning:
            found = self.local(address, name, meaning["line"])
            if found is None:
                raise Unfit(f"LLDB does not have the {name} that is meant")
            return found
        found = self.target.FindGlobalVariables(name, 2)
        if found.GetSize() > 1:
            raise Unfit(f"there is more than one {name}")
        return found.GetValueAtIndex(0) if found.GetSize() == 1 else None

    def local(self, address, name, line=None):
        block = address.GetBlock()
        while block.IsValid():
            for one in block.GetVariables(self.target, True, True, True):
                if one.GetName() == name and line in (None, one.GetDeclaration().GetLine()):
                    return one
            # What is around an inlined function belongs to another frame.
            block = lldb.SBBlock() if block.IsInlined() else block.GetParent()
        return None

    def unknown(self, name):
        """What is neither a variable nor any other name that an expression could mean has no value."""
        target = self.target
        known = (
            target.FindFunctions(name).GetSize() > 0
            or target.FindSymbols(name).GetSize() > 0
            or target.FindFirstType(name).IsValid()
        )
        return Unfit(f"{name} is no variable") if known else Missing()

    def described(self, kind):
        if self.rust:
            return rust_described(plain(kind))
        return described(plain(kind))

    # Code addresses

    def frames(self, path, address, back):
        """The functions there, the innermost first: those that were inlined have no frame of their own."""
        module = self.module(path)
        resolved = module.ResolveFileAddress(address - back)
        context = module.ResolveSymbolContextForAddress(resolved, lldb.eSymbolContextEverything)
        entry = context.GetLineEntry()
        file, line = entry.GetFileSpec(), entry.GetLine()
        told = []
        inlined = context.GetBlock().GetContainingInlinedBlock()
        while inlined.IsValid():
            told.append(frame(inlined.GetInlinedName(), file, line))
            file, line = inlined.GetInlinedCallSiteFile(), inlined.GetInlinedCallSiteLine()
            inlined = inlined.GetParent().GetContainingInlinedBlock()
        function, symbol = context.GetFunction(), context.GetSymbol()
        name = function.GetDisplayName() if function.IsValid() else symbol.GetDisplayName()
        optimised = " [opt]" if function.IsValid() and function.GetIsOptimized() else ""
        told.append(frame((name or hex(address)) + optimised, file, line))
        return told


def frame(name, file, line):
    path = file.fullpath if file.IsValid() else None
    return {"function": name, "path": path, "line": line if path else 0}


def pointee(kind):
    kind = kind.GetCanonicalType()
    if not (kind.IsPointerType() or kind.IsReferenceType()):
        raise Unfit("it is no pointer")
    return kind.GetPointeeType() if kind.IsPointerType() else kind.GetDereferencedType()


def members(kind, name):
    """The member's type and offset, also of a base class or an unnamed member."""
    kind = kind.GetCanonicalType()
    for at in range(kind.GetNumberOfFields()):
        field = kind.GetFieldAtIndex(at)
        if field.GetName() == name:
            if field.IsBitfield():
                raise Unfit(f"{name} is a bit field")
            return field.GetType(), field.GetOffsetInBytes()
        if not field.GetName():
            inner = members(field.GetType(), name)
            if inner:
                return inner[0], inner[1] + field.GetOffsetInBytes()
    for at in range(kind.GetNumberOfDirectBaseClasses()):
        base = kind.GetDirectBaseClassAtIndex(at)
        inner = members(base.GetType(), name)
        if inner:
            if kind.GetNumberOfVirtualBaseClasses() > 0:
                raise Unfit("it has a virtual base class")
            return inner[0], inner[1] + base.GetOffsetInBytes()
    return None


def follow(kind, step, hops):
    """One step along a path: `hops` are the offsets between the pointers that are followed."""
    op = step["op"]
    if plain(kind).IsReferenceType():
        kind = pointee(kind)
        hops.append(0)
    if op in ("->", "*"):
        kind = pointee(kind)
        hops.append(0)
    if op == "*":
        return kind
    if op == "[]":
        kind = plain(kind)
        if kind.IsArrayType():
            element = kind.GetArrayElementType()
        else:
            element = pointee(kind)
            hops.append(0)
        if element.GetByteSize() == 0:
            raise Unfit("its elements have no size")
        hops[-1] += step["index"] * element.GetByteSize()
        return element
    structure = plain(kind)
    if not structure.GetTypeClass() & (lldb.eTypeClassStruct | lldb.eTypeClassClass | lldb.eTypeClassUnion):
        raise Unfit("it has no members")
    found = members(structure, step["name"])
    if found is None:
        if structure.GetNumberOfMemberFunctions() > 0:
            raise Unfit(f"{step['name']} is no variable in it")
        raise Missing()
    hops[-1] += found[1]
    return found[0]


def described(kind):
    basic, size = kind.GetBasicType(), kind.GetByteSize()
    if basic in INTS:
        return {"kind": "int", "size": size, "signed": INTS[basic]}
    if basic == lldb.eBasicTypeBool:
        return {"kind": "bool", "size": size}
    if basic in CHARS and kind.GetName() == "char":
        return {"kind": "char", "size": 1, "signed": basic in SIGNED}
    if basic in CHARS:
        return {"kind": "int", "size": 1, "signed": basic in SIGNED}
    if kind.GetTypeClass() == lldb.eTypeClassEnumeration:
        return enumeration(kind)
    if kind.IsPointerType():
        return pointer(kind.GetPointeeType())
    raise Unfit(f"a probe cannot fetch a {kind.GetName()}")


def rust_described(kind):
    basic, size = kind.GetBasicType(), kind.GetByteSize()
    if basic in INTS:
        return {"kind": "int", "size": size, "signed": INTS[basic]}
    if basic == lldb.eBasicTypeUnsignedChar:
        return {"kind": "int", "size": 1, "signed": False}
    if basic == lldb.eBasicTypeBool:
        return {"kind": "bool", "size": size}
    raise Unfit(f"a probe cannot fetch a {kind.GetName()}")


def enumeration(kind):
    basic = plain(kind.GetEnumerationIntegerType()).GetBasicType()
    if basic not in INTS:
        raise Unfit("its enumeration is of bytes")
    signed = INTS[basic]
    members = [
        [one.GetName(), str(one.GetValueAsSigned() if signed else one.GetValueAsUnsigned())]
        for one in kind.GetEnumMembers()
    ]
    return {"kind": "enum", "size": kind.GetByteSize(), "signed": signed, "members": members}


def pointer(to):
    target = plain(to)
    if target.GetBasicType() in CHARS:
        return {"kind": "text"}
    if target.GetBasicType() == lldb.eBasicTypeVoid:
        return {"kind": "address"}
    # Its summary goes by the name of the type.
    if to.GetUnqualifiedType().GetName() == target.GetName() and target.GetBasicType() in (
        *INTS,
        lldb.eBasicTypeBool,
    ):
        return {"kind": "arrow", "to": described(target)}
    return {"kind": "opaque", "why": f"what a {to.GetName()} * points to is shown with it"}


def answer(program, request):
    if "points" in request:
        return [program.place(one) for one in request["points"]]
    return [program.frames(*one) for one in request["frames"]]


def serve(debugger, command, result, internal):
    program = None
    with os.fdopen(CHANNEL, "rb", buffering=1 << 16, closefd=False) as questions:
        for line in questions:
            request = json.loads(line)
            try:
                if program is None:
                    program = Program(debugger, request["program"], request["rust"])
                said = {"ok": answer(program, request)}
            except Exception as error:  # told to the other side, whose question it was
                said = {"error": f"{type(error).__name__}: {error}"}
            data = (json.dumps(said) + "\n").encode()
            while data:
                data = data[os.write(CHANNEL, data) :]
    # LLDB's own farewell would wait for a session that never began.
    os._exit(0)


def __lldb_init_module(debugger, internal):
    serve(debugger, None, None, internal)
