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
 * The same for the innermost loops: an engine makes good code of a function that only ever sees one kind of array.
 * @param {Float64Array} values
 * @param {number} index within bounds
 * @returns {number}
 */
export function get(values, index) {
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
 * @param {number} value
 * @param {ArrayLike<number>} x a row of a design
 * @param {ArrayLike<number>} coefficients a row for each column of the design, a column for each metric
 * @param {number} m which metric the value is of
 * @returns {number} what the coefficients leave of the value
 */
export function remainder(value, x, coefficients, m) {
  const k = coefficients.length / x.length;
  let left = value;
  for (let a = 0; a < x.length; a++) left -= at(x, a) * at(coefficients, a * k + m);
  return left;
}

/**
 * Gauss-Jordan elimination; a positive definite matrix needs no pivoting.
 * @param {Float64Array} matrix symmetric, positive definite
 * @param {number} size
 * @param {Float64Array} [inverse] where the inverse is written, of the matrix's length
 * @returns {{ inverse: Float64Array, logDeterminant: number }}
 */
export function invert(matrix, size, inverse = new Float64Array(matrix.length)) {
  inverse.set(matrix);
  let logDeterminant = 0;
  for (let i = 0; i < size; i++) {
    const pivot = get(inverse, i * size + i);
    logDeterminant += Math.log(Math.abs(pivot));
    inverse[i * size + i] = 1;
    for (let j = 0; j < size; j++) inverse[i * size + j] = get(inverse, i * size + j) / pivot;
    for (let k = 0; k < size; k++) {
      if (k === i) continue;
      const factor = get(inverse, k * size + i);
      inverse[k * size + i] = 0;
      for (let j = 0; j < size; j++) add(inverse, k * size + j, -factor * get(inverse, i * size + j));
    }
  }
  return { inverse, logDeterminant };
}

/**
 * x' M x, for the x that starts at `from`.
 * @param {Float64Array} x
 * @param {{ matrix: Float64Array, size: number, from?: number }} form
 * @returns {number}
 */
export function quadratic(x, { matrix, size, from = 0 }) {
  let sum = 0;
  for (let i = 0; i < size; i++) {
    let row = 0;
    for (let j = 0; j < size; j++) row += get(matrix, i * size + j) * get(x, from + j);
    sum += get(x, from + i) * row;
  }
  return sum;
}
