import { splitColumnName } from './header-words.ts';

const oneOf = (words: string): string => `(?:${words.trim().split(/\s+/).join('|')})`;

/** Passwords in the languages of common exports; a name may end with them. */
const passwords = oneOf(
  `password passwd pwd pswd passphrase passwort kennwort motdepasse contrasena wachtwoord senha`,
);

/** What a password may be stored as, and which of several it is. */
const forms = oneOf(
  `hash(?:ed)? digest encrypted crypt(?:ed)? bcrypt salt key md\\d sha\\d* old new plain \\d+`,
);

/** Keys and tokens; a name may end with them. */
const keys =
  oneOf(`apikey secretkey privatekey accesskey authkey encryptionkey sessionkey sessionid clientsecret apisecret
   appsecret accesstoken authtoken apitoken sessiontoken refreshtoken remembertoken resettoken apischlue?ssel
   geheimschlue?ssel cleapi clesecrete jetonapi claveapi clavesecreta chaveapi chavesecreta apisleutel
   geheimesleutel`);

const endsWithSecret = new RegExp(`(?:${passwords}${forms}*|${keys})$`, 'u');

/** Words that are a secret as the last word of a name. */
const lastWords = new Set('salt token secret mdp jeton secreto geheim geheimnis'.split(' '));

const form = new RegExp(`^${forms}$`, 'u');

/** `pass` is a password alone or after these words; other passes are tickets and papers. */
const shortPassword = new RegExp(
  `^${oneOf('user login admin account db database ftp smtp imap mail email web')}?pass$`,
);

/**
 * True if a column holds passwords, their hashes or salts, keys or tokens, as its name says: such cells are never drafted
 * as a field, and not shown.
 */
export function isSecretColumn(column: string): boolean {
  const words = splitColumnName(column);
  const all = words.join('');
  if (endsWithSecret.test(all) || shortPassword.test(all)) return true;
  return lastWords.has(words.findLast((word) => lastWords.has(word) || !form.test(word)) ?? '');
}
