/** The little linear algebra that fits of a few metrics need. Matrices are square and flat, row by row. */

/**
 * @param {ArrayLike<number>} values
 * @param {number} index within bounds
 * @returns {number}
 */
export function at(values, index) {
  return values[index] ?? 0;
}

/**
 * @param {Float64Array} values
 * @param {number} index within bounds
 * @param {number} amount
 */
export function add(values, index, amount) {
  values[index] = (values[index] ?? 0) + amount;
}

/**
 * Gauss-Jordan elimination in place; a positive definite matrix needs no pivoting.
 * @param {Float64Array} matrix symmetric, positive definite
 * @param {number} size
 * @returns {{ inverse: Float64Array, logDeterminant: number }}
 */
export function invert(matrix, size) {
  const inverse = Float64Array.from(matrix);
  let logDeterminant = 0;
  for (let i = 0; i < size; i++) {
    const pivot = at(inverse, i * size + i);
    logDeterminant += Math.log(Math.abs(pivot));
    inverse[i * size + i] = 1;
    for (let j = 0; j < size; j++) inverse[i * size + j] = at(inverse, i * size + j) / pivot;
    for (let k = 0; k < size; k++) {
      if (k === i) continue;
      const factor = at(inverse, k * size + i);
      inverse[k * size + i] = 0;
      for (let j = 0; j < size; j++) add(inverse, k * size + j, -factor * at(inverse, i * size + j));
    }
  }
  return { inverse, logDeterminant };
}

/**
 * x' M x.
 * @param {ArrayLike<number>} x
 * @param {Float64Array} matrix
 * @returns {number}
 */
export function quadratic(x, matrix) {
  let sum = 0;
  for (let i = 0; i < x.length; i++) {
    for (let j = 0; j < x.length; j++) sum += at(x, i) * at(matrix, i * x.length + j) * at(x, j);
  }
  return sum;
}
