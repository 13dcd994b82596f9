import { changed, pageOf } from './bodies.mjs';

/** Contacts as they are created: nothing is refused, so that who creates a person twice has created two. */
export function rememberingContacts() {
  const contacts = [];
  const byIdentifier = new Map();
  const find = (identifier) =>
    identifier.startsWith('id:') ? contacts[Number(identifier.slice(3)) - 1] : byIdentifier.get(identifier);

  return {
    list: (query) => pageOf(query, contacts.length, (at) => contacts[at].shown),
    read: (identifier) => {
      const found = find(identifier);
      return found === undefined ? undefined : JSON.stringify(found.shown);
    },
    create(body) {
      const shown = { id: contacts.length + 1, status: 'closed', tags: [], ...JSON.parse(body) };
      const contact = { shown, comments: 0 };
      contacts.push(contact);
      for (const identifier of [`email:${shown.email}`, `phone:${shown.phone}`])
        if (!byIdentifier.has(identifier)) byIdentifier.set(identifier, contact);
    },
    change(identifier, what) {
      const found = find(identifier);
      if (found !== undefined && what === 'comment') found.comments += 1;
      return changed(found?.shown.id ?? 1);
    },
    effects: () => effectsOf(contacts),
  };
}

/** What became of each person, who was to be created once and to have one comment. */
function effectsOf(contacts) {
  const people = new Map();
  for (const { shown, comments } of contacts) {
    const person = people.get(shown.email) ?? { contacts: 0, comments: 0 };
    people.set(shown.email, { contacts: person.contacts + 1, comments: person.comments + comments });
  }
  const complete = [...people].filter(([, { comments }]) => comments > 0).map(([email]) => email);
  const each = [...people.values()];
  const doubledContacts = each.reduce((sum, person) => sum + person.contacts - 1, 0);
  const doubledComments = each.reduce((sum, person) => sum + Math.max(0, person.comments - 1), 0);
  return { complete, doubledContacts, doubledComments };
}
