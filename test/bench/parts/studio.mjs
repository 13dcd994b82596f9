import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { figure, rounded } from '../report.mjs';
import { withFolder } from '../run/command.mjs';
import { peopleFile } from '../run/import.mjs';
import { withStudio } from '../studio/served.mjs';
import { findBrowser, typeInto } from '../studio/typing.mjs';

const mapping = `mapping: people
key: Record ID
contact:
  firstName: { from: First Name }
  lastName: { from: Last Name }
  email: { from: Email }
  phone: { from: Phone, country: US }
  countryCode: { from: Country }
comments: [{ name: origin, text: "Record {Record ID}" }]
`;
const pipeline = `pipeline: people
import:
  source: { format: csv, path: ../people.csv }
  mapping: ../mappings/people.yaml
`;
const files = { mapping: 'mappings/people.yaml', pipeline: 'pipelines/people.yaml', input: 'people.csv' };

/** What somebody waits for in the studio with a large file, what the studio takes of memory, and whether one can type meanwhile. */
export async function benchStudio({ studio: { rows, rounds, characters } }) {
  return await withFolder(async (folder) => {
    await project(folder, rows);
    return await withStudio(folder, async (studio) => {
      const served = await figuresServed(studio, rows, rounds);
      const typed = await typing(studio, characters);
      return [...served, ...typed, ...memory(studio)];
    });
  });
}

async function project(folder, rows) {
  for (const name of ['mappings', 'pipelines']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, files.mapping), mapping);
  writeFileSync(join(folder, files.pipeline), pipeline);
  renameSync(await peopleFile(folder, rows), join(folder, files.input));
}

async function figuresServed(studio, rows, rounds) {
  const [preview, first, edited, done] = [[], [], [], []];
  let share = 0;
  for (let round = 0; round < rounds; round += 1) {
    const look = { path: files.input, rows: 100, seed: round / rounds };
    preview.push((await studio.until('/api/inputs/look', look, ({ kind }) => kind === 'look')).ms);
    const found = await counts(studio, mapping);
    first.push(found.ms);
    share = found.event.counts.share;
    // As the page does: while the rows are counted for the text before.
    const before = counts(studio, mapping, ({ done }) => done).catch(() => undefined);
    edited.push(
      (await counts(studio, mapping.replace('{ from: Last Name }', '{ from: Last Name, required: true }')))
        .ms,
    );
    done.push((await before)?.ms ?? 0);
  }
  const name = `${rounded(rows)} rows`;
  return [
    figure({ name: `preview of ${name}`, rounds: preview, unit: ' ms', digits: 0, atMost: 1_000 }),
    figure({
      ...{ name: `first counts of ${name}`, rounds: first, unit: ' ms', digits: 0, atMost: 3_000 },
      note: `labelled ${rounded(100 * share, 1)} % of the file read`,
    }),
    figure({
      ...{
        name: `first counts after an edit of the mapping, ${name}`,
        rounds: edited,
        unit: ' ms',
        digits: 0,
      },
      atMost: 3_000,
      note: `while the counts before go on, which take ${rounded(Math.max(...done) / 1_000, 1)} s`,
    }),
  ];
}

function counts({ until }, text, isWanted = () => true) {
  const question = { input: { kind: 'pipeline', path: files.pipeline }, path: files.mapping, text };
  return until('/api/mapping/counts', question, (event) => event.kind === 'counts' && isWanted(event.counts));
}

async function typing({ origin, token }, characters) {
  const executablePath = findBrowser();
  if (executablePath === undefined) {
    console.error('studio: there is no Chromium, so nothing was typed');
    return [];
  }
  const typed = await typeInto({ executablePath, origin, token, mapping: files.mapping, characters });
  const block = (where, { ms, cpuMs }) =>
    figure({
      ...{
        name: `longest block of the page while typing into ${where}`,
        rounds: [ms],
        unit: ' ms',
        digits: 0,
      },
      atMost: 50,
      note: `${characters} characters, 50 ms apart, with the rows counted meanwhile; the longest task took ${rounded(cpuMs)} ms of processor time`,
    });
  return [
    figure({
      ...{ name: 'first view shown, nothing cached', rounds: [typed.firstView], unit: ' ms' },
      ...{ digits: 0, atMost: 1_000 },
    }),
    figure({
      ...{ name: 'first counts shown after a mapping is opened', rounds: [typed.firstCounts], unit: ' ms' },
      ...{ digits: 0, atMost: 3_000 },
    }),
    block('the YAML', typed.yaml),
    block('a template', typed.template),
  ];
}

function memory(studio) {
  const { own, jobs } = studio.memory.most();
  const most = (name, value, more) =>
    value === undefined ? [] : [figure({ name, rounds: [value], unit: ' MiB', digits: 0, ...more })];
  return [
    ...most('peak memory of the server', own, { atMost: 300 }),
    ...most('peak memory of the largest process that reads the file', jobs, {}),
  ];
}
