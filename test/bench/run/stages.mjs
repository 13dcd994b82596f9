import { readFileSync } from 'node:fs';

/** The stages of a row's way, each with the modules whose time it is; the innermost module of a call decides. */
export const stages = {
  parse: /\/(dist\/sources|csv-parse)\//,
  map: /\/dist\/mapping\//,
  normalise: /\/(dist\/datatypes|libphonenumber-js|i18n-iso-countries|luxon)\//,
  index:
    /\/dist\/(app\/import\/(scan|index-row|key-count|key-memory)\.|identity\/input-index|app\/run\/left-behind)/,
  identity:
    /\/dist\/(identity|app\/import\/(rows|pool|row-choice|lookup-strategy)\.|app\/import\/person\/(find-person|recognise|questions|turns|memory|gather|forgotten|proposals|run-person|person)\.)/,
  intent:
    /\/dist\/(app\/run\/step|journal\/(step|created|wait|request)-record|journal\/(group-commit|journal))\./,
  request: /\/dist\/(workspace\/|steps\/|app\/import\/person\/write-contact\.)/,
  answer: /\/undici\//,
  outcome: /\/dist\/(app\/import\/person\/(end|fill|progress|contact-steps)\.|journal\/|app\/run\/|report\/)/,
};

/**
 * Reads a profile; returns the busy milliseconds of each stage, of the collector, and of everything else. A library that
 * no stage names, such as SQLite's or zod, counts to the stage that calls it.
 */
export function readStages(path) {
  const profile = JSON.parse(readFileSync(path, 'utf8'));
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  );
  const known = new Map();
  const stageOf = (id) => {
    if (id === undefined) return 'rest';
    if (known.has(id)) return known.get(id);
    const { functionName, url } = nodes.get(id).callFrame;
    const own = ownStages.get(functionName) ?? Object.keys(stages).find((name) => stages[name].test(url));
    const stage = own ?? stageOf(parents.get(id));
    known.set(id, stage);
    return stage;
  };
  const ms = Object.fromEntries([...Object.keys(stages), 'collector', 'rest'].map((name) => [name, 0]));
  for (const [at, id] of profile.samples.entries()) {
    const stage = stageOf(id);
    if (stage !== 'idle') ms[stage] += profile.timeDeltas[at] / 1_000;
  }
  return ms;
}

const ownStages = new Map([
  ['(idle)', 'idle'],
  ['(garbage collector)', 'collector'],
]);
