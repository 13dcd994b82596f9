export const addLeftBehind = `
ALTER TABLE run ADD COLUMN left_behind TEXT;   -- JSON: what the first pass over the input found that the import leaves behind
`;
