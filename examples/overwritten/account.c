/* Should print "total 60" and prints "total 5": who writes the total? */
#include <stdio.h>

struct account {
  int history[4];
  int total;
};

static void record(struct account *account, int day, int amount) {
  account->history[day] = amount;
}

int main(void) {
  struct account account = {{0}, 60};
  int amounts[] = {10, 20, 30, 0, 5};
  for (int day = 0; day < 5; day++) {
    record(&account, day, amounts[day]);
  }
  printf("total %d\n", account.total);
  return 0;
}
