"""What a function has given back. LLDB looks for every small object in registers; one that the program's own code copies, moves or destroys
is returned in memory, whatever its size, and the registers hold anything."""

import json

import lldb
import lldb_evaluate

# Larger ones are always returned in memory, where LLDB looks for them.
IN_REGISTERS = 16
DEEPEST = 8
# Copied like its parts, though it says so itself.
PLAIN = "std::pair<"


def known(frame_id):
    """Says whether what LLDB shows as the value of a thread's last call is that value."""
    value = lldb_evaluate.frame_of(frame_id).GetThread().GetStopReturnValue()
    print("sonde " + json.dumps(not value.IsValid() or is_known(value.GetType())))


def is_known(kind):
    return kind.GetByteSize() > IN_REGISTERS or not is_looked_after(kind)


def is_looked_after(kind, deep=0):
    """It has a copy constructor, a destructor or the like, or a part has one. One that is only declared to be the usual one does no harm, but
    that is not told."""
    real = kind.GetCanonicalType().GetUnqualifiedType()
    while real.IsArrayType():
        real = real.GetArrayElementType().GetCanonicalType().GetUnqualifiedType()
    if real.GetTypeClass() not in (lldb.eTypeClassClass, lldb.eTypeClassStruct, lldb.eTypeClassUnion) or deep > DEEPEST:
        return False
    if real.IsPolymorphicClass():
        return True
    parts = [real.GetFieldAtIndex(at) for at in range(real.GetNumberOfFields())]
    if not (real.GetName() or "").startswith(PLAIN):
        if real.GetNumberOfVirtualBaseClasses() > 0 or any(is_looking_after(real, one) for one in members_of(real)):
            return True
        parts += [real.GetDirectBaseClassAtIndex(at) for at in range(real.GetNumberOfDirectBaseClasses())]
    return any(is_looked_after(one.GetType(), deep + 1) for one in parts)


def members_of(kind):
    return [kind.GetMemberFunctionAtIndex(at) for at in range(kind.GetNumberOfMemberFunctions())]


def is_looking_after(kind, function):
    if function.GetKind() == lldb.eMemberFunctionKindDestructor:
        return True
    if function.GetKind() != lldb.eMemberFunctionKindConstructor or function.GetNumberOfArguments() != 1:
        return False
    given = function.GetArgumentTypeAtIndex(0)
    return given.IsReferenceType() and given.GetDereferencedType().GetUnqualifiedType() == kind
