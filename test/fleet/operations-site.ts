import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect } from 'vitest';
import { atFleet, type FleetSite, type FleetSiteOptions, type Pipeline } from './fleet-site.ts';
import type { Machine } from './worker-process.ts';

/** A fleet whose input grows, whose people get a comment each, and whose database can be copied. */
export interface OperationsSite extends FleetSite {
  /** From now on the input has so many people. */
  input(people: number): void;
  /** Imports or exports once, on whichever machine works. */
  done(pipeline: Pipeline): Promise<void>;
  /** A machine starts, does each of these once, and drains. */
  turn(machine: Machine, ...pipelines: readonly Pipeline[]): Promise<void>;
  /** How many comments each person has, in the order of the input; those that are not there yet have none. */
  comments(): readonly number[];
  /** How many requests have changed something in the workspace. */
  changes(): number;
  /** Runs a statement as the administrator of the server, beside the database of the fleet. */
  administer(...statements: readonly string[]): Promise<void>;
  /** Copies the database, in which nobody works. */
  backup(): Promise<void>;
  /** Puts the copy in the place of the database. */
  restore(): Promise<void>;
  /** Puts a new database, prepared, with the fleet file applied, in the place of the one that is lost. */
  startOver(): Promise<void>;
}

export interface OperationsOptions extends FleetSiteOptions {
  /** Whether people who were there before get their comment, too. */
  readonly comments?: 'send' | 'skip';
}

export async function atOperations(
  { comments = 'send', ...options }: OperationsOptions,
  use: (site: OperationsSite) => Promise<void>,
): Promise<void> {
  // What is tried once only has a lease that a busy machine does not miss.
  await atFleet({ rows: 40, limits: { retries: 0, lease: '30s' }, ...options }, async (site) => {
    const path = (name: string) => join(site.folder, name);
    const mapping = readFileSync(path('mapping.yaml'), 'utf8');
    writeFileSync(
      path('mapping.yaml'),
      `${mapping}comments: { existing: ${comments}, entries: [{ name: origin, text: "Record {ID}" }] }\n`,
    );
    await site.longshore('fleet', 'apply', site.fleetFile, '--yes');
    const lines = readFileSync(path('people.csv'), 'utf8').split('\n');
    const administer = (...statements: readonly string[]) => onServer(site.postgres.url, ...statements);
    const done = async (pipeline: Pipeline) => {
      await site.longshore('fleet', 'run', 'acme', pipeline);
      await site.succeeded(pipeline);
    };
    await use({
      ...site,
      administer,
      input: (people) => writeFileSync(path('people.csv'), `${lines.slice(0, people + 1).join('\n')}\n`),
      done,
      async turn(machine, ...pipelines) {
        machine.start();
        for (const pipeline of pipelines) await done(pipeline);
        await drained(machine);
      },
      comments() {
        const counts = new Map(
          site.sandbox.contacts().map(({ id, email }) => [email, site.sandbox.comments(id).length]),
        );
        return lines.slice(1, -1).map((_, n) => counts.get(`person${n}@example.com`) ?? 0);
      },
      changes: () =>
        site.sandbox.log.filter(
          ({ applied, method, path: at }) => applied && method !== 'GET' && !/\/list$/.test(at),
        ).length,
      backup: () => administer(...gone('fleet'), 'CREATE DATABASE backup TEMPLATE fleet'),
      restore: () => administer('DROP DATABASE fleet WITH (FORCE)', 'CREATE DATABASE fleet TEMPLATE backup'),
      async startOver() {
        await administer('DROP DATABASE fleet WITH (FORCE)', 'CREATE DATABASE fleet');
        await site.longshore('fleet', 'init');
        await site.longshore('fleet', 'apply', site.fleetFile, '--yes');
      },
    });
  });
}

/** Adds incoming messages of the first contact, with the ids from `from` to `to`. */
export function addMessages({ sandbox }: Pick<FleetSite, 'sandbox'>, from: number, to: number): void {
  sandbox.add({
    messages: Array.from({ length: to - from + 1 }, (_, n) => ({
      ...{ messageId: from + n, contactId: 1, channelId: 1, traffic: 'incoming' as const },
      ...{ message: { type: 'text', text: `message ${from + n}` }, status: [] },
    })),
  });
}

/** The messages of each export, in the order of their ids. */
export function exported(site: Pick<FleetSite, 'exportedMessages'>): readonly (readonly number[])[] {
  return site.exportedMessages().map((ids) => [...ids].sort((a, b) => a - b));
}

/** So many of one number, then so many of another. */
export function counted(...runs: readonly (readonly [times: number, n: number])[]): readonly number[] {
  return runs.flatMap(([times, n]) => Array.from({ length: times }, () => n));
}

/** Drains a machine, which has to end well. */
export async function drained(machine: { drain(): Promise<number | null> }): Promise<void> {
  expect(await machine.drain()).toBe(0);
}

/** Runs statements as the administrator of the server that a database is on, beside that database. */
export async function onServer(url: string, ...statements: readonly string[]): Promise<void> {
  const server = new URL(url);
  server.pathname = '/postgres';
  const client = new pg.Client({ connectionString: server.href });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Ends the idle connections that keep a database from being copied. */
function gone(database: string): readonly string[] {
  return [`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`];
}
