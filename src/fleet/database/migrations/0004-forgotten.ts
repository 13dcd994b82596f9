/** How often people were removed from what is stored of a workspace. */
export const forgotten = `
  -- One more each time: a work dir that does not know the last one may still have the person.
  ALTER TABLE longshore.holder ADD COLUMN forgotten text[] NOT NULL DEFAULT '{}';
`;
