export const createExports = `
ALTER TABLE run ADD COLUMN counts TEXT;          -- JSON: what an export wrote, by kind; null for an import
ALTER TABLE run ADD COLUMN folder TEXT;          -- where a complete export was put
`;
