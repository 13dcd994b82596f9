// The tour: imports the shipped sample into a local workspace, and says what to type next.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));

const workDir = '.longshore/tour';
const again = `npx longshore import pipelines/import-sample.yaml --workspace sandbox --work-dir ${workDir}`;
// The tour starts over each time; nothing of yours is in this folder.
rmSync(workDir, { recursive: true, force: true });

console.log('A CRM file of 2,000 rows goes into a local workspace, where some of the people are already:');
console.log('fields, tags, lifecycle, comments, assignee and conversation, by mappings/sample-crm.yaml.');
console.log(`$ ${again}\n`);
const { status } = spawnSync(
  process.execPath,
  [
    'dist/command/main.js',
    'import',
    'pipelines/import-sample.yaml',
    '--workspace',
    'sandbox',
    '--work-dir',
    workDir,
  ],
  { stdio: 'inherit' },
);
if (status !== 0 && status !== 3) process.exit(status ?? 1);

console.log(`
The rejected rows, the questions and the proposed merges are part of the sample. What to try now:

  Rejected rows: fix one in fixtures/sample/contacts.csv (rejects.csv says which and why), then type the retry above.
  Questions: write same or different under "answer" in same-person.csv, save it, then type the import --approve above.
  Proposed merges: write yes under "approve" in merge-proposals.csv, save it, then type the import --approve above.
  The same command again sends only what has changed since, which is nothing now:
    ${again}
  Stop it with Ctrl-C half-way, or with kill -9, and type it once more: it continues.

With your own file:

  1. npx longshore draft contacts.csv                           writes mappings/contacts.yaml and pipelines/import-contacts.yaml;
                                                                answer the questions in them
  2. npx longshore check pipelines/import-contacts.yaml         finds problems, sends nothing
  3. npx longshore import pipelines/import-contacts.yaml --workspace sandbox     a rehearsal
  4. export LONGSHORE_BASE_URL=https://…/v1 LONGSHORE_TOKEN=…
     npx longshore import pipelines/import-contacts.yaml --limit 20     the first 20 rows for real
     npx longshore import pipelines/import-contacts.yaml                the rest

README.md has every step, docs/ the rest.`);
