// Matrices: products, powers, determinants, the way around.

export type Matrix = number[][];

export function identity(size: number): Matrix {
  return Array.from({ length: size }, (_, r) => Array.from({ length: size }, (__, c) => (r === c ? 1 : 0)));
}

export function multiply(a: Matrix, b: Matrix): Matrix {
  const result: Matrix = [];
  for (let r = 0; r < a.length; r++) {
    const row: number[] = [];
    for (let c = 0; c < b[0]!.length; c++) {
      let sum = 0;
      for (let k = 0; k < b.length; k++) sum += a[r]![k]! * b[k]![c]!;
      row.push(sum);
    }
    result.push(row);
  }
  return result;
}

export function power(base: Matrix, exponent: number): Matrix {
  let result = identity(base.length);
  let square = base;
  let left = exponent;
  while (left > 0) {
    if (left % 2 === 1) result = multiply(result, square);
    square = multiply(square, square);
    left = Math.floor(left / 2);
  }
  return result;
}

export function minor(matrix: Matrix, row: number, column: number): Matrix {
  return matrix.filter((_, r) => r !== row).map((cells) => cells.filter((_, c) => c !== column));
}

export function determinant(matrix: Matrix): number {
  if (matrix.length === 1) return matrix[0]![0]!;
  let sum = 0;
  for (let c = 0; c < matrix.length; c++) {
    const sign = c % 2 === 0 ? 1 : -1;
    sum += sign * matrix[0]![c]! * determinant(minor(matrix, 0, c));
  }
  return sum;
}

export function spiral(matrix: Matrix): number[] {
  const seen: number[] = [];
  let [top, bottom, left, right] = [0, matrix.length - 1, 0, matrix[0]!.length - 1];
  while (top <= bottom && left <= right) {
    for (let c = left; c <= right; c++) seen.push(matrix[top]![c]!);
    top++;
    for (let r = top; r <= bottom; r++) seen.push(matrix[r]![right]!);
    right--;
    if (top > bottom || left > right) break;
    for (let c = right; c >= left; c--) seen.push(matrix[bottom]![c]!);
    bottom--;
    for (let r = bottom; r >= top; r--) seen.push(matrix[r]![left]!);
    left++;
  }
  return seen;
}

export function scaled(matrix: Matrix, factor: number): Matrix {
  const copy = matrix.map((row) => [...row]);
  for (const row of copy)
    for (let c = 0; c < row.length; c++) {
      row[c] = row[c]! * factor;
    }
  return copy;
}

// driver

export const GRID: Matrix = [
  [1, 2, 3],
  [4, 5, 6],
  [7, 8, 10],
];

if (process.argv[1]?.endsWith("matrix.ts")) {
  console.log(multiply(GRID, [[1], [0], [2]]));
  console.log(power([[1, 1], [1, 0]], 9));
  console.log(determinant(GRID), determinant([[3, 1], [4, 2]]));
  console.log(spiral(GRID), spiral([[1, 2, 3], [4, 5, 6]]));
  console.log(scaled(GRID, 2), GRID);
}
