/** When each worker has left in good order. */
export const leftAt = `
  -- Null while it works, and where it was never heard of again. A machine that has just left may come back: jobs wait for it.
  ALTER TABLE longshore.worker ADD COLUMN left_at timestamptz;
`;
