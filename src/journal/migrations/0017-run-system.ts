export const addRunSystem = `
ALTER TABLE run ADD COLUMN system TEXT;        -- JSON: the source's system, where it is named; mapping_name is what keys are remembered under
ALTER TABLE run ADD COLUMN same_person TEXT;   -- the rule of runs from before there were two; null: as the policy says
UPDATE run SET same_person = 'identifier' WHERE kind = 'import';
`;
