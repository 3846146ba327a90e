#define TESTED
#include "tasks.cpp"
#include <cassert>

int main() {
    Scheduler scheduler;
    scheduler.add("mail", 5, 1);
    scheduler.add("tick", 2, 0, 3, 4);
    int old = scheduler.add("old", 6, 9);
    scheduler.add("save", 5, 7);
    scheduler.add("also", 5, 7);
    scheduler.cancel(old);
    int first = scheduler.run(6);
    assert(first == 5);
    assert(scheduler.waiting() == 1);
    assert(scheduler.now() == 6);
    const auto &log = scheduler.log();
    assert(log[0] == "2 tick");
    assert(log[1] == "5 save");
    assert(log[2] == "5 also");
    assert(log[3] == "5 mail");
    scheduler.add("late", 11, 0);
    assert(scheduler.run(11) == 3);
    assert(scheduler.waiting() == 0);
    assert(log.back() == "11 late");
}
