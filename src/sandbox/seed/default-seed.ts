import type { CheckedSeed } from './seed.ts';

/** The workspace of somebody who brings none: people to assign, notes to close with, no contacts. */
export const defaultSeed: CheckedSeed = {
  users: [
    { id: 1, firstName: 'Olive', lastName: 'Owner', email: 'owner@sandbox.test', role: 'owner' },
    { id: 2, firstName: 'Max', lastName: 'Manager', email: 'manager@sandbox.test', role: 'manager' },
    { id: 3, firstName: 'Ada', lastName: 'Agent', email: 'agent@sandbox.test', role: 'agent' },
  ],
  closingNotes: [
    { category: 'Resolved', description: 'The matter is settled.' },
    { category: 'Migrated', description: 'Brought over from another system.' },
    { category: 'Spam', description: 'Nobody needs an answer.' },
  ],
};
