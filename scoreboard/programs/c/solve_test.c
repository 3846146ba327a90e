#define TESTED
#include "solve.c"
#include <assert.h>

int main(void) {
    int rows[SIZE][SIZE + 1] = {{0, 2, 1, 7}, {1, 1, 1, 6}, {3, 0, 5, 18}};
    int flat[SIZE][SIZE + 1] = {{1, 2, 3, 4}, {2, 4, 6, 8}, {1, 1, 1, 1}};
    assert(power(3, 10) == 73);
    assert(inverse(5) == 39);
    int swaps = solve(rows);
    assert(swaps == 1);
    assert(rows[0][SIZE] == 1);
    assert(rows[1][SIZE] == 2);
    assert(rows[2][SIZE] == 3);
    assert(solve(flat) == -1);
    return 0;
}
