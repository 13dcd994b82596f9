/** What is wrong, a mapping with ¦ where it is, and what is said of it (its beginning, where it ends in a colon). */
export type MistakeSample = readonly [what: string, text: string, said: string];

const head = 'mapping: a\ncontact:\n  email: { from: E }\n';
const field = (rule: string): string => `${head}customFields:\n  F: ${rule}\n`;

/** What YAML allows or forbids. */
export const yamlMistakes: readonly MistakeSample[] = [
  [
    'a key that is listed twice',
    `${head}¦contact: { phone: { from: P } }\n`,
    'duplicate key "contact"; remove one',
  ],
  [
    'an unquoted phone',
    `${head}tests:\n  - row: { P: ¦+60123456789 }\n    rejects: x\n`,
    'tests.0.row.P: +60123456789 is read as the number 60123456789; quote it: "+60123456789"',
  ],
  [
    'an unquoted leading zero',
    field('{ type: text, from: X, values: { ¦007: Bond } }'),
    'customFields.F.values.7: 007 is read as the number 7; quote it: "007"',
  ],
  [
    'an unquoted NULL as a key',
    field('{ type: text, from: X, values: { ¦NULL: none } }'),
    'customFields.F.values.: the key NULL is read as nothing; quote it: "NULL"',
  ],
  [
    'a TODO of a draft',
    'mapping: a\ncontact:\n  email: { from: ¦TODO }\n',
    'contact.email.from: still to do: replace "TODO" with your answer',
  ],
  [
    'a TODO with a remark',
    `mapping: ¦"TODO: name it"\ncontact: { email: { from: E } }\n`,
    'mapping: still to do: replace "TODO: name it" with your answer',
  ],
  [
    'an alias',
    'mapping: a\ncontact: &c { email: { from: E } }\ncustomFields: ¦*c\n',
    'customFields: aliases (*name) are not supported; write it out',
  ],
  [
    'a tag',
    'mapping: ¦!name a\ncontact: { email: { from: E } }\n',
    'YAML tags (!) are not supported; a text that begins with ! must be quoted (Unresolved tag: !name)',
  ],
  ['a map as a key', '? ¦[a]\n: b\n', '["a"]: a key must be plain text; quote it if it begins with { or ['],
  [
    '__proto__',
    `${head}customFields: { ¦__proto__: { from: E, type: text } }\n`,
    'customFields.__proto__: this cannot be a key',
  ],
  [
    'two documents',
    'mapping: a\n¦---\nmapping: b\n',
    'a second YAML document begins here; only one is allowed',
  ],
  [
    'a text with a colon',
    'mapping: ¦b: c\n',
    'a text with ": " in it must be quoted (Nested mappings are not allowed in compact mappings)',
  ],
  [
    'a tab',
    'mapping: a\n¦\tcontact: x\n',
    'a tab is used for indentation; YAML needs spaces (Tabs are not allowed as indentation)',
  ],
  [
    'a quote that is never closed',
    `mapping: "a\n¦`,
    'a closing quote, bracket or colon is missing (Missing closing "quote)',
  ],
  ['only a comment', '¦# nothing\n', 'the file is empty'],
];

/** What the schema of the mapping forbids. */
export const ruleMistakes: readonly MistakeSample[] = [
  [
    'a misspelt key at the top',
    '¦maping: a\ncontact: { email: { from: E } }\n',
    'maping: the key "maping" is not known here; did you mean "mapping"?',
  ],
  [
    'a misspelt contact field',
    'mapping: a\ncontact:\n  ¦emial: { from: E }\n  phone: { from: P }\n',
    'contact.emial: the key "emial" is not known here; did you mean "email"?',
  ],
  [
    'a misspelt option',
    'mapping: a\ncontact:\n  email: { ¦frm: E }\n',
    'contact.email.frm: the key "frm" is not known here; did you mean "from"?',
  ],
  [
    'two neighbours swapped',
    'mapping: a\ncontact:\n  email: { ¦form: E }\n',
    'contact.email.form: the key "form" is not known here; did you mean "from"?',
  ],
  [
    'a key in capitals',
    'mapping: a\ncontact:\n  ¦Email: { from: E }\n  phone: { from: P }\n',
    'contact.Email: the key "Email" is not known here; did you mean "email"?',
  ],
  [
    'an option of a data type',
    field('{ from: D, type: date, ¦format: [yyyy] }'),
    'customFields.F.format: the key "format" is not known here; did you mean "formats"?',
  ],
  [
    'an option in a nested map',
    `${head}  phone: { from: P, country: { ¦form: C } }\n`,
    'contact.phone.country.form: the key "form" is not known here; did you mean "from"?',
  ],
  ['a missing key', '¦contact: { email: { from: E } }\n', 'mapping: the key "mapping" is missing'],
  [
    'a missing type',
    `${head}customFields:\n  ¦F: { from: X }\n`,
    'customFields.F.type: the key "type" is missing: one of text, number, email, url, list, date, time, checkbox',
  ],
  [
    'an unknown type',
    field('{ from: X, type: ¦lst }'),
    'customFields.F.type: the text "lst" is not one of "text", "number", "email", "url", "list", "date", "time", "checkbox"; did you mean "list"?',
  ],
  [
    'text for a map',
    'mapping: a\ncontact:\n  email: ¦E\n',
    'contact.email: a map of keys and values is expected here, not the text "E"',
  ],
  ['a list for a map', '¦[]', 'a map of keys and values is expected here, not a list'],
  [
    'a map for text',
    field('{ type: text, template: ¦{First Name} }'),
    'customFields.F.template: text is expected here, not a map; a text that begins with { must be quoted',
  ],
  [
    'a number for text',
    field('{ type: text, from: ¦3 }'),
    'customFields.F.from: text or a list is expected here, not the number 3; quote it: "3"',
  ],
  [
    'text for a switch',
    field('{ type: text, from: X, trim: ¦"no" }'),
    'customFields.F.trim: true or false is expected here, not the text "no"',
  ],
  [
    'nothing for something',
    'mapping:¦\ncontact: { email: { from: E } }\n',
    'mapping: text is expected here, not nothing',
  ],
  ['an empty list', field('{ type: text, from: ¦[] }'), 'customFields.F.from: this must not be empty'],
  [
    'a word that is not one of some',
    field('{ type: text, from: X, case: ¦lowercase }'),
    'customFields.F.case: the text "lowercase" is not one of "lower", "upper", "title"',
  ],
  [
    'a regular expression with look-around',
    field('{ type: text, from: X, replace: { pattern: ¦"(?=a)", with: "" } }'),
    'customFields.F.replace.pattern: this is not a regular expression of RE2 (no look-around, no back references): ',
  ],
  [
    'a template that is never closed',
    field('{ type: text, template: ¦"{First" }'),
    'customFields.F.template: a { is never closed; write {{ for a literal brace',
  ],
  [
    'a template that names nothing',
    field('{ type: text, template: ¦"{}" }'),
    'customFields.F.template: {} has no column name; write {{ for a literal brace',
  ],
  [
    'from and template',
    field('{ type: text, from: X, template: ¦"{Y}" }'),
    'customFields.F.template: from and template cannot be used together; use one of them',
  ],
  [
    'a rule that reads nothing',
    `${head}customFields:\n  ¦F: { type: text }\n`,
    'customFields.F: the value has no source: set from, template or default',
  ],
  [
    'a default that is not there',
    field('{ type: text, from: X, onInvalid: ¦default }'),
    'customFields.F.onInvalid: "onInvalid: default" needs a default',
  ],
  [
    'strict without values',
    field('{ type: text, from: X, strict: ¦true }'),
    'customFields.F.strict: "strict" needs values: it rejects what values does not list',
  ],
  [
    'a date format in the spelling of others',
    field('{ type: date, from: X, formats: [¦YYYY-MM-DD] }'),
    'customFields.F.formats.0: the format "YYYY-MM-DD" does not read a whole day: ',
  ],
  [
    'a date format with minutes for months',
    field('{ type: date, from: X, formats: [¦dd/mm/yyyy] }'),
    'customFields.F.formats.0: the format "dd/mm/yyyy" does not read a whole day: ',
  ],
  [
    'a date format without a year',
    field('{ type: date, from: X, formats: [¦dd/MM] }'),
    'customFields.F.formats.0: the format "dd/MM" does not read a whole day: ',
  ],
  [
    'a time format with months for minutes',
    field('{ type: time, from: X, formats: [¦"HH:MM"] }'),
    'customFields.F.formats.0: the format "HH:MM" does not read a time of day: ',
  ],
  [
    'a time format without am and pm',
    field('{ type: time, from: X, formats: [¦"hh:mm"] }'),
    'customFields.F.formats.0: the format "hh:mm" does not read a time of day: ',
  ],
  [
    'one sign for decimals and thousands',
    field('{ type: number, from: X, decimal: ",", thousands: ¦"," }'),
    'customFields.F.thousands: decimal and thousands must be different characters',
  ],
  [
    'a word for both sides of a checkbox',
    field('{ type: checkbox, from: X, checked: [yes], ¦unchecked: ["YES"] }'),
    'customFields.F.unchecked: a word is in both checked and unchecked',
  ],
  [
    'a list that is created without values',
    `${head}customFields:\n  ¦F: { type: list, from: X, create: true }\n`,
    'customFields.F: a list that is created needs "allowed": its values',
  ],
  [
    'a slug with a hyphen',
    field('{ type: text, from: X, create: true, slug: ¦a-b }'),
    'customFields.F.slug: a slug has only letters, numbers and underscores',
  ],
  [
    'a default for an identifier',
    'mapping: a\ncontact:\n  email: { from: E, ¦default: a@b.c }\n',
    'contact.email.default: an e-mail or a phone takes no default: every row would be the same person',
  ],
  [
    'a first name that is cleared',
    `${head}  firstName: { from: F, empty: ¦clear }\n`,
    'contact.firstName.empty: a first name cannot be cleared: the workspace requires one',
  ],
  [
    'a country that does not exist',
    `${head}  phone: { from: P, country: ¦Narnia }\n`,
    'contact.phone.country: "Narnia" is not a country; write an ISO 3166-1 code such as US',
  ],
  [
    'nobody to identify',
    'mapping: a\n¦contact:\n  lastName: { from: L }\n',
    'contact: the contact has no email and no phone: rows could not be matched to contacts',
  ],
  [
    'nobody to identify by what is named',
    'mapping: a\n¦contact:\n  email: { from: E }\nidentify: [phone]\n',
    'contact: the contact has no phone: rows could not be matched to contacts',
  ],
  ['an identifier twice', `${head}¦identify: [email, email]\n`, 'identify: an identifier is listed twice'],
  [
    'a test without a verdict',
    `${head}tests:\n  - ¦row: {}\n`,
    'tests.0: a test has either expect or rejects',
  ],
  [
    'a misspelt field in a test',
    `${head}tests:\n  - row: {}\n    expect: { contact: { ¦frstName: A } }\n`,
    'tests.0.expect.contact.frstName: the key "frstName" is not known here; did you mean "firstName"?',
  ],
];
