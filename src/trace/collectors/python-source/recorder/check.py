"""
Asked before a run, of the Python that will run the program: whether expressions are code, and which lines of the files have any.
Reads one JSON object on standard input, answers with one.
"""
import json
import sys
import types
import warnings
from dis import findlinestarts


def problem(text):
    try:
        compile(text, "<expression>", "eval", dont_inherit=True)
    except SyntaxError as error:
        return error.msg or "invalid syntax"
    except (ValueError, MemoryError, RecursionError) as error:
        return str(error) or type(error).__name__
    return None


def lines_of(code):
    found = {line for _, line in findlinestarts(code) if line}
    for one in code.co_consts:
        if isinstance(one, types.CodeType):
            found |= lines_of(one)
    return found


def file(path, optimize):
    try:
        with open(path, "rb") as source:
            code = compile(source.read(), path, "exec", dont_inherit=True, optimize=optimize)
    except OSError as error:
        return {"problem": error.strerror or str(error)}
    except SyntaxError as error:
        return {"problem": "it is not Python: %s (line %s)" % (error.msg, error.lineno)}
    except (ValueError, MemoryError, RecursionError) as error:
        return {"problem": "it is not Python: %s" % error}
    return {"lines": sorted(lines_of(code))}


def main():
    asked = json.load(sys.stdin)
    warnings.simplefilter("ignore")
    answer = {
        "expressions": [problem(text) for text in asked["expressions"]],
        "files": [file(path, asked["optimize"]) for path in asked["files"]],
    }
    json.dump(answer, sys.stdout)


main()
