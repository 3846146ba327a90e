"""Quotes for shipments. Expected last line: total 168.61. It prints something else."""

from dataclasses import dataclass

RATES = {"north": 1.20, "south": 1.50, "islands": 3.10}
SURCHARGE = {"glass": 0.25, "books": 0.0, "paint": 0.40}
FREE_KILOS = 5


@dataclass(frozen=True)
class Parcel:
    number: int
    zone: str
    goods: str
    kilos: float
    insured: bool = False


class Tariff:
    """Rates are looked up in a slow table, so steps are remembered."""

    def __init__(self, rates: dict[str, float], surcharge: dict[str, float]) -> None:
        self.rates = rates
        self.surcharge = surcharge
        self.steps: dict[tuple[str, int], float] = {}
        self.lookups = 0

    def step(self, parcel: Parcel) -> float:
        """Price of one kilo, for the parcel's band of weights."""
        band = int(parcel.kilos // 10)
        key = (parcel.zone, band)
        if key not in self.steps:
            self.lookups += 1
            rate = self.rates[parcel.zone] * (1 - 0.1 * band)
            self.steps[key] = rate * (1 + self.surcharge[parcel.goods])
        return self.steps[key]

    def price(self, parcel: Parcel) -> float:
        paid = max(parcel.kilos - FREE_KILOS, 0)
        price = paid * self.step(parcel)
        if parcel.insured:
            price += 2.5
        return round(price, 2)


PARCELS = [
    Parcel(1, "north", "books", 12),
    Parcel(2, "south", "glass", 9),
    Parcel(3, "north", "paint", 15),
    Parcel(4, "islands", "books", 25, insured=True),
    Parcel(5, "south", "books", 7),
    Parcel(6, "islands", "paint", 29),
    Parcel(7, "north", "books", 4),
]


def report(parcels: list[Parcel]) -> float:
    tariff = Tariff(RATES, SURCHARGE)
    total = 0.0
    for parcel in parcels:
        price = tariff.price(parcel)
        print(f"parcel {parcel.number:2} {parcel.zone:8} {price:8.2f}")
        total += price
    return total


if __name__ == "__main__":
    print(f"total {report(PARCELS):.2f}")
