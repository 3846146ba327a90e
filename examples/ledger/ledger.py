"""A stock ledger: movements in and out, day by day, and what was on the shelf at the end of each day."""

from dataclasses import dataclass, field


@dataclass
class Movement:
    day: int
    item: str
    change: int


@dataclass
class Shelf:
    """What is there, and where each item lies."""

    counts: dict[str, int] = field(default_factory=dict)
    places: dict[str, list[int]] = field(default_factory=dict)

    def apply(self, movement: Movement) -> None:
        count = self.counts.get(movement.item, 0) + movement.change
        if count < 0:
            raise ValueError(f"{movement.item}: {-count} more taken than there were")
        if count == 0:
            self.counts.pop(movement.item, None)
        else:
            self.counts[movement.item] = count
        self.places.setdefault(movement.item, []).append(movement.day)

    def view(self) -> dict[str, int]:
        return self.counts


class Ledger:
    def __init__(self, movements: list[Movement]) -> None:
        self.movements = sorted(movements, key=lambda movement: movement.day)
        self.evenings: dict[int, dict[str, int]] = {}

    def close(self) -> None:
        """Walks the days and keeps each evening's stock."""
        shelf = Shelf()
        day = None
        for movement in self.movements:
            if day is not None and movement.day != day:
                self.evenings[day] = shelf.view()
            shelf.apply(movement)
            day = movement.day
        if day is not None:
            self.evenings[day] = shelf.view()

    def turnover(self, item: str) -> list[tuple[int, int]]:
        """By day, how much more there was in the evening than the evening before."""
        rows = []
        before = 0
        for day, stock in sorted(self.evenings.items()):
            now = stock.get(item, 0)
            rows.append((day, now - before))
            before = now
        return rows


MOVEMENTS = [
    Movement(1, "bolts", 40),
    Movement(1, "nuts", 25),
    Movement(2, "bolts", -15),
    Movement(3, "nuts", -25),
    Movement(3, "bolts", 5),
]


def busiest_day(ledger: Ledger, item: str) -> int:
    return max(ledger.turnover(item), key=lambda row: abs(row[1]))[0]


if __name__ == "__main__":
    book = Ledger(MOVEMENTS)
    book.close()
    print(book.turnover("bolts"))
