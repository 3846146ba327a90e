"""Shortest ways, order of work and islands in a small graph."""
import heapq


def shortest(graph, start):
    dist = {start: 0}
    before = {}
    heap = [(0, start)]
    while heap:
        d, node = heapq.heappop(heap)
        if d > dist[node]:
            continue
        for other, length in graph[node].items():
            far = d + length
            if other not in dist or far < dist[other]:
                dist[other] = far
                before[other] = node
                heapq.heappush(heap, (far, other))
    return dist, before


def way(before, start, goal):
    path = [goal]
    while path[-1] != start:
        path.append(before[path[-1]])
    path.reverse()
    return path


def order(needs):
    left = {name: set(before) for name, before in needs.items()}
    done = []
    while left:
        ready = sorted(name for name, before in left.items() if not before)
        if not ready:
            raise ValueError("a circle: " + ", ".join(sorted(left)))
        first = ready[0]
        done.append(first)
        del left[first]
        for before in left.values():
            before.discard(first)
    return done


def islands(grid):
    rows, columns = len(grid), len(grid[0])
    seen = set()
    sizes = []
    for r in range(rows):
        for c in range(columns):
            if grid[r][c] != "#" or (r, c) in seen:
                continue
            sizes.append(flood(grid, r, c, seen))
    return sorted(sizes, reverse=True)


def flood(grid, r, c, seen):
    stack = [(r, c)]
    seen.add((r, c))
    size = 0
    while stack:
        y, x = stack.pop()
        size += 1
        for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            ny, nx = y + dy, x + dx
            if ny < 0 or nx < 0 or ny >= len(grid) or nx >= len(grid[0]):
                continue
            if grid[ny][nx] == "#" and (ny, nx) not in seen:
                seen.add((ny, nx))
                stack.append((ny, nx))
    return size


# driver

ROADS = {
    "a": {"b": 7, "c": 3},
    "b": {"d": 2, "a": 7},
    "c": {"b": 1, "d": 8, "a": 3},
    "d": {"e": 4},
    "e": {},
}
NEEDS = {"ship": ["test", "sign"], "test": ["build"], "build": ["fetch"], "sign": ["build"], "fetch": []}
GRID = ["##..#", "#..##", "..#..", "##.##"]


def main():
    dist, before = shortest(ROADS, "a")
    print(dist)
    print(way(before, "a", "e"))
    print(order(NEEDS))
    print(islands(GRID))


if __name__ == "__main__":
    main()
