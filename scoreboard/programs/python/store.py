"""A cache with a size and an age, and a shop's stock behind it."""


class Cache:
    def __init__(self, size, age):
        self.size = size
        self.age = age
        self.entries = {}
        self.hits = 0
        self.misses = 0

    def get(self, key, now):
        entry = self.entries.get(key)
        if entry is None or now - entry[1] > self.age:
            self.misses += 1
            return None
        self.hits += 1
        self.entries[key] = self.entries.pop(key)
        return entry[0]

    def put(self, key, value, now):
        self.entries.pop(key, None)
        while len(self.entries) >= self.size:
            oldest = next(iter(self.entries))
            del self.entries[oldest]
        self.entries[key] = (value, now)


class Stock:
    def __init__(self, counts):
        self.counts = counts.copy()
        self.reads = 0

    def read(self, name):
        self.reads += 1
        return self.counts.get(name, 0)

    def sell(self, name, count):
        have = self.counts.get(name, 0)
        if count > have:
            return False
        self.counts[name] = have - count
        if self.counts[name] == 0:
            del self.counts[name]
        return True


class Shop:
    def __init__(self, stock, cache):
        self.stock = stock
        self.cache = cache
        self.clock = 0
        self.sold = {}

    def available(self, name):
        self.clock += 1
        known = self.cache.get(name, self.clock)
        if known is not None:
            return known
        count = self.stock.read(name)
        self.cache.put(name, count, self.clock)
        return count

    def order(self, name, count):
        if not self.stock.sell(name, count):
            return 0
        self.sold[name] = self.sold.get(name, 0) + count
        self.cache.put(name, self.stock.read(name), self.clock)
        return count

    def best(self, most):
        ranked = sorted(self.sold.items(), key=lambda item: (-item[1], item[0]))
        return [name for name, _ in ranked[:most]]


# driver

COUNTS = {"tea": 5, "salt": 2, "rice": 9, "oil": 1}


def scenario():
    counts = dict(COUNTS)
    shop = Shop(Stock(counts), Cache(2, 3))
    seen = [shop.available(name) for name in ("tea", "tea", "rice", "salt", "tea", "oil", "oil")]
    sold = [shop.order("tea", 2), shop.order("salt", 3), shop.order("rice", 9), shop.order("oil", 1)]
    seen += [shop.available(name) for name in ("rice", "oil", "tea", "oil", "oil", "oil")]
    return shop, seen, sold, counts


def main():
    shop, seen, sold, counts = scenario()
    print(seen, sold)
    print(shop.cache.hits, shop.cache.misses, shop.stock.reads)
    print(shop.best(2), sorted(shop.stock.counts.items()), counts)


if __name__ == "__main__":
    main()
