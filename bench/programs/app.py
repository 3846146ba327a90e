"""The program that is measured: a loop that goes on for long enough, with a few locals."""


def work(rounds):
    total = 0
    for i in range(rounds):
        total += i  # @marker stop
        half = total // 2
        name = f"round {i}"
    return total, half, name


print(work(1_000_000))
