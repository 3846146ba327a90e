/* A ring of readings: smoothed, searched for peaks. */
#include <stdio.h>
#include <string.h>

#define ROOM 5

struct ring {
    int values[ROOM];
    int start;
    int count;
    long seen;
};

void ring_clear(struct ring *ring) {
    memset(ring, 0, sizeof *ring);
}

void ring_push(struct ring *ring, int value) {
    int at = (ring->start + ring->count) % ROOM;
    ring->values[at] = value;
    ring->seen++;
    if (ring->count < ROOM) {
        ring->count++;
    } else {
        ring->start = (ring->start + 1) % ROOM;
    }
}

int ring_get(const struct ring *ring, int index) {
    if (index < 0 || index >= ring->count) return -1;
    return ring->values[(ring->start + index) % ROOM];
}

int ring_pop(struct ring *ring) {
    int value = ring_get(ring, 0);
    if (ring->count == 0) return -1;
    ring->start = (ring->start + 1) % ROOM;
    ring->count--;
    return value;
}

int ring_mean(const struct ring *ring) {
    int sum = 0;
    for (int i = 0; i < ring->count; i++) {
        sum += ring_get(ring, i);
    }
    if (ring->count == 0) return 0;
    return sum / ring->count;
}

int smooth(const int *from, int *to, int count) {
    struct ring ring;
    int written = 0;
    ring_clear(&ring);
    for (int i = 0; i < count; i++) {
        ring_push(&ring, from[i]);
        if (ring.count < 3) continue;
        to[written] = ring_mean(&ring);
        written++;
    }
    return written;
}

int peaks(const int *values, int count, int least) {
    int found = 0;
    for (int i = 1; i + 1 < count; i++) {
        int rises = values[i] > values[i - 1];
        int falls = values[i] > values[i + 1];
        if (rises && falls && values[i] >= least) {
            found++;
        }
    }
    return found;
}

#ifndef TESTED
/* driver */
int main(void) {
    int readings[] = {4, 9, 3, 8, 20, 6, 7, 30, 2, 2, 18, 1};
    int count = sizeof readings / sizeof readings[0];
    int smoothed[16];
    struct ring ring;
    ring_clear(&ring);
    for (int i = 0; i < 7; i++) ring_push(&ring, readings[i]);
    printf("%d %d %ld\n", ring_get(&ring, 0), ring_get(&ring, 4), ring.seen);
    int first = ring_pop(&ring), second = ring_pop(&ring);
    printf("%d %d %d %d\n", first, second, ring_mean(&ring), ring_get(&ring, 3));
    int written = smooth(readings, smoothed, count);
    for (int i = 0; i < written; i++) printf("%d ", smoothed[i]);
    printf("\n%d %d\n", peaks(readings, count, 9), peaks(readings, count, 18));
    return 0;
}
#endif
