import type { SceneOptions } from '../end-to-end/scene.ts';

/** Two rows whose e-mail is an older contact and whose phone a younger one. */
export const twoProposals: SceneOptions = {
  mapping: `mapping: merges
key: ID
contact:
  firstName: { from: First }
  email: { from: Email }
  phone: { from: Phone }
`,
  rows: [
    { ID: 'M0', First: 'ann', Email: 'ann@example.com', Phone: '+12015550300' },
    { ID: 'M1', First: 'bo', Email: 'bo@example.com', Phone: '+12015550301' },
  ],
  settings: { limits: { settle: '2s' } },
  seed: {
    contacts: [
      { id: 10, firstName: 'Ann', email: 'ann@example.com', language: 'en', created_at: 1_700_000_000 },
      { id: 11, firstName: 'Bo', email: 'bo@example.com', created_at: 1_700_000_000 },
      {
        ...{ id: 50, firstName: 'A.', lastName: 'Doe', phone: '+12015550300', language: 'en' },
        created_at: 1_700_000_001,
      },
      { id: 51, firstName: 'B.', phone: '+12015550301', created_at: 1_700_000_001 },
    ],
  },
};
