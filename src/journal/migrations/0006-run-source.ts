export const nameSources = `
ALTER TABLE run ADD COLUMN source TEXT;          -- the input that was named in place of the pipeline's own
`;
