export const addUndo = `
ALTER TABLE run ADD COLUMN undo TEXT;          -- JSON: which run it takes back, and what of it; null for others
ALTER TABLE step ADD COLUMN created INTEGER;   -- 1 where its call brought something new into being, 0 where it was there; null where nobody knows
ALTER TABLE step ADD COLUMN memory TEXT;       -- JSON: what the step changes in what is remembered of the contact; null for others
CREATE INDEX run_undo ON run (undo ->> '$.run') WHERE undo IS NOT NULL;
`;
