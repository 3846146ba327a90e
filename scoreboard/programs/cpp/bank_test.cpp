#define TESTED
#include "bank.cpp"
#include <cassert>

int main() {
    Bank bank(2);
    bank.open("ann", 500);
    bank.open("bob", 80);
    bank.open("eve", 0);
    assert(bank.move("ann", "bob", 120));
    assert(bank.balance("ann") == 378);
    assert(bank.balance("bob") == 200);
    assert(bank.move("bob", "eve", 30));
    assert(!bank.move("eve", "ann", 30));
    assert(!bank.move("ann", "zoe", 10));
    assert(bank.balance("bob") == 169);
    assert(bank.move("bob", "ann", 166));
    std::string report = bank.report();
    assert(report == "ann=544 bob=0 eve=30 fees=6 all=580 refused=2");
    assert(bank.undo(1) == 1);
    assert(bank.balance("bob") == 169);
    auto names = bank.richest(2);
    assert(names.size() == 2);
    assert(names[1] == "bob");
    assert(bank.undo(5) == 2);
    assert(bank.report() == "ann=500 bob=80 eve=0 fees=0 all=580 refused=2");
}
