import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { describe, expect, it } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/index.ts';
import { isLong } from '../long.ts';
import type { Running } from './command.ts';
import { atScene, contactOf, type Report, type Scene } from './scene.ts';
import { allComments, labelled, labelOf, wholeMapping, wholeRow, wholeSeed } from './whole-person.ts';

const identifiers = { Email: 'ada@example.com', Phone: '+12015550101' };
const mapping = wholeMapping.replace(/^tags: .*\n/m, '');

/** What became of each comment in the import: of the first two nobody knows that they are there, two others are not. */
const faults = [
  { kind: 'dropAfter', times: 2 },
  { kind: 'dropBefore' },
  { kind: 'dropBefore', skip: 1 },
] as const;
const answers: Readonly<Record<string, string>> = {
  origin: 'no',
  'story 1/3': 'no',
  'story 2/3': 'yes',
  farewell: 'yes',
};

/** When the retry is killed: at a request before any comment, or at one of the two that it sends. */
interface Kill {
  readonly phase: 'received' | 'applied';
  readonly method: 'GET' | 'POST';
  readonly template: string;
  readonly nth: number;
}

const contact = '/contact/{identifier}';
const before: Kill = { phase: 'received', method: 'GET', template: contact, nth: 1 };
const comments = [1, 2].flatMap((nth): Kill[] => [
  { phase: 'applied', method: 'POST', template: `${contact}/comment`, nth },
  { phase: 'received', method: 'POST', template: `${contact}/comment`, nth },
]);

/** How the retry is continued. */
type GoOn = (scene: Scene, report: Report, path: string) => Promise<Report>;

const bySameCommand: GoOn = (scene, { run }, path) => scene.retry(run, '--decided', path);

const byResumeWithoutFile: GoOn = async (scene, _, path) => {
  rmSync(path);
  return scene.report(await scene.start('resume').ended);
};

/** Answers the list of the run as a person would, and gives it to a retry that is killed once. */
async function decidedAndKilled(
  kill: Kill,
  goOn: GoOn,
  then: (scene: Scene, report: Report, isThere: boolean) => void,
): Promise<void> {
  let seen = 0;
  let victim: Running | undefined;
  const onPhase: SandboxOptions['onPhase'] = (phase, { method, template }) => {
    if (victim === undefined || phase !== kill.phase) return;
    if (method !== kill.method || template !== kill.template) return;
    seen += 1;
    if (seen === kill.nth) victim.process.kill('SIGKILL');
  };
  const rows = [wholeRow('A7', identifiers)];
  const settings = { limits: { settle: '2s' } };
  await atScene({ mapping, rows, seed: wholeSeed, settings, onPhase }, async (scene) => {
    for (const fault of faults)
      scene.sandbox.scriptFault({ method: 'POST', path: '/contact/*/comment', ...fault });
    const report = await scene.import();
    expect(report).toMatchObject({ code: 3, rows: { read: 1, uncertain: 1 } });
    expect(labelled(contactOf(scene.sandbox, identifiers.Email))).toEqual([
      'origin',
      'story 1/3',
      'story 3/3',
    ]);
    const lines = (report.csv('uncertain.csv') ?? []).map((line) => ({
      ...line,
      resend: answers[labelOf(line.text ?? '')] ?? '',
    }));
    const path = join(scene.path, 'decided.csv');
    writeFileSync(path, stringify(lines, { header: true }));
    // A request that is received and never answered by the service is one that it never acted on.
    if (kill.phase === 'received' && kill.method === 'POST')
      scene.sandbox.scriptFault({
        method: 'POST',
        path: '/contact/*/comment',
        kind: 'dropBefore',
        skip: kill.nth - 1,
      });
    victim = scene.start('retry', report.run, '--decided', path);
    expect(await victim.ended).toMatchObject({ signal: 'SIGKILL' });
    victim = undefined;
    then(scene, await goOn(scene, report, path), kill.phase === 'applied');
  });
}

describe('decisions about comments, in a retry that is killed and continued', () => {
  it.concurrent('hold where it was killed before it sent any', async () => {
    await decidedAndKilled(before, bySameCommand, ({ sandbox }, report) => {
      const held = labelled(contactOf(sandbox, identifiers.Email));
      expect(held).toEqual(['origin', 'story 1/3', 'story 3/3', 'story 2/3', 'farewell']);
      expect(report).toMatchObject({ code: 0, rows: { read: 1, updated: 1 } });
      expect(report.csv('uncertain.csv')).toBeUndefined();
      expect(report.csv('dropped.csv')).toMatchObject([
        { _code: 'comments.confirmed', _reason: expect.stringMatching(/^comment origin was not sent/) },
        { _code: 'comments.confirmed', _reason: expect.stringMatching(/^comment story \(1 of 3 parts\)/) },
        { _code: 'comments.split' },
      ]);
    });
  });

  it.concurrent.each(isLong ? comments : comments.slice(0, 1))(
    'send no comment twice and lose none, killed when request $nth was $phase',
    async (kill) => {
      await decidedAndKilled(kill, byResumeWithoutFile, ({ sandbox }, report, isThere) => {
        const open = ['story 2/3', 'farewell'][kill.nth - 1] ?? '';
        const held = labelled(contactOf(sandbox, identifiers.Email));
        expect([...held].sort()).toEqual(allComments.filter((each) => isThere || each !== open).sort());
        // The one under way is uncertain again: a new sending needs a new decision.
        expect(report).toMatchObject({ code: 3, rows: { read: 1, uncertain: 1 } });
        expect(report.csv('uncertain.csv')?.map(({ text }) => labelOf(text ?? ''))).toEqual([open]);
      });
    },
  );
});

describe('a comment that may have been sent', () => {
  it('is named by each later import until it is decided, and sent by none', async () => {
    const rows = [wholeRow('A7', identifiers)];
    const settings = { limits: { settle: '2s' } };
    await atScene({ mapping, rows, seed: wholeSeed, settings }, async (scene) => {
      scene.sandbox.scriptFault({ method: 'POST', path: '/contact/*/comment', kind: 'dropAfter' });
      expect(await scene.import()).toMatchObject({ code: 3, rows: { uncertain: 1 } });
      scene.sandbox.resetLog();

      const again = await scene.import('--fresh');

      expect(scene.writes()).toEqual([]);
      expect(again).toMatchObject({ code: 3, rows: { read: 1, uncertain: 1 } });
      const lines = again.csv('uncertain.csv') ?? [];
      expect(lines.map(({ text }) => labelOf(text ?? ''))).toEqual(['origin']);
      const path = join(scene.path, 'decided.csv');
      writeFileSync(
        path,
        stringify(
          lines.map((line) => ({ ...line, resend: 'no' })),
          { header: true },
        ),
      );
      expect(await scene.retry(again.run, '--decided', path)).toMatchObject({ code: 0 });
      expect(scene.writes()).toEqual([]);
      scene.sandbox.resetLog();
      expect(await scene.import('--fresh')).toMatchObject({ code: 0, rows: { read: 1, unchanged: 1 } });
      expect(scene.sandbox.log.filter(({ path: at }) => at.includes('/contact/'))).toEqual([]);
    });
  });

  it('stays to be decided where its text has changed since, and is then sent as it is now', async () => {
    const row = wholeRow('A7', identifiers);
    const settings = { limits: { settle: '2s' } };
    await atScene({ mapping, rows: [row], seed: wholeSeed, settings }, async (scene) => {
      const comment = { method: 'POST', path: '/contact/*/comment' };
      scene.sandbox.scriptFault({ ...comment, kind: 'dropBefore', skip: allComments.length - 1 });
      expect(await scene.import()).toMatchObject({ code: 3, rows: { uncertain: 1 } });
      scene.writeRows([{ ...row, City: 'Kiel' }]);
      scene.sandbox.resetLog();
      const comments = () => scene.writes().filter((each) => each.endsWith('/comment'));

      for (const rows of [{ uncertain: 1 }, { uncertain: 1, unchanged: 0 }]) {
        const again = await scene.import('--fresh');
        expect(again).toMatchObject({ code: 3, rows });
        expect(again.csv('dropped.csv')?.map(({ _code }) => _code)).toContain('comments.edited');
        expect(comments()).toEqual([]);
        expect(again.csv('uncertain.csv')).toMatchObject([{ text: 'Last seen in Kiel' }]);
      }
      const last = await scene.import('--fresh');
      const lines = (last.csv('uncertain.csv') ?? []).map((line) => ({ ...line, resend: 'yes' }));
      const path = join(scene.path, 'decided.csv');
      writeFileSync(path, stringify(lines, { header: true }));
      expect(await scene.retry(last.run, '--decided', path)).toMatchObject({ code: 0 });
      expect(comments()).toHaveLength(1);
      expect(labelled(contactOf(scene.sandbox, identifiers.Email))).toEqual(allComments);
      expect(await scene.import('--fresh')).toMatchObject({ code: 0, rows: { unchanged: 1 } });
    });
  });
});
