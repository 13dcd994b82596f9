import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Verification, verificationSchema } from '../../../src/app/verify/report/verification.ts';
import { writeVerificationFiles } from '../../../src/app/verify/report/verification-files.ts';
import { type VerifyRequest, verifyRun } from '../../../src/app/verify/verify.ts';
import { listImportsAndUndos, openJournalDatabase } from '../../../src/journal/index.ts';
import { systemClock } from '../../../src/workspace/index.ts';
import { isWrite, type RealImport } from '../import/real-import.ts';

/** A verification, and the lines of its list by column. */
export interface Checked {
  readonly verification: Verification;
  readonly lines: readonly Readonly<Record<string, string>>[];
  readonly page: string;
}

/** Verifies a run (the first unless another is named) in this process; it sends no write, ever. */
export async function verify(
  real: RealImport,
  more: Partial<
    Pick<VerifyRequest, 'all' | 'sample' | 'deferred' | 'randomness' | 'limits' | 'workspace'>
  > = {},
  nth = 0,
): Promise<Checked> {
  const workDir = join(real.folder, 'work');
  const journal = openJournalDatabase(workDir);
  const stop = new AbortController();
  const workspace = real.open(stop.signal);
  const before = real.sandbox.contacts();
  real.sandbox.resetLog();
  try {
    const run = listImportsAndUndos(journal, 1)[nth];
    if (run === undefined) throw new Error('there is no such run');
    const verified = await verifyRun({
      ...{ journal, run, workspace, workDir, all: false, sample: undefined, deferred: [] },
      limits: { perPath: 5, concurrency: 8, likelyAtOnce: 8 },
      clock: systemClock,
      randomness: { next: () => 0.5 },
      note: () => undefined,
      progress: () => undefined,
      ...more,
    });
    const runDir = join(workDir, 'runs', run.id);
    const all = more.all ?? false;
    const site = { run, workspace: real.sandbox.baseUrl, all, runDir, requests: {} };
    const verification = await writeVerificationFiles(verified, site).finally(() => verified.close());
    expect(real.sandbox.log.filter(isWrite)).toEqual([]);
    expect(real.sandbox.contacts()).toEqual(before);
    expect(verificationSchema.parse(JSON.parse(JSON.stringify(verification)))).toEqual(verification);
    const { files } = verification;
    return {
      verification,
      lines: files.verification === null ? [] : linesOf(readFileSync(files.verification, 'utf8')),
      page: readFileSync(files.page, 'utf8'),
    };
  } finally {
    await workspace.close(0);
    journal.close();
  }
}

/** Values of these tests have neither quotes nor commas. */
function linesOf(text: string): readonly Readonly<Record<string, string>>[] {
  const [header = '', ...lines] = text.trimEnd().split('\n');
  const columns = header.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(columns.map((column, n) => [column, cells[n] ?? '']));
  });
}

/** Changes contacts as somebody else would, behind the import's back. */
export async function edit(
  real: RealImport,
  id: number,
  fields: Readonly<Record<string, string | null>>,
  customFields: Readonly<Record<string, string | number | boolean | null>> = {},
): Promise<void> {
  const workspace = real.open(new AbortController().signal);
  const contact = real.sandbox.contacts().find((each) => each.id === id);
  const standing = (contact?.custom_fields ?? []).filter(({ value }) => value !== null);
  const kept = standing.filter(({ name }) => !Object.hasOwn(customFields, name));
  const custom = [
    ...kept.map(({ name, value }) => ({ name, value: name === 'Score' ? Number(value) : value })),
    ...Object.entries(customFields).map(([name, value]) => ({ name, value })),
  ];
  const body = { firstName: contact?.firstName ?? 'Nobody', ...fields, custom_fields: custom };
  const answer = await workspace.contacts.update({ kind: 'id', value: String(id) }, body);
  await workspace.close(0);
  if (answer.kind !== 'ok') throw new Error(`contact ${id} could not be edited: ${JSON.stringify(answer)}`);
}
