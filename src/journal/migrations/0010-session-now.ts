export const addSessionNow = `
ALTER TABLE session ADD COLUMN now TEXT;       -- JSON: what is under way and what is waited for, at the last heartbeat
ALTER TABLE session ADD COLUMN pace TEXT;      -- JSON: how much was done by when, in at most some hundred samples
`;
