// Smooths a sensor's samples: each becomes the mean of itself and its neighbours. Expected: "highest 5.67 at 2". It prints something else.
#include <stdio.h>
#include <stdlib.h>

struct series {
  size_t length;
  double *values;
};

static struct series smooth(const struct series *raw, size_t reach) {
  struct series out = {raw->length, calloc(raw->length, sizeof(double))};
  for (size_t at = 0; at < raw->length; at++) {
    double sum = 0;
    int count = 0;
    for (size_t near = at - reach; near <= at + reach; near++) {
      if (near >= raw->length) continue;
      sum += raw->values[near];
      count++;
    }
    out.values[at] = sum / count;
  }
  return out;
}

static size_t highest(const struct series *all) {
  size_t best = 0;
  for (size_t at = 1; at < all->length; at++)
    if (all->values[at] > all->values[best]) best = at;
  return best;
}

int main(void) {
  double values[] = {2, 4, 9, 4, 2, 2, 3, 2};
  struct series raw = {sizeof values / sizeof values[0], values};
  struct series smoothed = smooth(&raw, 1);
  size_t best = highest(&smoothed);
  printf("highest %.2f at %zu\n", smoothed.values[best], best);
  free(smoothed.values);
  return 0;
}
