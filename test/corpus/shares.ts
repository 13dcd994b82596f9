/**
 * How often each kind of case occurs. Fixed before the first run and never fitted to results: a change of these numbers makes
 * figures of before and after incomparable, and belongs in a commit of its own.
 */

/** What an export looks like. */
export const shapeShares = {
  salesforce: 9,
  hubspot: 9,
  pipedrive: 8,
  zoho: 8,
  zendesk: 7,
  mailchimp: 7,
  google: 8,
  outlook: 8,
  dynamics: 7,
  chatwoot: 6,
  folder: 12,
  workbook: 11,
};

export const localeShares = {
  de: 14,
  fr: 11,
  es: 11,
  'pt-BR': 10,
  it: 10,
  nl: 10,
  pl: 9,
  'en-US': 10,
  'en-GB': 8,
  ja: 7,
};

/** How the parts of an export lie: one list, or two lists whose keys both begin at 1. */
export const layoutShares = { one: 82, twoLists: 18 };

export const encodingShares = { utf8: 45, utf8Bom: 25, windows1252: 20, utf16: 10 };

/** Whether an export has these at all. */
export const exportTraits = {
  titleRows: 0.18,
  totalsRow: 0.14,
  placeholders: 0.35,
  keyless: 0.2,
  localDates: 0.45,
  ownersByName: 0.5,
  existingContacts: 0.4,
  oneNameColumn: 0.2,
  familyFirst: 0.35,
  switchboard: 0.1,
};

/** The groups of rows that an export is made of, by who they are. */
export const groupShares = {
  single: 640,
  family: 90,
  sharedMailbox: 40,
  duplicateByEmail: 50,
  duplicateByPhone: 30,
  repeatedKey: 15,
  reusedKey: 6,
  noIdentifier: 20,
  nameless: 8,
  askSameEmail: 8,
  askMarried: 8,
  askChild: 10,
  askNoName: 5,
  askSameKey: 4,
  askScript: 4,
  contactByPhone: 20,
  contactOfFamily: 15,
  contactByEmail: 20,
  contactAskEmail: 7,
};

/** Of the people whose number is valid: how it is written. */
export const phoneShares = {
  e164: 24,
  international: 22,
  national: 30,
  zeros: 6,
  fromNorthAmerica: 2,
  trunkInParentheses: 4,
  apostrophe: 4,
  extension: 3,
  twoNumbers: 1,
  lostZero: 3,
  tel: 1,
  foreign: 8,
};

/** Of every person, how often these are there. */
export const personShares = {
  email: 0.88,
  phone: 0.82,
  secondEmail: 0.14,
  secondPhone: 0.3,
  thirdPhone: 0.08,
  invalidPhone: 0.03,
  invalidEmail: 0.012,
  invalidDate: 0.012,
  dressedEmail: 0.02,
  foreignCountry: 0.12,
  unknownCountry: 0.012,
  note: 0.35,
  longNote: 0.03,
  multilineNote: 0.05,
  unknownOwner: 0.06,
  value: 0.75,
  title: 0.02,
};

/** Of the workbooks: days and amounts are kept as numbers with a style, not as text. */
export const typedCellsShare = 0.5;

/** Of the empty cells of a column with placeholders, how many hold one. */
export const placeholderShare = 0.6;

/** Of the joined rows of a folder, whose they are. */
export const orphanShares = { person: 80, organization: 10, unknown: 6, empty: 4 };
