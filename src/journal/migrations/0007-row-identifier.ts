export const addRowIdentifier = `
ALTER TABLE row ADD COLUMN identifier TEXT;    -- email:… or phone:… of the contact that the row came to
`;
