#define TESTED
#include "spans.cpp"
#include <cassert>

int main() {
    Spans given = {{30, 45}, {9, 12}, {12, 20}, {40, 60}, {10, 11}, {75, 80}};
    std::string all = text(merged(given));
    assert(all == "9-20 30-60 75-80");
    std::string wide = text(without(merged(given), {18, 41}));
    assert(wide == "9-18 41-60 75-80");
    assert(text(without(merged(given), {35, 40})) == "9-20 30-35 40-60 75-80");
    assert(length(merged(given)) == 46);
    assert(rooms(given) == 2);
    assert(first_gap(given, 9) == 0);
    assert(first_gap(given, 10) == 20);
    assert(first_gap(given, 40) == 80);
    assert(given[0].start == 30);
}
