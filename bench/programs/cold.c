/* A line that is never reached, in a function that is called all the time. */
#include <stdio.h>
#include <time.h>

static long step(long total, long i) {
  if (i < 0)
    return 0; /* @marker stop */
  return (total * 31 + i) % 1000003;
}

static long work(long count) {
  long total = 0;
  for (long i = 0; i < count; i++) total = step(total, i);
  return total;
}

int main(void) {
  struct timespec a, b;
  clock_gettime(CLOCK_MONOTONIC, &a);
  long total = work(60000000);
  clock_gettime(CLOCK_MONOTONIC, &b);
  printf("took %.1f ms (%ld)\n", (b.tv_sec - a.tv_sec) * 1e3 + (b.tv_nsec - a.tv_nsec) / 1e6, total);
  return 0;
}
