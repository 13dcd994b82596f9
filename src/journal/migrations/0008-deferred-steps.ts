export const renameDeferred = `
UPDATE run SET selection = '{"kind":"deferred"}' WHERE selection = '{"kind":"held"}';
`;
