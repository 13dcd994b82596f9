import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { isLong } from './long.ts';
import { projects, testFiles } from './test-files.ts';

// Times are shown as they are here: in the tests here is everywhere the same, also for the commands that they start.
process.env.TZ = 'UTC';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    reporters: ['default', './test/closing-line.ts'],
    // Four files at a time, also where there are two cores: many wait for processes of their own, or for a pace.
    maxWorkers: 4,
    globalSetup: ['./test/bundled.ts'],
    setupFiles: ['./test/fixed-seed.ts'],
    pool: 'forks',
    // One process reads what the files import once: they share no state of their own.
    isolate: false,
    // The command that runs in a test's process is the built one, as it is.
    server: { deps: { external: [/\/dist\//] } },
    // A busy machine is slow, not wrong: the time is there to end what hangs.
    testTimeout: isLong ? 600_000 : 240_000,
    hookTimeout: 240_000,
    projects: projects.map((name) => ({ extends: true, test: { name, include: testFiles(name, isLong) } })),
  },
});
