// Verifies a run with the built code and without a rate limit, and prints what it found as JSON.
// Usage: verify-unlimited.mjs WORK_DIR RUN BASE_URL

import { verifyRun } from '../../dist/app/verify/verify.js';
import { findRunById, openJournalDatabase } from '../../dist/journal/index.js';
import {
  defaultWorkspaceLimits,
  openWorkspace,
  systemClock,
  systemRandomness,
} from '../../dist/workspace/index.js';

const [workDir, id, baseUrl] = process.argv.slice(2);
const journal = openJournalDatabase(workDir);
const clock = systemClock;
const workspace = openWorkspace({
  baseUrl,
  token: 'sandbox',
  limits: { ...defaultWorkspaceLimits, concurrency: 64, perPath: { count: 100_000, ms: 1_000 } },
  clock,
  randomness: systemRandomness,
  signal: new AbortController().signal,
});
const { way, written, contacts, close } = await verifyRun({
  journal,
  run: findRunById(journal, id),
  all: false,
  sample: undefined,
  deferred: [],
  workspace,
  limits: { perPath: 5, concurrency: 64, likelyAtOnce: 64 },
  workDir,
  clock,
  randomness: systemRandomness,
  note: () => undefined,
  progress: () => undefined,
});
await close();
await workspace.close(0);
journal.close();
process.stdout.write(JSON.stringify({ way, written, contacts }));
