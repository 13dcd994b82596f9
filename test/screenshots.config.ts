import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

process.env.TZ = 'UTC';

/** `npm run screenshots`: no test, but what the documentation shows of the studio. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    globalSetup: ['./test/bundled.ts'],
    include: ['test/studio/browser/screenshots*.ts'],
    server: { deps: { external: [/\/dist\//] } },
    testTimeout: 1_800_000,
  },
});
