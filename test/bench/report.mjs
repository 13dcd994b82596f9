import { readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform, release, totalmem } from 'node:os';

const packages = ['longshore', 'undici', 'better-sqlite3', 'csv-parse', 'libphonenumber-js', 'zod'];

/**
 * One line of the report. `rounds` are what was measured, and `value` their median where none is given; `atMost` or `atLeast` is the
 * aim; `note` says what the figure is made of.
 */
export function figure({
  name,
  rounds = [],
  value = median(rounds),
  unit = '',
  digits = 2,
  atMost,
  atLeast,
  note,
}) {
  const held = isHeld(value, atMost, atLeast);
  const aim = atMost === undefined ? (atLeast === undefined ? '' : `≥ ${atLeast}`) : `≤ ${atMost}`;
  return { figure: name, value, unit, aim, held, note, rounds, shown: `${rounded(value, digits)}${unit}` };
}

function isHeld(value, atMost, atLeast) {
  if (atMost !== undefined) return value <= atMost;
  return atLeast === undefined ? null : value >= atLeast;
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function rounded(value, digits = 0) {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Prints figures as a table: what was measured, its aim, whether that is held, and below what it is made of. */
export function printFigures(figures) {
  const lines = [
    ['figure', 'measured', 'aim', 'held?'],
    ...figures.map(({ figure, shown, aim, held }) => [figure, shown, aim, words.get(held)]),
  ];
  const widths = [0, 1, 2, 3].map((at) => Math.max(...lines.map((cells) => cells[at].length)));
  for (const [at, cells] of lines.entries()) {
    const [name, ...rest] = cells.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]),
    );
    console.log(`${[name, ...rest].join('  ')}`);
    const note = figures[at - 1]?.note;
    if (note !== undefined) console.log(`    ${note}`);
  }
}

const words = new Map([
  [true, 'yes'],
  [false, 'NO'],
  [null, '–'],
]);

/** Writes figures, with the machine and the versions that they were measured on. */
export function writeFigures(path, figures, { quick, seconds }) {
  const [cpu] = cpus();
  const machine = {
    ...{ cpu: cpu?.model ?? '?', cores: cpus().length, memoryGiB: Math.round(totalmem() / 2 ** 30) },
    ...{ os: `${platform()} ${release()}`, arch: arch() },
  };
  const versions = {
    node: process.version,
    ...Object.fromEntries(packages.map((name) => [name, versionOf(name)])),
  };
  const shownNowhere = figures.map(({ shown: _, ...rest }) => rest);
  const date = new Date().toISOString();
  const report = { date, quick, seconds: Math.round(seconds), machine, versions, figures: shownNowhere };
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`);
}

function versionOf(name) {
  const folder = name === 'longshore' ? '../..' : `../../node_modules/${name}`;
  return JSON.parse(readFileSync(new URL(`${folder}/package.json`, import.meta.url), 'utf8')).version;
}
