import { expect, it } from 'vitest';
import { type HistorySize, playHistory } from './histories/history.ts';

/** One for each seed; `npm run fleet:histories -- --seeds N` plays many. */
const seeds = (process.env.LONGSHORE_HISTORY_SEEDS ?? '1,2').split(',').map(Number);

/** What two cores play in about two minutes; larger ones by the command. */
const size: HistorySize = {
  workspaces: 3,
  machines: 2,
  rounds: 3,
  rows: 20,
  messages: 15,
  stopMs: 0,
  ...JSON.parse(process.env.LONGSHORE_HISTORY_SIZE ?? '{}'),
};

it.each(seeds)(
  'history %i: machines die, hang and lose their disks, the database restarts, some machines are bad, and everything is done once',
  async (seed) => {
    const told = await playHistory(seed, size);
    process.stdout.write(`history ${seed}: ${JSON.stringify(told)}\n`);
    expect(told.killed + told.stopped).toBeGreaterThan(0);
  },
  20 * 60_000,
);
