#define TESTED
#include "dates.c"
#include <assert.h>

int main(void) {
    struct date start = {2003, 12, 29}, end = {2004, 3, 2};
    assert(is_leap(2000) && is_leap(2004));
    assert(!is_leap(2100));
    assert(month_days(2004, 2) == 29);
    assert(day_number(start) == 1458);
    assert(day_number(end) - day_number(start) == 64);
    struct date after = later(start, 64);
    assert(after.year == 2004);
    assert(after.month == 3);
    assert(after.day == 2);
    assert(weekday(start) == 1);
    assert(weekday(end) == 2);
    int days = working_days(start, later(start, 12));
    assert(days == 10);
    return 0;
}
