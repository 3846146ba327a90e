#define TESTED
#include "ring.c"
#include <assert.h>

int main(void) {
    int readings[] = {4, 9, 3, 8, 20, 6, 7, 30, 2, 2, 18, 1};
    int smoothed[16];
    struct ring ring;
    ring_clear(&ring);
    for (int i = 0; i < 7; i++) ring_push(&ring, readings[i]);
    assert(ring_get(&ring, 0) == 3);
    assert(ring_get(&ring, 4) == 7);
    assert(ring.seen == 7);
    int first = ring_pop(&ring);
    assert(first == 3);
    assert(ring_pop(&ring) == 8);
    assert(ring_mean(&ring) == 11);
    assert(ring_get(&ring, 3) == -1);
    int written = smooth(readings, smoothed, 12);
    assert(written == 10);
    assert(smoothed[0] == 5);
    assert(smoothed[9] == 10);
    assert(peaks(readings, 12, 9) == 4);
    assert(peaks(readings, 12, 18) == 3);
    return 0;
}
