"""Jobs for a few workers, tried again when they fail."""
import asyncio


class Flaky(Exception):
    pass


class Queue:
    def __init__(self, workers, retries=2):
        self.workers = workers
        self.retries = retries
        self.pending = []
        self.results = {}
        self.failed = []
        self.log = []

    def add(self, name, job, priority=0):
        self.pending.append((priority, len(self.pending), name, job))

    def take(self):
        best = max(self.pending, key=lambda one: (one[0], -one[1]))
        self.pending.remove(best)
        return best[2], best[3]

    async def attempt(self, name, job):
        for attempt in range(self.retries + 1):
            try:
                value = await job(attempt)
            except Flaky as error:
                self.log.append(f"{name} {attempt}: {error}")
                continue
            self.results[name] = value
            return True
        self.failed.append(name)
        return False

    async def worker(self):
        count = 0
        while self.pending:
            name, job = self.take()
            done = await self.attempt(name, job)
            if done:
                count += 1
        return count

    async def run(self):
        counts = await asyncio.gather(*[self.worker() for _ in range(self.workers)])
        return sum(counts)


def summary(queue):
    parts = []
    for name in sorted(queue.results):
        parts.append(f"{name}={queue.results[name]}")
    if queue.failed:
        parts.append("failed: " + " ".join(queue.failed))
    return "; ".join(parts)


# driver


def steady(value):
    async def job(attempt):
        await asyncio.sleep(0)
        return value

    return job


def failing(times, value):
    async def job(attempt):
        await asyncio.sleep(0)
        if attempt < times:
            raise Flaky("not yet")
        return value + attempt

    return job


async def scenario():
    queue = Queue(2)
    queue.add("copy", steady(3))
    queue.add("send", failing(2, 10), 5)
    queue.add("sort", steady(8), 5)
    queue.add("lost", failing(9, 1), 1)
    queue.add("last", steady(1))
    done = await queue.run()
    return done, summary(queue), queue.log


def main():
    done, text, log = asyncio.run(scenario())
    print(done, text)
    print(log)


if __name__ == "__main__":
    main()
