/**
 * What Python threads wait for. A thread that waits for a lock runs no Python, so debugpy cannot stop it; but debugpy's own
 * thread can look at the frames of all the others. The question is one expression, evaluated there.
 */
import type { ThreadWait, Waits } from "../thread-waits.ts";

/**
 * Runs in the program, on debugpy's thread; changes nothing in it. A lock is the value of a `with` or the owner of an `acquire`,
 * taken from the source: blocks around the line a thread is in are held, the one it stands on is waited for. Names are looked up,
 * never called.
 */
const INQUIRY = `
import ast, json, linecache, os, re, sys, threading, _thread

LOCKS = (_thread.LockType, _thread.RLock, threading.Condition, threading.Semaphore)
CALLS = {
    "acquire": "for a lock", "wait": "for an event", "wait_for": "for a condition", "join": "for a thread to end",
    "get": "for a queue", "put": "for a queue", "result": "for a future", "recv": "for input", "read": "for input",
    "readline": "for input", "accept": "for a connection", "select": "for something to read or write",
    "sleep": "for time to pass", "input": "for input", "communicate": "for a child process",
}

def look(node, frame):
    if isinstance(node, ast.Name):
        for names in (frame.f_locals, frame.f_globals):
            if node.id in names:
                return names[node.id]
        raise LookupError(node.id)
    if isinstance(node, ast.Attribute):
        owner = look(node.value, frame)
        found = vars(owner).get(node.attr) if hasattr(owner, "__dict__") else None
        return found if found is not None else vars(type(owner)).get(node.attr)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        owner = look(node.value, frame)
        if type(owner) in (dict, list, tuple):
            return owner[node.slice.value]
    raise LookupError(ast.dump(node))

def lock_of(node, frame):
    try:
        value = look(node, frame)
    except Exception:
        return None
    if isinstance(value, threading.Condition):
        value = value._lock
    return value if isinstance(value, LOCKS) else None

def locked(lock):
    return lock._value == 0 if isinstance(lock, threading.Semaphore) else repr(lock).startswith("<locked")

def described(node, lock):
    return {"name": ast.unparse(node), "identity": str(id(lock))}

def owned(ident):
    # By a name that no other thread has: it is how they are told apart.
    alive = threading.enumerate()
    name = next((one.name for one in alive if one.ident == ident), None)
    return {"owner": name} if [one.name for one in alive].count(name) == 1 else {}

def wanted(node, lock):
    owner = re.search(r" owner=([1-9][0-9]*) ", repr(lock))
    return {"what": "for a lock", **described(node, lock), **(owned(int(owner[1])) if owner else {})}

def joined(frame):
    # Above the user's own call.
    while frame is not None and foreign(frame):
        thread = frame.f_locals.get("self")
        if frame.f_code is threading.Thread.join.__code__ and isinstance(thread, threading.Thread):
            return {"identity": "thread %s" % thread.ident, **owned(thread.ident)}
        frame = frame.f_back
    return {}

def function(frame):
    code = frame.f_code
    lines = linecache.getlines(code.co_filename, frame.f_globals)
    tree = ast.parse("".join(lines))
    found = tree
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            if node.lineno <= frame.f_lineno <= (node.end_lineno or 0) and getattr(node, "name", "<lambda>") == code.co_name:
                found = node
    return found

def own(node):
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            yield child
            yield from own(child)

def in_frame(frame, innermost, into):
    line = frame.f_lineno
    taken = {}
    for node in sorted((one for one in own(function(frame)) if hasattr(one, "lineno")), key=lambda one: one.lineno):
        if isinstance(node, ast.With):
            for item in node.items:
                lock = lock_of(item.context_expr, frame)
                if lock is None:
                    continue
                at = item.context_expr.lineno <= line <= (item.context_expr.end_lineno or line)
                if at and innermost and locked(lock):
                    into["waits"] = wanted(item.context_expr, lock)
                elif node.body[0].lineno <= line <= (node.end_lineno or 0):
                    into["holds"].append(described(item.context_expr, lock))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            lock = lock_of(node.func.value, frame)
            if lock is None:
                continue
            if node.func.attr == "acquire" and node.lineno < line:
                taken[id(lock)] = described(node.func.value, lock)
            elif node.func.attr == "release" and node.lineno < line:
                taken.pop(id(lock), None)
            elif node.func.attr == "acquire" and node.lineno <= line <= (node.end_lineno or line) and innermost and locked(lock):
                into["waits"] = wanted(node.func.value, lock)
    into["holds"].extend(taken.values())

def calls_at(frame):
    for node in own(function(frame)):
        if isinstance(node, ast.Call) and node.lineno <= frame.f_lineno <= (node.end_lineno or 0):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in CALLS:
                return {"what": CALLS[name], "name": ast.unparse(node.func.value if isinstance(node.func, ast.Attribute) else node.func)}

def foreign(frame):
    name = frame.f_code.co_filename
    return name.startswith("<") or name.startswith(sys.base_prefix) or "site-packages" in name or "pydevd" in name or "debugpy" in name or "sonde_boot" in name

def loop_of(frame):
    # Only while it waits: a loop that is inside a callback is where that stands.
    if frame.f_code.co_name not in ("select", "poll"):
        return None
    while frame is not None:
        if frame.f_code.co_name == "run_forever" and "asyncio" in frame.f_code.co_filename:
            return frame.f_locals.get("self")
        frame = frame.f_back

def called(frame):
    return getattr(frame.f_code, "co_qualname", frame.f_code.co_name)

def awaited(task, inner):
    waiter = getattr(task, "_fut_waiter", None)
    if hasattr(waiter, "get_name"):
        return "task " + waiter.get_name()
    names = [one.get_name() for one in getattr(waiter, "_children", []) if hasattr(one, "get_name") and not one.done()]
    if names:
        return "tasks " + ", ".join(names[:5]) + (" and %d more" % (len(names) - 5) if len(names) > 5 else "")
    return inner

def task_of(task):
    calls, inner, step = [], None, task.get_coro()
    while step is not None:
        frame = getattr(step, "cr_frame", None) or getattr(step, "gi_frame", None) or getattr(step, "ag_frame", None)
        if frame is None:
            break
        if foreign(frame):
            inner = inner or called(frame)
        else:
            inner = None
            calls.insert(0, {"function": called(frame), "path": os.path.abspath(frame.f_code.co_filename), "line": frame.f_lineno})
        step = getattr(step, "cr_await", None) or getattr(step, "gi_yieldfrom", None) or getattr(step, "ag_await", None)
    said, awaits = {"name": task.get_name(), "frames": calls[:6]}, awaited(task, inner)
    return {**said, "awaits": awaits} if awaits else said

def pending(loop):
    found = []
    for task in sys.modules["asyncio"].all_tasks(loop):
        try:
            found.append(task_of(task))
        except Exception:
            pass
    return sorted(found, key=lambda one: (len(one["name"]), one["name"]))[:100]

answer = []
frames = sys._current_frames()
for thread in threading.enumerate():
    if getattr(thread, "is_pydev_daemon_thread", False) or getattr(thread, "pydev_do_not_trace", False):
        continue
    frame, innermost = frames.get(thread.ident), True
    if frame is None:
        continue
    said = {"thread": thread.name, "holds": []}
    loop = loop_of(frame)
    if loop is not None:
        said["tasks"] = pending(loop)
    first = None
    while frame is not None:
        if not foreign(frame):
            try:
                in_frame(frame, innermost and first is None, said)
                if first is None and "waits" not in said:
                    waits, target = calls_at(frame), joined(frames[thread.ident])
                    if target:
                        waits = {"what": CALLS["join"], **(waits if waits and waits["what"] == CALLS["join"] else {}), **target}
                    if waits:
                        said["waits"] = waits
            except Exception:
                pass
            if first is None:
                first = frame
                said["path"], said["line"] = frame.f_code.co_filename, frame.f_lineno
        else:
            innermost = innermost and first is None and frame.f_code.co_name not in ("run",)
        frame = frame.f_back
    if loop is not None:
        said["waits"] = {"what": "in its event loop"}
    mine = said.get("waits", {}).get("identity")
    said["holds"] = [one for one in said["holds"] if one["identity"] != mine]
    answer.append(said)
answer = json.dumps(answer).encode().hex()
`;

export const pythonWaits: Waits = {
  calls: [],
  inquiry: {
    expression: `(lambda space: (exec(${JSON.stringify(INQUIRY)}, space), space["answer"])[1])({"__name__": "sonde"})`,
    read: (answer) => {
      const hex = /^'?([0-9a-f]+)'?$/.exec(answer.trim())?.[1];
      return hex === undefined ? [] : (JSON.parse(Buffer.from(hex, "hex").toString("utf8")) as ThreadWait[]);
    },
  },
};
