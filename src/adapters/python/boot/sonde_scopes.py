"""Which variables of a frame are its arguments: pydevd tells only its locals."""

import inspect

ARGUMENTS = "sondeArguments"


def adapt():
    from _pydevd_bundle import pydevd_process_net_command_json as processor

    kind, made = processor.PyDevJsonCommandProcessor, processor.Scope
    answer = kind.on_scopes_request
    names = []

    def on_scopes_request(self, py_db, request):
        names[:] = arguments_of(py_db, request.arguments.frameId)
        return answer(self, py_db, request)

    def scope(name, *args, **named):
        return made(name, *args, **named, **({ARGUMENTS: list(names)} if name == "Locals" else {}))

    kind.on_scopes_request = on_scopes_request
    processor.Scope = scope


def arguments_of(py_db, frame_id):
    """Whatever fails here must not fail the request: pydevd's reader would end, and the program run on."""
    try:
        code = py_db.suspended_frames_manager.get_variable(int(frame_id)).frame.f_code
        count = code.co_argcount + code.co_kwonlyargcount
        for flag in (inspect.CO_VARARGS, inspect.CO_VARKEYWORDS):
            count += 1 if code.co_flags & flag else 0
        # What a comprehension goes through has a name that nobody wrote.
        return [name for name in code.co_varnames[:count] if not name.startswith(".")]
    except Exception:  # a frame that has gone, or one that pydevd made up: of an exception's cause, of a template
        return []
