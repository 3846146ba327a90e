"""What keeps a debugged program answering: see each part."""


def adapt():
    pass
