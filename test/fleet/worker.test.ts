import { expect, it } from 'vitest';
import { seen } from '../cli/site.ts';
import { atFleet } from './fleet-site.ts';

it('another machine continues an import whose machine died and lost its disk, and every row is there once', () =>
  atFleet({ rows: 60, faults: { latency: { min: 20, max: 40 } } }, async (site) => {
    const [one, two] = [site.machine('one'), site.machine('two')];
    one.start();
    await site.longshore('fleet', 'run', 'acme', 'load');
    await seen(site.sandbox, 25, ({ applied }) => applied);
    await one.kill();
    one.loseDisk();
    two.start();
    await site.succeeded('load');
    site.expectExact();
    expect(two.said).toContain('The journal was restored from the database.');
    expect(await two.drain()).toBe(0);
  }));

it('exports in increments, each message once, also where a machine dies and loses its disk between two nights', () =>
  atFleet({ rows: 12 }, async (site) => {
    const add = (from: number, n: number) =>
      site.sandbox.add({
        messages: Array.from({ length: n }, (_, index) => ({
          ...{ messageId: from + index, contactId: 1, channelId: 1, traffic: 'incoming' as const },
          ...{ message: { type: 'text', text: `message ${from + index}` }, status: [] },
        })),
      });
    add(1, 5);
    const [one, two] = [site.machine('one'), site.machine('two')];
    one.start();
    await site.longshore('fleet', 'run', 'acme', 'nightly');
    await site.succeeded('nightly');
    await one.kill();
    one.loseDisk();
    add(6, 4);
    two.start();
    await site.longshore('fleet', 'run', 'acme', 'nightly');
    await site.succeeded('nightly');
    expect(site.exportedMessages().map((ids) => [...ids].sort((a, b) => a - b))).toEqual([
      [1, 2, 3, 4, 5],
      [6, 7, 8, 9],
    ]);
    expect(await two.drain()).toBe(0);
  }));
