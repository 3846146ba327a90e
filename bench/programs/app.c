/* The program that is measured: a loop that goes on for long enough, with a few locals. */
#include <stdio.h>

static long work(int rounds) {
  long total = 0;
  for (int i = 0; i < rounds; i++) {
    total += i; /* @marker stop */
    long half = total / 2;
    const char *name = half > 9 ? "many" : "few";
    if (name[0] == 'x') return half;
  }
  return total;
}

int main(void) {
  printf("%ld\n", work(1000000));
  return 0;
}
