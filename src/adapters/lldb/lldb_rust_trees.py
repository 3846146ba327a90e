"""What is in Rust's `BTreeMap` and `BTreeSet`, in their order.

A tree has a root node and its height. A node is a leaf with up to eleven keys and values; one that is not at the bottom has, right behind
that, a pointer to a node before each key and one behind the last.
"""

import re

import lldb
import lldb_values

MOST_KEYS = 11
HIGHEST = 30
POINTER = 8


def find(value, pattern, depth=6):
    """The first thing in a value whose type is called so."""
    value = value.GetNonSyntheticValue()
    if re.match(pattern, value.GetType().GetName() or ""):
        return value
    if depth == 0:
        return None
    for at in range(value.GetNumChildren()):
        found = find(value.GetChildAtIndex(at), pattern, depth - 1)
        if found is not None:
            return found
    return None


def offsets(kind):
    return {field.name: field.GetOffsetInBytes() for field in kind.fields}


class Tree:
    """LLDB asks it for the elements: those of a map are its values, called by their keys."""

    def __init__(self, value, _internal):
        self.value = value
        self.update()

    def update(self):
        self.length, self.found, self.places = 0, [], iter(())
        whole = find(self.value, r"alloc::collections::btree::map::BTreeMap<", 1)
        if whole is None:
            return False
        self.is_set = whole.GetType().GetName() != self.value.GetNonSyntheticValue().GetType().GetName()
        self.key, self.held = (whole.GetType().GetTemplateArgumentType(at) for at in (0, 1))
        length = whole.GetChildMemberWithName("length").GetValueAsUnsigned()
        root = find(whole.GetChildMemberWithName("root"), r"alloc::collections::btree::node::NodeRef<")
        if length == 0 or root is None:
            return False
        pointer = find(root.GetChildMemberWithName("node"), r".* \*$")
        if pointer is None:
            return False
        leaf = pointer.GetType().GetPointeeType()
        self.at, self.size = offsets(leaf), leaf.GetByteSize()
        if not {"len", "keys", "vals"} <= self.at.keys() or self.size == 0:
            return False
        self.length = length
        height = root.GetChildMemberWithName("height").GetValueAsUnsigned(HIGHEST + 1)
        self.places = self.walk(pointer.GetValueAsUnsigned(), height)
        return False

    def number(self, place, size):
        error = lldb.SBError()
        read = self.value.GetProcess().ReadUnsignedFromMemory(place, size, error)
        if not error.Success():
            raise LookupError("no memory there")
        return read

    def walk(self, node, height):
        """Each key's node and number in it. What does not look like a tree ends it: a value that does not live yet."""
        if height > HIGHEST:
            raise LookupError("no tree")
        count = self.number(node + self.at["len"], 2)
        if count > MOST_KEYS:
            raise LookupError("no node")
        for at in range(count + 1):
            if height > 0:
                yield from self.walk(self.number(node + self.size + POINTER * at, POINTER), height - 1)
            if at < count:
                yield node, at

    def place(self, index):
        while len(self.found) <= index:
            try:
                self.found.append(next(self.places))
            except (LookupError, StopIteration):
                return None
        return self.found[index]

    def element(self, name, index, array, kind):
        node, at = self.found[index]
        place = node + self.at[array] + at * kind.GetByteSize()
        return self.value.CreateValueFromAddress(name, place, kind)

    def num_children(self, *_most):
        return self.length

    def has_children(self):
        return True

    def get_child_index(self, _name):
        return -1

    def get_child_at_index(self, index):
        if not 0 <= index < self.length or self.place(index) is None:
            return None
        if self.is_set:
            return self.element(f"[{index}]", index, "keys", self.key)
        key = self.element("key", index, "keys", self.key)
        return self.element(f"[{lldb_values.brief(key)}]", index, "vals", self.held)


def summary(value, _internal):
    """`size=2 {1: "one", 2: "two"}`, `size=2 {1, 2}`"""
    tree = Tree(lldb_values.followed(value).GetNonSyntheticValue(), None)
    if tree.length == 0:
        return "size=0"
    told = [tree.get_child_at_index(at) for at in range(min(tree.length, lldb_values.MOST))]
    if None in told:
        return "<not initialised>"
    names = ["" if tree.is_set else f"{one.GetName()[1:-1]}: " for one in told]
    more = ["…"] if tree.length > len(told) else []
    shown = [name + lldb_values.brief(one) for name, one in zip(names, told)]
    return f"size={tree.length} {{{', '.join(shown + more)}}}"


def entry(tree, key):
    """Of a map, by a key that is written as it is shown."""
    is_set = tree.GetType().GetName().startswith("alloc::collections::btree::set::")
    if is_set or not re.match(r'-?\d+$|".*"$', key):
        raise LookupError("entries of a B-tree are found by a number or a text; print it whole to see them by their keys")
    made = tree.GetSyntheticValue()
    for at in range(made.GetNumChildren()):
        one = made.GetChildAtIndex(at)
        if one.GetName() == f"[{key}]":
            return one
    raise LookupError(f"it has no entry for {key}")
