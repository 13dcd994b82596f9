/** When each pipeline was called for last. */
export const calledAt = `
  -- By its schedule, or by a person who runs it; null until the next time. due_at stays at the first success that is owed.
  ALTER TABLE longshore.assignment ADD COLUMN called_at timestamptz;
`;
