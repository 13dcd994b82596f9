import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

process.env.TZ = 'UTC';

/** `npm run corpus`: as many seeds as wanted, with the table of what became of their people. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    reporters: ['dot'],
    globalSetup: ['./test/bundled.ts'],
    setupFiles: ['./test/fixed-seed.ts'],
    include: ['test/corpus/run.ts'],
    server: { deps: { external: [/\/dist\//] } },
    testTimeout: 7_200_000,
  },
});
