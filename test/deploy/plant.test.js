/** Planted work, by the CPU time of a process that works for itself, too. */

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { java } from '../../scripts/deploy/runtimes/java.js';
import { scratchFolder } from '../scratch.js';

/**
 * Prints how much CPU time all threads took while the first one worked for half a second, over that of the
 * first.
 */
const PROGRAM = `
import java.lang.management.ManagementFactory;

public class Program {
  public static void main(String[] args) {
    var process = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    var threads = ManagementFactory.getThreadMXBean();
    long all = process.getProcessCpuTime();
    long own = threads.getCurrentThreadCpuTime();
    long end = own + 500_000_000;
    while (threads.getCurrentThreadCpuTime() < end);
    System.out.println((double) (process.getProcessCpuTime() - all) / (threads.getCurrentThreadCpuTime() - own));
  }
}
`;
const skip = spawnSync('javac', ['--version']).error !== undefined;

test(
  'a JVM with planted work takes that share more CPU time, and without a JDK one line says so',
  { skip },
  async () => {
    const folder = scratchFolder();
    const { PATH } = process.env;
    const planted = await java.plant?.({ PATH, XDG_CACHE_HOME: folder });
    assert.deepEqual(
      (await java.plant?.({ XDG_CACHE_HOME: folder }))?.({ share: 0, us: 0 }),
      planted?.({ share: 0, us: 0 }),
      'what is compiled once takes no JDK',
    );
    assert.ok(planted);
    writeFileSync(join(folder, 'Program.java'), PROGRAM);
    execFileSync('javac', ['Program.java'], { cwd: folder });
    const shareOf = (/** @type {number} */ share) => {
      const env = { ...process.env, ...planted({ share, us: 0 }) };
      return Number(execFileSync('java', ['-Xint', 'Program'], { cwd: folder, env, stdio: 'pipe' }));
    };
    const [none, half] = [shareOf(0), shareOf(0.5)];
    assert.ok(half > none + 0.3, `${none} and ${half}`);
    const message = /^prove: planting work takes javac, .* apt-get/;
    await assert.rejects(async () => java.plant?.({ PATH: folder, XDG_CACHE_HOME: scratchFolder() }), {
      name: 'UserError',
      message,
    });
  },
);
