# The program that is traced: as many hits as its argument says.
import sys


def work(rounds):
    total = 0
    for i in range(rounds):
        total += i  # @marker stop
    return total


def main():
    print(work(int(sys.argv[1])))


main()
