"""What functions are called where Python itself does not say, and which variables a line names."""
import dis


def qualified_names(path):
    """Names with their classes, for Pythons whose code objects do not know them: by name and first line, decorators included."""
    import ast

    found = {}

    def visit(node, prefix):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                name = prefix + child.name
                first = min([child.lineno] + [one.lineno for one in child.decorator_list])
                found[(child.name, first)] = name
                visit(child, name + ".")
            elif isinstance(child, ast.Lambda):
                found[("<lambda>", child.lineno)] = prefix + "<lambda>"
                visit(child, prefix)
            else:
                visit(child, prefix)

    try:
        with open(path, "rb") as file:
            visit(ast.parse(file.read()), "")
    except (OSError, SyntaxError, ValueError):
        pass  # the bare names serve
    return found


_VARIABLE = ("FAST", "NAME", "GLOBAL", "DEREF", "CLOSURE")
_ARGS, _KEYWORDS = 0x4, 0x8


def variables_by_line(code):
    lines = dict(dis.findlinestarts(code))
    found, line = {}, None
    for one in dis.get_instructions(code):
        line = lines.get(one.offset, line)
        if any(kind in one.opname for kind in _VARIABLE):
            names = one.argval if type(one.argval) is tuple else (one.argval,)
            found.setdefault(line, set()).update(name for name in names if type(name) is str)
    return found


def argument_names(code):
    """As they are written: what `*` and `**` take stands last in a code object."""
    plain, keyword = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    names = code.co_varnames
    more = names[keyword : keyword + 1] if code.co_flags & _ARGS else ()
    end = keyword + len(more)
    rest = names[end : end + 1] if code.co_flags & _KEYWORDS else ()
    return names[:plain] + more + names[plain:keyword] + rest
