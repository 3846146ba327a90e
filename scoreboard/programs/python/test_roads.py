import pytest
from roads import GRID, NEEDS, ROADS, islands, order, shortest, way


def test_shortest():
    dist, before = shortest(ROADS, "a")
    assert dist == {"a": 0, "b": 4, "c": 3, "d": 6, "e": 10}
    assert way(before, "a", "e") == ["a", "c", "b", "d", "e"]


def test_order():
    assert order(NEEDS) == ["fetch", "build", "sign", "test", "ship"]
    with pytest.raises(ValueError):
        order({"a": ["b"], "b": ["a"]})


def test_islands():
    assert islands(GRID) == [3, 3, 2, 2, 1]
