/** The tables of a workspace; a file that another version wrote is refused by its user_version. */
export const schemaVersion = 1;

export const schema = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE contacts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  firstName TEXT, lastName TEXT, phone TEXT, email TEXT, emailKey TEXT,
  language TEXT, profilePic TEXT, countryCode TEXT,
  custom TEXT NOT NULL,
  status TEXT NOT NULL, assignee INTEGER, lifecycle TEXT,
  created_at INTEGER NOT NULL, isBlocked INTEGER NOT NULL,
  readyAt INTEGER NOT NULL,
  closingCategory TEXT, closingSummary TEXT
);
CREATE INDEX contacts_email ON contacts (emailKey) WHERE emailKey IS NOT NULL;
CREATE INDEX contacts_phone ON contacts (phone) WHERE phone IS NOT NULL;
CREATE TABLE tags (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL, emoji TEXT NOT NULL, colorCode TEXT NOT NULL
);
CREATE TABLE contact_tags (
  contact INTEGER NOT NULL, tag INTEGER NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (contact, tag)
) WITHOUT ROWID;
CREATE INDEX contact_tags_tag ON contact_tags (tag);
CREATE TABLE comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT, contact INTEGER NOT NULL, text TEXT NOT NULL, created_at INTEGER NOT NULL
);
CREATE INDEX comments_contact ON comments (contact);
CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT, emailKey TEXT NOT NULL UNIQUE, pending INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE TABLE custom_fields (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, slug TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL, dataType TEXT NOT NULL, allowedValues TEXT NOT NULL
);
CREATE TABLE closing_notes (
  id INTEGER PRIMARY KEY AUTOINCREMENT, category TEXT NOT NULL UNIQUE, description TEXT
);
CREATE TABLE channels (id INTEGER PRIMARY KEY AUTOINCREMENT);
CREATE TABLE templates (
  id INTEGER PRIMARY KEY AUTOINCREMENT, channel INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE INDEX templates_channel ON templates (channel);
CREATE TABLE messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT, contact INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE INDEX messages_contact ON messages (contact);
`;
