/* Dates: days between, days later, the day of the week, working days. */
#include <stdio.h>

struct date {
    int year;
    int month;
    int day;
};

int is_leap(int year) {
    if (year % 400 == 0) return 1;
    return year % 4 == 0 && year % 100 != 0;
}

int month_days(int year, int month) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int count = days[month - 1];
    if (month == 2 && is_leap(year)) count++;
    return count;
}

long day_number(struct date date) {
    long days = 0;
    for (int year = 2000; year < date.year; year++) {
        days += is_leap(year) ? 366 : 365;
    }
    for (int month = 1; month < date.month; month++) {
        days += month_days(date.year, month);
    }
    return days + date.day - 1;
}

struct date later(struct date date, int days) {
    struct date result = date;
    result.day += days;
    while (result.day > month_days(result.year, result.month)) {
        result.day -= month_days(result.year, result.month);
        result.month++;
        if (result.month > 12) {
            result.month = 1;
            result.year++;
        }
    }
    return result;
}

/* 2000-01-01 was a Saturday: 6 */
int weekday(struct date date) {
    return (int)((day_number(date) + 6) % 7);
}

int working_days(struct date from, struct date to) {
    int count = 0;
    struct date day = from;
    long left = day_number(to) - day_number(from);
    while (left > 0) {
        int which = weekday(day);
        if (which != 0 && which != 6) count++;
        day = later(day, 1);
        left--;
    }
    return count;
}

#ifndef TESTED
/* driver */
int main(void) {
    struct date start = {2003, 12, 29}, end = {2004, 3, 2};
    struct date after = later(start, 64);
    printf("%ld %ld\n", day_number(start), day_number(end) - day_number(start));
    printf("%d-%d-%d\n", after.year, after.month, after.day);
    printf("%d %d %d\n", weekday(start), weekday(end), working_days(start, later(start, 12)));
    printf("%d %d %d %d\n", is_leap(2000), is_leap(2100), is_leap(2004), month_days(2004, 2));
    return 0;
}
#endif
