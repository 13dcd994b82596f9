import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Times are shown as they are here: in the tests here is everywhere the same, also for the commands that they start.
process.env.TZ = 'UTC';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', './test/closing-line.ts'],
    setupFiles: ['./test/fixed-seed.ts'],
    pool: 'forks',
    // The command that runs in a test's process is the built one, as it is.
    server: { deps: { external: [/\/dist\//] } },
    // Most tests wait for processes of their own: two files at a time, also where there are two cores.
    maxWorkers: 2,
    // A busy machine is slow, not wrong: the time is there to end what hangs.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
