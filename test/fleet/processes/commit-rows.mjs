// Commits rows through the group commit with shipping, and writes the number of each one that is acknowledged, until it is killed.
// Usage: commit-rows.mjs JSON, with url, workDir, workspace, token, key, lanes.
import { writeSync } from 'node:fs';
import { parseFleetKey } from '../../../dist/fleet/crypt/key.js';
import { connectDatabase } from '../../../dist/fleet/database/connect.js';
import { openJournalShipping } from '../../../dist/fleet/ship/ship.js';
import { GroupCommit } from '../../../dist/journal/group-commit.js';
import { openJournalDatabase } from '../../../dist/journal/open.js';
import { systemClock } from '../../../dist/workspace/index.js';

const { url, workDir, workspace, token, key, lanes, bounds } = JSON.parse(process.argv[2]);
const shipping = await openJournalShipping(await connectDatabase(url), workDir, {
  ...{ workspace, token, clock: systemClock, bounds },
  key: parseFleetKey(key, {}),
  signal: new AbortController().signal,
});
const file = openJournalDatabase(workDir, { shipped: true });
file.exec('CREATE TABLE IF NOT EXISTS number (n INTEGER PRIMARY KEY, text TEXT)');
const commit = new GroupCommit(file, systemClock, { maxConcurrentIntents: () => lanes, shipping });
const insert = file.prepare('INSERT INTO number (n, text) VALUES (?, ?)');
let next = 1 + (file.prepare('SELECT coalesce(max(n), 0) FROM number').pluck().get() ?? 0);

async function lane() {
  for (;;) {
    const n = next;
    next += 1;
    await commit.durable(() => insert.run(n, `somebody${n}@example.com `.repeat(1 + (n % 40))));
    writeSync(1, `${n}\n`);
  }
}
// What nobody waits for is committed in between.
setInterval(() => commit.soon(() => file.exec(`UPDATE number SET text = 'soon' WHERE n = ${next - 100}`)), 7);
await Promise.all(Array.from({ length: lanes }, lane)).catch((error) => {
  writeSync(2, `${error.message}\n`);
  process.exit(6);
});
