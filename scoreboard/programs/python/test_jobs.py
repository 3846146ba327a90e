import asyncio

from jobs import Queue, failing, scenario, steady, summary


def test_all_but_the_lost_one_are_done():
    done, text, log = asyncio.run(scenario())
    assert done == 4
    assert text == "copy=3; last=1; send=12; sort=8; failed: lost"
    assert log == ["send 0: not yet", "send 1: not yet", "lost 0: not yet", "lost 1: not yet", "lost 2: not yet"]


def test_priority():
    queue = Queue(1)
    queue.add("a", steady(1), 1)
    queue.add("b", failing(1, 1), 3)
    queue.add("c", steady(1), 3)
    assert [queue.take()[0] for _ in range(3)] == ["b", "c", "a"]


def test_summary():
    queue = Queue(1)
    queue.results = {"b": 2, "a": 1}
    assert summary(queue) == "a=1; b=2"
