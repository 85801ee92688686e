/**
 * What a Java server's requests allocate (`allocatedBytes`), by an agent that its JVMs load.
 * @import { Observer } from '../observers.js'
 */

import { fileURLToPath } from 'node:url';
import { buildAgent } from '../../system/process/java-agent.js';
import { enterCounting } from './node-counts.js';

const SOURCE = fileURLToPath(new URL('./AllocatedBytes.java', import.meta.url));

/** @type {Observer} */
export const jvmCounts = {
  runtimes: ['java'],
  setting: 'allocated',
  async enter() {
    const { env, ...inside } = await enterCounting();
    // Without a JDK nothing is counted.
    const agent = await buildAgent(SOURCE, process.env).catch(() => ({}));
    return { ...inside, env: { ...env, ...agent } };
  },
};
