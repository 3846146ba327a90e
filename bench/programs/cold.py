"""A line that is never reached, in a function that is called all the time."""
import time


def step(total, i):
    if i < 0:
        total = 0  # @marker stop
    return total + i % 7


def work(count):
    total = 0
    for i in range(count):
        total = step(total, i)
    return total


began = time.perf_counter()
work(3_000_000)
print("took %.1f ms" % ((time.perf_counter() - began) * 1000))
