/* Linear equations by elimination, in whole numbers of a prime field. */
#include <stdio.h>

#define SIZE 3
#define PRIME 97

int power(int base, int exponent) {
    int result = 1;
    base %= PRIME;
    while (exponent > 0) {
        if (exponent & 1) result = result * base % PRIME;
        base = base * base % PRIME;
        exponent >>= 1;
    }
    return result;
}

int inverse(int value) {
    return power(value, PRIME - 2);
}

int find_pivot(int rows[SIZE][SIZE + 1], int column) {
    for (int r = column; r < SIZE; r++) {
        if (rows[r][column] != 0) return r;
    }
    return -1;
}

void swap_rows(int *a, int *b) {
    for (int c = 0; c <= SIZE; c++) {
        int kept = a[c];
        a[c] = b[c];
        b[c] = kept;
    }
}

void scale(int *row, int factor) {
    for (int c = 0; c <= SIZE; c++) {
        row[c] = row[c] * factor % PRIME;
    }
}

void subtract(int *row, const int *pivot, int factor) {
    for (int c = 0; c <= SIZE; c++) {
        int value = row[c] - factor * pivot[c] % PRIME;
        if (value < 0) value += PRIME;
        row[c] = value;
    }
}

int solve(int rows[SIZE][SIZE + 1]) {
    int swaps = 0;
    for (int column = 0; column < SIZE; column++) {
        int pivot = find_pivot(rows, column);
        if (pivot < 0) return -1;
        if (pivot != column) {
            swap_rows(rows[pivot], rows[column]);
            swaps++;
        }
        scale(rows[column], inverse(rows[column][column]));
        for (int r = 0; r < SIZE; r++) {
            int factor = rows[r][column];
            if (r == column || factor == 0) continue;
            subtract(rows[r], rows[column], factor);
        }
    }
    return swaps;
}

#ifndef TESTED
/* driver */
int main(void) {
    int rows[SIZE][SIZE + 1] = {{0, 2, 1, 7}, {1, 1, 1, 6}, {3, 0, 5, 18}};
    int flat[SIZE][SIZE + 1] = {{1, 2, 3, 4}, {2, 4, 6, 8}, {1, 1, 1, 1}};
    int swaps = solve(rows);
    printf("%d: %d %d %d\n", swaps, rows[0][SIZE], rows[1][SIZE], rows[2][SIZE]);
    printf("%d %d %d\n", solve(flat), inverse(5), power(3, 10));
    return 0;
}
#endif
