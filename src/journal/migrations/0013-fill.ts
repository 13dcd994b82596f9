export const addFill = `
ALTER TABLE run ADD COLUMN fields TEXT;        -- JSON: the fields that the mapping writes, in the order of row.fill
ALTER TABLE row ADD COLUMN fill TEXT;          -- which of them the contact had a value for, before and after the row
`;
