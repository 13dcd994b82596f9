export const addTableUses = `
ALTER TABLE run ADD COLUMN tables TEXT;        -- JSON: what became of the rows of each table of its input, without ids; null where it has none
`;
