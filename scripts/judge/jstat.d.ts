/** The part of jstat that is used; the package brings no types. */
declare module 'jstat' {
  interface Distribution {
    pdf(x: number, ...parameters: number[]): number;
    cdf(x: number, ...parameters: number[]): number;
    inv(p: number, ...parameters: number[]): number;
  }
  const jstat: {
    studentt: Distribution;
    normal: Distribution;
    beta: Distribution;
    combinationln(n: number, m: number): number;
  };
  export default jstat;
}
