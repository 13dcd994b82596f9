export const addSheets = `
ALTER TABLE run ADD COLUMN sheets TEXT;        -- JSON: the sheets that its input reads as one; null where they are not several
ALTER TABLE row ADD COLUMN sheet TEXT;         -- the row's, where there are several
`;
