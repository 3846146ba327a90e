"""Which sensor reported last? Expected: "cellar 11.7". It prints something else."""

from dataclasses import dataclass

LOG = """
cellar  8:50 11.5
attic   9:40 24.0
cellar 10:15 11.7
"""


@dataclass
class Reading:
    sensor: str
    time: str
    celsius: float


def parse(text):
    for line in text.strip().splitlines():
        sensor, time, celsius = line.split()
        yield Reading(sensor, time, float(celsius))


def latest(readings):
    newest = None
    for reading in readings:
        if newest is None or reading.time > newest.time:
            newest = reading
    return newest


if __name__ == "__main__":
    last = latest(parse(LOG))
    print(last.sensor, last.celsius)
