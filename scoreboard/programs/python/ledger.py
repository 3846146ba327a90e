"""Transactions read from text, balances by account, a statement."""


def parse_line(line):
    date, account, amount = [part.strip() for part in line.split(",")]
    cents = round(float(amount) * 100)
    return {"date": date, "account": account, "cents": cents}


def parse(text):
    entries = []
    for line in text.splitlines():
        if line.strip() == "" or line.startswith("#"):
            continue
        entries.append(parse_line(line))
    return entries


def balances(entries, opening=None):
    totals = dict(opening or {})
    for entry in entries:
        name = entry["account"]
        totals[name] = totals.get(name, 0) + entry["cents"]
    return totals


def overdrawn(totals, limit):
    names = [name for name, cents in totals.items() if cents < -limit]
    names.sort()
    return names


def running(entries, account):
    total = 0
    lowest = 0
    steps = []
    for entry in entries:
        if entry["account"] != account:
            continue
        total += entry["cents"]
        lowest = min(lowest, total)
        steps.append(total)
    return steps, lowest


def interest(cents, percent, months):
    for month in range(months):
        gain = cents * percent // 1200
        if gain < 1:
            break
        cents = cents + gain
    return cents


def format_cents(cents):
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}{whole}.{rest:02d}"


def statement(totals):
    lines = []
    width = max(len(name) for name in totals)
    for name in sorted(totals):
        dots = "." * (width - len(name) + 2)
        lines.append(f"{name} {dots} {format_cents(totals[name])}")
    return lines


# driver

TEXT = """# date, account, amount
2024-01-03, rent, -700.00
2024-01-05, wages, 2100.50

2024-01-09, food, -82.25
2024-01-11, food, -31.10
2024-02-03, rent, -700.00
2024-02-07, food, 12.00
"""


def main():
    entries = parse(TEXT)
    opening = {"rent": 500, "savings": 100000}
    totals = balances(entries, opening)
    print(opening, len(entries))
    print("\n".join(statement(totals)))
    print(overdrawn(totals, 10000), overdrawn(totals, 10135))
    print(running(entries, "food"), running(entries, "rent"))
    print(interest(100000, 5, 12), interest(100, 5, 3))


if __name__ == "__main__":
    main()
