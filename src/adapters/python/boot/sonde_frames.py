"""The stack of an exception: pydevd has a frame that raised again what it had caught in it twice, both times at the line of the later raise."""


def adapt():
    from _pydevd_bundle.pydevd_frame_utils import FramesList

    made, add = FramesList.__init__, FramesList.append

    # pydevd asks for this very class. It is filled from within outward.
    def __init__(self):
        made(self)
        self.frame_id_to_lineno = First()
        self.frame_id_to_line_col_info = First()

    def append(self, frame):
        if not self._frames or self._frames[-1] is not frame:
            add(self, frame)

    FramesList.__init__, FramesList.append = __init__, append


class First(dict):
    """The innermost line of a frame is the one that called the frame inside."""

    def __setitem__(self, key, value):
        self.setdefault(key, value)
