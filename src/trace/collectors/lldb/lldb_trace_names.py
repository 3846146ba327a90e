"""What an expression's names mean at a place: the variables that the source means, which are not always those that LLDB would take."""

import re

import lldb

NAME = re.compile(r"(?<![\w.])(?<!->)[A-Za-z_]\w*")
QUOTED = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'')
PATH = re.compile(r"^\s*[A-Za-z_]\w*(?:(?:\.|->)\w+|\[\d+\])*\s*$")
STEP = re.compile(r"(?:\.|->)(\w+)|\[(\d+)\]")
LOCALS = (lldb.eValueTypeVariableLocal, lldb.eValueTypeVariableArgument, lldb.eValueTypeVariableStatic)

# LLDB means the same by it; it must be looked up by us; it has no value.
PLAIN, OURS, NONE = "plain", "ours", "none"


class Names:
    """Of one place; what was found out once holds for every hit."""

    def __init__(self, spot, rust):
        self.meanings = spot["names"]
        self.relocated = set(spot["relocated"])
        self.rust = rust
        self.known = {}

    def way(self, frame, expression):
        found = self.known.get(expression)
        if found is None:
            found = self.known[expression] = self.find_way(frame, expression)
        return found

    def find_way(self, frame, expression):
        agreed = True
        for name in set(NAME.findall(QUOTED.sub("", expression))):
            meaning = self.meanings.get(name, {"local": False})
            if "unsure" in meaning or name in self.relocated:
                return NONE
            agreed = agreed and self.agrees(frame, name, meaning)
        is_path = PATH.match(expression) is not None
        if agreed and not (self.rust and is_path):
            return PLAIN
        return OURS if is_path else NONE

    def agrees(self, frame, name, meaning):
        found = frame.FindVariable(name, lldb.eNoDynamicValues)
        if "line" in meaning:
            # Without a value LLDB does not tell of it, and would take another of that name.
            return found.IsValid() and found.GetDeclaration().GetLine() == meaning["line"]
        return not found.IsValid() or found.GetValueType() not in LOCALS or found.GetValueType() == lldb.eValueTypeVariableStatic

    def value(self, frame, expression):
        """Along the path from the variable that is meant; None where there is none."""
        name = NAME.match(expression.strip()).group()
        value = self.root(frame, name)
        for member, index in STEP.findall(expression.strip()[len(name) :]):
            if value is None:
                return None
            value = self.step(value, member, index)
        if value is None or not value.IsValid() or value.GetError().Fail():
            return None
        return value

    def root(self, frame, name):
        meaning = self.meanings.get(name, {"local": False})
        if "line" in meaning:
            for one in frame.GetVariables(True, True, True, True):
                if one.GetName() == name and one.GetDeclaration().GetLine() == meaning["line"]:
                    return one
            return None
        found = frame.FindValue(name, lldb.eValueTypeVariableGlobal)
        return found if found.IsValid() else None

    def step(self, value, member, index):
        while value.GetType().IsReferenceType() or (self.rust and value.GetType().IsPointerType() and not index):
            value = value.Dereference()
        if member and value.GetType().IsPointerType():
            value = value.Dereference()
        if member:
            raw = value.GetNonSyntheticValue()
            found = raw.GetChildMemberWithName(f"__{member}" if member.isdigit() else member)
            return found if found.IsValid() else None
        found = value.GetValueForExpressionPath(f"[{index}]")
        return found if found.IsValid() and found.GetError().Success() else None
