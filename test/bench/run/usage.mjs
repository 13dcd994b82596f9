// Loaded into a measured process by --import: when it ends, it writes what it has used of the processor and of memory into the file
// that BENCH_USAGE names.
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// A worker thread loads this, too, and reports what the whole process has used so far.
if (isMainThread && process.env.BENCH_USAGE !== undefined)
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const usage = { cpuMs: (userCPUTime + systemCPUTime) / 1_000, peakMiB: peakMiB() ?? maxRSS / 1_024 };
    writeFileSync(process.env.BENCH_USAGE, JSON.stringify(usage));
  });

/** The most memory that was resident; maxRSS also counts the process that started this one. */
function peakMiB() {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1_024;
  } catch {
    return undefined; // not on this system
  }
}
