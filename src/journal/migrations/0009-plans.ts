export const addPlans = `
ALTER TABLE run ADD COLUMN plan TEXT;          -- the plan (its path) of which the run does exactly what it has
`;
