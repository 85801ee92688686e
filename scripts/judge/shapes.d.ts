/** What passes between the parts of the judge. Effects are differences of natural logarithms, head less base. */
import type { MetricId } from '../types.js';

/** The boots of both sides, a row each: what is known of their speed. */
export interface Table {
  metrics: MetricId[];
  /** 1 where more is faster, -1 where less is; as many as metrics. */
  faster: number[];
  boots: number;
  /** Logarithms, row by row. */
  values: Float64Array;
  /** 0 base, 1 head. */
  side: Uint8Array;
  /** Share of the machine that others took, less its mean; absent where it did not vary. */
  disturbance?: Float64Array;
  /** How much wider than an undisturbed boot a boot scatters (variance; 1 or more). */
  spread: Float64Array;
  /** Boots of the two sides that were neighbours in time; absent where that is not known of most. */
  pairs?: [base: number, head: number][];
  /** Degrees of freedom that went into what neighbours have in common. */
  spent?: number;
}

/** A mixture of one or two states that both sides share, with one shift between the sides. */
export interface Fit {
  states: 1 | 2;
  /** How many columns the design has: level, shift of head, slope on disturbance (if any), gap of state 1 (if two). */
  columns: number;
  /** columns x metrics. */
  coefficients: Float64Array;
  /** metrics x metrics: of a boot around its state's level. */
  covariance: Float64Array;
  precision: Float64Array;
  /** columns x columns: inverse of the weighted cross products of the design. */
  inverse: Float64Array;
  /** Chance of each boot to be in each state, boot by boot. */
  belongs: Float64Array;
  /** What the robust fit made of each boot in each state: below 1 for far ones. */
  weights: Float64Array;
  /** Share of state 1, a side. */
  shares: [number, number];
  /** Penalised log-likelihood. */
  likelihood: number;
}

/** What the boots say of a change of speed. */
export interface SpeedShift {
  fit: Fit;
  /** By metric, as in the table. */
  effects: number[];
  errors: number[];
  df: number;
  /** Of "nothing changed", all metrics read together. */
  p: number;
  /** Another reading of the boots is nearly as good and says the opposite, or this one is an odd tale. */
  ambiguous: boolean;
  /** Where there are two states. */
  mix?: Mix;
}

/** Boots in the faster of two states. */
export interface Mix {
  base: [fast: number, boots: number];
  head: [fast: number, boots: number];
  /** How much faster the fast state is: 0.3 is 30 %. */
  gap: number;
  /** Of "both sides draw from the same mix". */
  p: number;
}

/** What is known of one metric of one case. */
export interface Finding {
  metric: MetricId;
  /** Typical values of the sides, in the metric's unit. */
  base: number;
  head: number;
  effect: number;
  error: number;
  /** Of the error; 0 where a side has one boot only. */
  df: number;
  /** One step of a coarse clock, as a share of the value. */
  grain: number;
}

/** One thing that may be claimed to have changed; the family decides. */
export interface Claim {
  findings: Finding[];
  /** Its part of the case's risk. */
  weight: number;
  /** Of "nothing changed"; absent where nothing can be said. */
  p?: number;
  /** Where the findings were read together. */
  speed?: { table: Table; shift: SpeedShift };
}
