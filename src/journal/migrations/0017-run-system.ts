export const addRunSystem = `
ALTER TABLE run ADD COLUMN system TEXT;        -- JSON: the source's system, where it is named; mapping_name is what keys are remembered under
`;
