/* The program that is traced: as many hits as its argument says. */
#include <stdio.h>
#include <stdlib.h>

static long work(int rounds) {
  long total = 0;
  for (int i = 0; i < rounds; i++) {
    total += i; /* @marker stop */
  }
  return total;
}

int main(int argc, char **argv) {
  printf("%ld\n", work(argc > 1 ? atoi(argv[1]) : 1));
  return 0;
}
