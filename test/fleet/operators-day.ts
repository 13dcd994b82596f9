import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { parse } from 'yaml';
import type { FleetStatus } from '../../src/fleet/control/status.ts';
import { run } from '../end-to-end/command.ts';
import { atReceiver } from '../notify/receiver.ts';
import { pageOf } from '../pages.ts';
import { atOperations, type OperationsOptions, type OperationsSite } from './operations-site.ts';
import type { Postgres } from './postgres.ts';

/** A row of the table "An operator's day" of docs/fleet.md. */
export interface DayRow {
  /** The bold words of what has happened. */
  readonly what: string;
  /** What the pipeline has in fleet.yaml where that happens. */
  readonly keys: object;
  readonly seen: readonly Seen[];
  /** The commands with which to look. */
  readonly looks: readonly string[];
  readonly hasAlert: boolean;
  readonly commands: readonly string[];
  /** What is written into a list, and where. */
  readonly words: readonly string[];
}

/** What is in backticks is in what `fleet status` prints; what is in quotation marks may also be said by a worker. */
export interface Seen {
  readonly pattern: RegExp;
  readonly where: 'status' | 'anywhere';
}

/** The rows of the table, in its order. */
export function dayRows(): readonly DayRow[] {
  const [, section = ''] = pageOf('docs/fleet.md').text.split("\n## An operator's day\n");
  const [, table = ''] = /^\|---.*\|\n((?:\|.*\|\n)+)/m.exec(section) ?? [];
  return table.trimEnd().split('\n').map(rowOf);
}

function rowOf(line: string): DayRow {
  const [happened = '', seen = '', typed = ''] = line.split('|').slice(1);
  const [, what = ''] = /\*\*(.+?)\.?\*\*/.exec(happened) ?? [];
  const [keys = '{}'] = inBackticks(happened);
  return {
    what,
    keys: Object(parse(keys)),
    seen: [...seen.matchAll(/`([^`]+)`|"([^"]+)"/g)].flatMap(([, code, text = '']): readonly Seen[] => {
      if (code === undefined) return [{ pattern: patternOf(text), where: 'anywhere' }];
      return isCommand(code) ? [] : [{ pattern: patternOf(code), where: 'status' }];
    }),
    looks: inBackticks(seen).filter(isCommand),
    hasAlert: /\balert\b/.test(seen),
    commands: inBackticks(typed).filter(isCommand),
    words: inBackticks(typed).filter((each) => !isCommand(each)),
  };
}

const inBackticks = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
const isCommand = (text: string) => text.startsWith('fleet ');

/** The text as it is, with anything on the same line in the place of each "…". */
function patternOf(text: string): RegExp {
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('…', '.+'));
}

export interface DayOptions extends OperationsOptions {
  /** How the trouble of the row begins, is seen, and is over. */
  readonly play: (day: Day, site: OperationsSite) => Promise<void>;
}

/** Plays a row; everything that it shows has to be seen, everything that it names typed, and nothing is left to do in the end. */
export async function playRow(
  row: DayRow,
  { play, ...options }: DayOptions,
  server: () => Promise<Postgres>,
): Promise<void> {
  await atReceiver(async (receiver) => {
    const fleet = {
      pipelines: {
        // Its time is far away: what is played is asked for. A late input is waited for until a time that is not just now.
        import: {
          file: 'pipeline.yaml',
          schedule: { cron: '0 0 1 7 *', timezone: new Date().getUTCHours() === 3 ? 'Asia/Tokyo' : 'UTC' },
          ...row.keys,
        },
        nightly: { file: 'nightly.yaml' },
      },
      places: { outputs: 'out', results: 'results' },
      alerts: { url: receiver.url, on: ['failure'] },
    };
    await atOperations({ rows: 12, limits: { lease: '30s' }, fleet, server, ...options }, async (site) => {
      mkdirSync(join(site.folder, 'results'));
      const day = new Day(row, site);
      await play(day, site);
      await day.calm();
      day.complete();
      expect(receiver.alerts.length > 0, 'an alert').toBe(row.hasAlert);
    });
  });
}

const looks = ['fleet status', 'fleet status acme'];

/** What an operator sees and types while a row is played. */
export class Day {
  readonly #row: DayRow;
  readonly #site: OperationsSite;
  readonly #seen = new Set<Seen>();
  readonly #typed = new Set<string>(looks);
  #printed = '';
  /** What the operator has in the environment from now on, beside that of the site. */
  env: Readonly<Record<string, string>> = {};

  constructor(row: DayRow, site: OperationsSite) {
    this.#row = row;
    this.#site = site;
  }

  /** What the row shows, in its order. */
  get seen(): readonly Seen[] {
    return this.#row.seen;
  }

  /** The commands that the row names, in their order. */
  get commands(): readonly string[] {
    return this.#row.commands;
  }

  /** The words that the row has for a list, in their order. */
  get words(): readonly string[] {
    return this.#row.words;
  }

  /** Looks until all of these are seen; what `fleet status acme` printed then. */
  async sees(...wanted: readonly (Seen | undefined)[]): Promise<string> {
    return await vi.waitFor(
      async () => {
        const [fleet = '', workspace = ''] = await Promise.all(looks.map((command) => this.#look(command)));
        const status = `${fleet}\n${workspace}`;
        const anywhere = [status, this.#printed, this.#site.said()].join('\n');
        for (const each of wanted) {
          if (each === undefined) throw new Error('The row does not show what is played.');
          expect(each.where === 'status' ? status : anywhere).toMatch(each.pattern);
          this.#seen.add(each);
        }
        return workspace;
      },
      { timeout: 60_000, interval: 200 },
    );
  }

  /** Types a command of the row, with `there` in the place of the "…" in it. */
  async types(command: string | undefined, there = '', ...flags: readonly string[]): Promise<void> {
    if (command === undefined) throw new Error('The row names fewer commands than are played.');
    this.#typed.add(command);
    this.#printed += await this.#run([...command.replace('…', there).split(' '), ...flags]);
  }

  /** Everything that the row says has happened here. */
  complete(): void {
    expect(
      this.seen.filter((each) => !this.#seen.has(each)),
      'was not seen',
    ).toEqual([]);
    const named = [...this.#row.looks, ...this.commands];
    expect(
      named.filter((each) => !this.#typed.has(each)),
      'was not typed',
    ).toEqual([]);
  }

  /** Resolves when nothing of the workspace is at work or waits for anybody. */
  async calm(): Promise<void> {
    await vi.waitFor(
      async () => {
        const status: FleetStatus = JSON.parse(await this.#look('fleet status --json'));
        expect(status.assignments.map(({ pipeline, state }) => `${pipeline} ${state}`).sort()).toEqual([
          'import waiting',
          'nightly idle',
        ]);
      },
      { timeout: 60_000, interval: 200 },
    );
  }

  /** What a command prints that ends with 3 where something waits for a person. */
  async #look(command: string): Promise<string> {
    const { stdout, stderr, code } = await this.#start(command.split(' '));
    expect([0, 3], stderr).toContain(code);
    return stdout;
  }

  async #run(words: readonly string[]): Promise<string> {
    const { stdout, stderr, code } = await this.#start(words);
    expect(code, stderr).toBe(0);
    return stdout;
  }

  #start(words: readonly string[]) {
    return run(words, { ...this.#site.env, ...this.env }, undefined, this.#site.folder);
  }
}
