from store import COUNTS, Cache, scenario


def test_what_is_seen_and_sold():
    shop, seen, sold, counts = scenario()
    assert seen == [5, 5, 9, 2, 5, 1, 1, 0, 0, 3, 0, 0, 0]
    assert sold == [2, 0, 9, 1]
    assert counts == COUNTS


def test_reads():
    shop, *_ = scenario()
    assert (shop.cache.hits, shop.cache.misses, shop.stock.reads) == (6, 7, 10)


def test_best():
    shop, *_ = scenario()
    assert shop.best(2) == ["rice", "tea"]


def test_age():
    cache = Cache(2, 3)
    cache.put("a", 1, 0)
    assert cache.get("a", 3) == 1
    assert cache.get("a", 4) is None
