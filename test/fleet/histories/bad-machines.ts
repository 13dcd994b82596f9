import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BadMachine, badMachines } from '../bad-machines.ts';
import { randomOf } from './randomness.ts';

/** Takes every job, and gives it back: what its file says is not what was applied. */
const withOtherAddresses: BadMachine = {
  what: 'with a fleet file of other addresses',
  make: ({ folder, fleetFile }) => {
    const file = join(folder, 'other-addresses.yaml');
    writeFileSync(file, readFileSync(fleetFile, 'utf8').replaceAll('//127.0.0.1', '//localhost'));
    return { file };
  },
  says: /differs from the applied one for/,
};

const kinds: readonly BadMachine[] = [withOtherAddresses, ...badMachines];

/** The bad machines of a history: each kind comes in turn, often with a second one. */
export function badMachinesOf(seed: number): readonly BadMachine[] {
  const inTurn = (seed - 1) % kinds.length;
  const second = Math.floor(randomOf(seed)() * kinds.length);
  return kinds.filter((_, kind) => kind === inTurn || kind === second);
}
