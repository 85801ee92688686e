/**
 * Loaded before a server's own code. V8 compiles `process.nextTick`, which every request passes several times, once, and by what
 * it has seen until then: compiled in the middle of the first load, its calls cost a request 0.4 µs in some boots and 11 µs in
 * others, for as long as they live (`node bench/boots.js`). So it is compiled here, before anything else, in all boots alike.
 */
'use strict';

/** With 400 some boots still fell into the slow state, with 2,000 one of 24. */
const TICKS = 10_000;

function nothing() {}

/** By how many arguments it is called, it takes different ways. */
const ARGUMENTS = [[], [1], [1, 2], [1, 2, 3]];

for (let tick = 0; tick < TICKS; tick++) {
  process.nextTick(nothing, ...(ARGUMENTS[tick % ARGUMENTS.length] ?? []));
}
