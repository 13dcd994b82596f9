import { readFileSync } from 'node:fs';

/** The stages of a row's way, each with the files whose time it is; the innermost file of a call decides. */
export const stages = {
  parse: /\/(dist\/sources|csv-parse)\//,
  map: /\/(dist\/(mapping|datatypes)|libphonenumber-js)\/|\/zod\/.*never/,
  index:
    /\/dist\/(app\/import\/(scan|index-row|key-count|key-memory)|identity\/input-index|app\/run\/left-behind)/,
  identity:
    /\/dist\/(identity|app\/import\/(person\/(find-person|recognise|questions|turns|memory|gather|forgotten|proposals|run-person)|rows|pool))/,
  intent: /\/dist\/(app\/run\/step|journal\/(step-record|created-record|wait-record|group-commit|journal))/,
  request: /\/dist\/(workspace|steps|app\/import\/person\/write-contact)/,
  outcome: /\/dist\/(app\/import\/person\/(end|fill|progress|contact-steps)|journal|app\/retry)/,
  answer: /\/undici\//,
};

/** Reads a profile; returns the busy milliseconds of each stage, of the collector, and of everything else. */
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
    const own =
      functionName === '(idle)'
        ? 'idle'
        : functionName === '(garbage collector)'
          ? 'collector'
          : Object.keys(stages).find((name) => stages[name].test(url));
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
