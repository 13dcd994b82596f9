import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type RouteAnswer, routes } from '../../src/studio/wire/routes.ts';
import { atSite, type Site } from '../cli/site.ts';
import { atScene } from '../end-to-end/scene.ts';
import { atStudio } from './at-studio.ts';

const peopleMapping = `mapping: same
key: ID
contact:
  firstName: { from: First }
  lastName: { from: Last }
  email: { from: Email }
  phone: { from: Phone }
`;

/** The e-mails of some rows are none. */
function breakRows({ folder }: Site, ...rows: readonly number[]): void {
  const path = join(folder, 'people.csv');
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    rows.reduce((all, n) => all.replace(`person${n}@example.com`, `person${n}`), text),
  );
}

it('rejected rows are shown with what is behind their code, corrected, and retried by the command of the page', () =>
  atSite({ rows: 4 }, async (site) => {
    breakRows(site, 1, 2);
    const { run } = JSON.parse((await site.import()).stdout);
    const { call, hear, send, warnings } = await atStudio({ folder: site.folder, workDir: site.workDir });
    const [{ steps } = { steps: [] }] = await hear('nextSteps', { run }, () => true);
    const { next } = JSON.parse((await site.longshore(['status', run, '--json'])).stdout);
    expect(steps.map(({ why, command }) => [why.replace(/\S+rejects/, 'rejects'), command])).toEqual([
      [next[0].why, { command: 'retry', run }],
      [next[1].why, { command: 'retry', run, from: `work/runs/${run}/rejects.csv` }],
    ]);

    const { rows, next: after } = await call('problemRows', {
      ...{ run, consequence: 'rejected', code: 'email.invalid' },
    });
    expect(after).toBeNull();
    expect(rows.map(({ line, column, cell }) => [line, column, cell])).toEqual([
      [3, 'Email', 'person1'],
      [4, 'Email', 'person2'],
    ]);
    const other = { run, consequence: 'leftOut', code: 'email.invalid' };
    expect(await call('problemRows', other)).toEqual({ rows: [], next: null });

    const found = await call('rejects', { run });
    expect(found).toMatchObject({ columns: ['ID', 'First', 'Last', 'Email', 'Phone', 'Score'], list: null });
    expect(found.rows.map(({ cells }) => cells.Email)).toEqual(['person1', 'person2']);
    const [first, second] = found.rows.map(({ seq }) => String(seq));
    const corrections = { [first ?? '']: { Email: 'person1@example.com' } };
    const { path } = await call('correct', { run, corrections });
    expect(await call('rejects', { run })).toMatchObject({ corrections, list: path });
    const file = join(site.folder, path);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toMatch(/,person1@example\.com,.*\n.*,person2,/);
    const retried = await site.longshore(['retry', run, '--from', file, '--json']);
    expect(JSON.parse(retried.stdout).rows).toMatchObject({ read: 2, created: 1, rejected: 1 });

    // The row that the retry has imported is left behind no more.
    expect(await call('status', { run })).toMatchObject({
      open: 1,
      leftBehind: [{ kind: 'rejected', n: 1 }],
    });

    const again = JSON.parse(retried.stdout).run;
    const left = await call('rejects', { run: again });
    // The line is that of the input, and not that of the list that the retry has read.
    expect(left.rows.map(({ line }) => line)).toEqual([4]);
    const listed = await call('runRows', { run: again });
    expect(listed.rows.map(({ line, outcome }) => [line, outcome])).toEqual([
      [3, 'created'],
      [4, 'rejected'],
    ]);
    const wrong = await call('problemRows', {
      ...{ run: again, consequence: 'rejected', code: 'email.invalid' },
    });
    expect(wrong.rows.map(({ line }) => line)).toEqual([4]);
    // The row that the retry has imported is not offered for a correction again.
    const still = await call('rejects', { run });
    expect(still.rows.map(({ seq }) => String(seq))).toEqual([second]);
    expect(still.corrections).toEqual({});
    await call('correct', { run, corrections: { ...corrections, [second ?? '']: { Email: 'x' } } });
    expect(readFileSync(file, 'utf8')).toMatch(/,x,/);
    for (const unknown of [
      { run: '../..', corrections },
      { run: 'none', corrections },
    ])
      expect((await send(routes.correct, unknown)).status).toBe(422);
    expect((await send(routes.correct, { run, corrections: { '../x': {} } })).status).toBe(400);
    expect(warnings).toEqual([]);
  }));

it('a correction is accepted only where the rules of the mapping accept it, and is otherwise explained', () =>
  atSite({ rows: 4 }, async (site) => {
    breakRows(site, 1, 2);
    const { run } = JSON.parse((await site.import()).stdout);
    const { call } = await atStudio({ folder: site.folder, workDir: site.workDir });
    const [first, second] = (await call('rejects', { run })).rows.map(({ seq }) => String(seq));
    const check = async (one: Record<string, string>, other: Record<string, string>) => {
      const corrections = { [first ?? '']: one, [second ?? '']: other };
      const { rows } = await call('checkCorrections', { run, corrections });
      return rows.map(({ problems }) => problems.map(({ column, code }) => [column, code]));
    };
    expect(await check({ Email: 'person1@' }, { Email: 'person2@example.com' })).toEqual([
      [['Email', 'email.invalid']],
      [],
    ]);
    const { rows } = await call('checkCorrections', { run, corrections: { [first ?? '']: { Email: 'x' } } });
    expect(rows[0]?.problems[0]?.reason).toBe('"x" is not an e-mail address: it has no @.');
    // A valid e-mail does not help where another cell is wrong now, and neither does a value that would be left out.
    expect(await check({ Email: 'a@example.com', Score: 'many' }, { First: 'Bo' })).toEqual([
      [['Score', 'customFields.Score.invalid']],
      [['Email', 'email.invalid']],
    ]);
    expect(await call('checkCorrections', { run, corrections: { '99': { Email: 'x' } } })).toEqual({
      rows: [],
    });
  }));

it('corrections are carried over to the rows that a newer file has as they were, and the others are listed', () =>
  atSite({ rows: 4 }, async (site) => {
    breakRows(site, 0, 1, 2);
    const { run: earlier } = JSON.parse((await site.import()).stdout);
    const { call } = await atStudio({ folder: site.folder, workDir: site.workDir });
    const before = await call('rejects', { run: earlier });
    const corrections = Object.fromEntries(
      before.rows.map(({ seq, key }) => [String(seq), { Email: `person${key}@example.com` }]),
    );
    await call('correct', { run: earlier, corrections });

    // One row is as it was, in another line; one is changed, and one is corrected in the file itself.
    const path = join(site.folder, 'people.csv');
    const [head = '', zero = '', one = '', two = '', ...rest] = readFileSync(path, 'utf8').trim().split('\n');
    const changed = one.replace('First1', 'Ann');
    const corrected = two.replace('person2', 'person2@example.com');
    writeFileSync(path, `${[head, ...rest, changed, corrected, zero].join('\n')}\n`);
    const { run } = JSON.parse((await site.import()).stdout);
    const now = await call('rejects', { run });
    expect(now.rows.map(({ line, key }) => [line, key])).toEqual([
      [3, '1'],
      [5, '0'],
    ]);
    const same = String(now.rows[1]?.seq);
    expect(now).toMatchObject({ carried: 1, corrections: { [same]: { Email: 'person0@example.com' } } });
    expect(now.lost.map(({ line, key, cells }) => [line, key, cells.Email])).toEqual([
      [3, '1', 'person1@example.com'],
      [4, '2', 'person2@example.com'],
    ]);

    // Once they are saved they are those of this run, and a retry takes them.
    const { path: list } = await call('correct', { run, corrections: now.corrections });
    expect(await call('rejects', { run })).toMatchObject({ carried: 0, corrections: now.corrections });
    const retried = await site.longshore(['retry', run, '--from', join(site.folder, list), '--json']);
    expect(JSON.parse(retried.stdout).rows).toMatchObject({ created: 1, rejected: 1 });
  }));

it('rows that have lists of joined tables are corrected on the page, too', () =>
  atSite({ rows: 1 }, async (site) => {
    const file = (name: string) => join(site.folder, name);
    mkdirSync(file('crm'));
    writeFileSync(file('crm/people.csv'), 'id,name,email\n1,Bob,bob at example\n');
    writeFileSync(file('crm/notes.csv'), 'id,of,body\nn1,1,Met Bob\n');
    writeFileSync(
      file('crm-map.yaml'),
      'mapping: crm\ncontact: { email: { from: email }, firstName: { from: name } }\ncomments: [{ each: notes, key: id, text: "{body}" }]\n',
    );
    const notes = { table: 'notes', on: { id: 'of' }, many: true };
    const source = { format: 'dump', path: 'crm', table: 'people', join: { notes } };
    // JSON is YAML.
    writeFileSync(
      file('crm.yaml'),
      JSON.stringify({ pipeline: 'crm', import: { source, mapping: 'crm-map.yaml' } }),
    );
    const target = ['--workspace', site.sandbox.baseUrl];
    const { run } = JSON.parse(
      (await site.longshore(['import', file('crm.yaml'), ...target, '--json'])).stdout,
    );
    const { call } = await atStudio({ folder: site.folder, workDir: site.workDir });
    const { rows, canCorrect } = await call('rejects', { run });
    expect(canCorrect).toBe(true);
    const corrections = { [String(rows[0]?.seq)]: { email: 'bob@example.com' } };
    const { path } = await call('correct', { run, corrections });
    const retried = await site.longshore(['retry', run, '--from', file(path), '--json']);
    expect(JSON.parse(retried.stdout).rows).toMatchObject({ read: 1, created: 1 });
    const bob = site.sandbox.contacts().find(({ email }) => email === 'bob@example.com');
    expect(site.sandbox.comments(bob?.id ?? 0).map(({ text }) => text)).toEqual(['Met Bob']);
  }));

it('the lists of a run that are written after its end are next steps as soon as they are there', () =>
  atSite({ rows: 4 }, async (site) => {
    breakRows(site, 1);
    const { run, files } = JSON.parse((await site.import()).stdout);
    const aside = `${files.rejects}.aside`;
    renameSync(files.rejects, aside);
    const { hear } = await atStudio({ folder: site.folder, workDir: site.workDir });
    const isThere = ({ steps }: RouteAnswer<'nextSteps'>) =>
      steps.some(({ command }) => command?.command === 'retry' && command.from !== undefined);
    const seen = await hear('nextSteps', { run }, (steps) => {
      if (!isThere(steps)) renameSync(aside, files.rejects);
      return isThere(steps);
    });
    expect(seen.map(isThere)).toEqual([false, true]);
  }));

it('uncertain comments are decided, and retried by the command of the page', () =>
  atSite({ rows: 2, limits: '{ concurrency: 1 }' }, async (site) => {
    const mapping = join(site.folder, 'mapping.yaml');
    writeFileSync(
      mapping,
      `${readFileSync(mapping, 'utf8')}comments: [{ name: origin, text: "Record {ID}" }]\n`,
    );
    site.sandbox.scriptFault({
      ...{ method: 'POST', path: '/contact/*/comment' },
      kind: 'dropAfter',
      times: 2,
    });
    const { run } = JSON.parse((await site.import()).stdout);
    const { call } = await atStudio({ folder: site.folder, workDir: site.workDir });
    const { comments, answers, list } = await call('uncertain', { run });
    expect({ answers, list }).toEqual({ answers: {}, list: null });
    expect(comments.map(({ text }) => text).sort()).toEqual(['Record 0', 'Record 1']);
    const [there, again] = comments.map(({ id }) => id);
    const said = { [there ?? '']: 'no', [again ?? '']: 'yes' } as const;
    const { path } = await call('answer', { run, answers: said });
    expect(await call('uncertain', { run })).toMatchObject({ answers: said, list: path });
    site.sandbox.resetLog();
    const retried = await site.longshore(['retry', run, '--decided', join(site.folder, path), '--json']);
    expect(retried).toMatchObject({ code: 0, stderr: '' });
    expect(site.sandbox.log.filter((entry) => entry.path.endsWith('/comment'))).toHaveLength(1);
    expect(await call('status', { run })).toMatchObject({ open: 0 });
  }));

it('questions that a later run has answered are open no more, whichever of them were answered first', () =>
  atScene(
    {
      mapping: peopleMapping,
      rows: [7, 8].map((n) => ({
        ...{ ID: `K${n}`, First: 'Anna', Last: 'Smith', Email: `new${n}@x.test`, Phone: `+1201555010${n}` },
      })),
      settings: { policy: { maxErrors: '100%' }, limits: { settle: '1s' } },
      seed: {
        contacts: [7, 8].map((id) => ({
          ...{
            id,
            firstName: 'Anna',
            lastName: 'Meier',
            email: `old${id}@x.test`,
            phone: `+1201555010${id}`,
          },
        })),
      },
    },
    async (scene) => {
      const { run } = await scene.import();
      const { call, hear } = await atStudio({ folder: scene.path, workDir: join(scene.path, 'work') });
      const state = async () => {
        const status = await call('status', { run });
        const [{ steps } = { steps: [] }] = await hear('nextSteps', { run }, () => true);
        const { questions } = await call('samePerson', { run });
        return {
          counts: 'questions' in status ? status.questions : undefined,
          left: 'rows' in status ? status.leftBehind.map(({ kind }) => kind) : [],
          steps: steps.map(({ why }) => why.replace(/ whether .*/, '')),
          asked: questions.map(({ id }) => id),
        };
      };
      const [one, two] = (await state()).asked;
      expect(await state()).toEqual({
        ...{
          counts: { asked: 2, open: 2 },
          left: ['questions'],
          steps: ['2 questions ask'],
          asked: [one, two],
        },
      });

      const apply = async (answers: Readonly<Record<string, 'same' | 'different'>>) => {
        const { path } = await call('answerSamePerson', { run, answers });
        return await scene.import('--approve', join(scene.path, path));
      };
      expect((await apply({ [two ?? '']: 'same' })).rows).toMatchObject({ read: 1, updated: 1 });
      expect(await state()).toEqual({
        ...{ counts: { asked: 2, open: 1 }, left: ['questions'], steps: ['1 question asks'], asked: [one] },
      });
      // The answer that was applied is not in the list again.
      const rest = await apply({ [one ?? '']: 'different', [two ?? '']: 'same' });
      expect(rest.rows).toMatchObject({ read: 1, created: 1, stale: 0 });
      expect(await state()).toEqual({ counts: { asked: 2, open: 0 }, left: [], steps: [], asked: [] });
    },
  ));

it('answers that are saved at the same time are saved one after the other, and the last ones stay', () =>
  atSite({ rows: 4 }, async (site) => {
    breakRows(site, 0, 1, 2, 3);
    const { run } = JSON.parse((await site.import()).stdout);
    const { call, send, warnings } = await atStudio({ folder: site.folder, workDir: site.workDir });
    const [first] = (await call('rejects', { run })).rows;
    const texts = Array.from({ length: 12 }, (_, n) => `person${n}@new.test`);
    const sent = texts.map((Email) => ({ [String(first?.seq)]: { Email } }));
    const saved = await Promise.all(sent.map((corrections) => send(routes.correct, { run, corrections })));
    expect(saved.map(({ status }) => status)).toEqual(texts.map(() => 200));
    const { corrections, list } = await call('rejects', { run });
    // The list that a retry reads has the cell that the page shows.
    const { Email } = corrections[String(first?.seq)] ?? {};
    expect(texts).toContain(Email);
    expect(readFileSync(join(site.folder, list ?? ''), 'utf8')).toContain(`,${Email},`);
    expect(warnings).toEqual([]);
  }));

it('the rows that an import and the run of its answers have rejected are counted together, and all of them are next steps', () =>
  atScene(
    {
      mapping: peopleMapping,
      rows: [
        { ID: 'K1', First: 'Bob', Last: 'Brown', Email: 'nobody', Phone: '' },
        { ID: 'K2', First: 'Mira', Last: 'Vogt', Email: 'mira@x.test', Phone: '+12015550107' },
        { ID: 'K3', First: 'Mira', Last: 'Klein', Email: '', Phone: '+12015550107' },
      ],
      settings: { policy: { maxErrors: '100%' }, limits: { settle: '1s' } },
    },
    async (scene) => {
      const { run } = await scene.import();
      const { call, hear } = await atStudio({ folder: scene.path, workDir: join(scene.path, 'work') });
      const state = async () => {
        const [event] = await hear('watchActivity', { pipeline: 'pipeline.yaml' }, () => true);
        const [{ steps } = { steps: [] }] = await hear('nextSteps', { run }, () => true);
        const { open, openQuestions } = event?.progress ?? {};
        return {
          open,
          openQuestions,
          steps: steps.map(({ run: of, why }) => [of, why.split(' ', 4).join(' ')]),
        };
      };
      const own = [
        [run, 'Fix the 1 row'],
        [run, 'Or correct the rows'],
      ];
      const before = await state();
      expect(before).toMatchObject({ open: 1, openQuestions: 1 });
      expect(before.steps).toEqual([...own, [run, '1 question asks whether']]);
      const [asked] = (await call('samePerson', { run })).questions;
      const { path } = await call('answerSamePerson', { run, answers: { [asked?.id ?? '']: 'different' } });
      const answers = await scene.import('--approve', join(scene.path, path));
      expect(answers.rows).toMatchObject({ read: 1, rejected: 1 });
      expect(await state()).toEqual({
        ...{ open: 2, openQuestions: 0 },
        steps: [...own, [answers.run, 'Fix the 1 row']],
      });
    },
  ));
