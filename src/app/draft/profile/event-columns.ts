import { squeezeWord } from '../../../datatypes/index.ts';
import { isRowNumber } from '../columns/contact-columns.ts';
import { type ColumnRole, statusWords } from '../columns/header-names.ts';
import { findColumnMeaning, splitColumnName } from '../columns/header-words.ts';
import type { ColumnProfile } from './column-profile.ts';

const half = 0.5;

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).map(squeezeWord));

/** Roles of what a contact list says of a person; two copies of a contact may differ in it. */
const rolesOfPerson: ReadonlySet<ColumnRole | undefined> = new Set<ColumnRole>([
  ...(['phone', 'mobile', 'fax', 'language', 'country', 'photo', 'owner', 'tags', 'stage'] as const),
  ...(['company', 'optOut', 'birthDate', 'notes', 'email', 'firstName', 'lastName', 'fullName'] as const),
]);

/** Words for what a contact list says of a person, besides the roles. */
const wordsOfPerson = setOf(
  `title position function department profession occupation salutation gender sex age marital nickname middle suffix prefix initials
   address street city town state province region zip zipcode postal postcode county area timezone website url linkedin facebook
   twitter instagram industry status score points rating rank segment list lists source campaign medium channel form referrer
   consent opt preferences interest interests language lead last balance spent visits orders ltv lifetime
   anrede geschlecht beruf abteilung funktion strasse ort stadt wohnort plz postleitzahl bundesland adresse anschrift webseite branche
   quelle herkunft liste status bewertung alter
   civilite sexe poste fonction rue ville codepostal departement region site secteur statut liste origine
   cargo puesto calle ciudad provincia direccion codigopostal cp sitio sector estado lista origen genero sexo
   rua cidade endereco cep bairro origem lista cargo
   via citta indirizzo cap provincia ruolo origine elenco
   straat plaats woonplaats adres postcode functie bron lijst
   ulica miasto adres kod stanowisko zrodlo lista`,
);

/** Words for when or how a record of a contact was made or changed. */
const wordsOfRecord = setOf(
  `created creation create modified modification updated update changed signup signed registered joined join added imported import
   subscribed subscription optin confirmed confirmation confirm activity login seen contacted since synced export exported entered
   erstellt erstellung erstelldatum erstellungsdatum angelegt anlage anlagedatum geandert anderung anderungsdatum aktualisiert
   aktualisierung aktualisierungsdatum angemeldet anmeldung anmeldedatum erfasst erfassung erfassungsdatum eingetragen hinzugefugt
   eintrittsdatum kundeseit mitgliedseit importiert
   creele cree creation modifiele modifie modification inscription inscrit ajoute ajout
   creado creacion alta modificado modificacion actualizado registro suscrito suscripcion anadido
   criado criacao cadastro cadastrado atualizado atualizacao inscrito adicionado
   creato creazione modificato modifica aggiornato iscrizione iscritto aggiunto
   aangemaakt gewijzigd bijgewerkt toegevoegd aanmaakdatum ingeschreven
   utworzono dodano zmieniono zaktualizowano`,
);

/** Beginnings of words for an event whose id a person has only one of: `Bestellnummer`, `Invoice No`. */
const events = new RegExp(
  `^(?:${`order booking reservation invoice receipt ticket case transaction payment donation gift purchase sale appointment visit charge refund
  shipment quote estimate call conversation bestell buchung rechnung beleg termin spende zahlung auftrag vorgang commande facture
  paiement pedido factura reserva pago donacion fatura pagamento ordine fattura prenotazione boeking factuur betaling zamowien
  faktur rezerwacj`
    .split(/\s+/)
    .join('|')})`,
);
const numbers = setOf('id ids no nr num number nummer numero code ref reference uuid key');

/** Returns true for a column such as `City` or `Company`: two copies of a contact may differ in it. */
export function isDetailOfPerson({ name }: ColumnProfile): boolean {
  return rolesOfPerson.has(findColumnMeaning(name)?.role) || splitColumnName(name).some(isIn(wordsOfPerson));
}

/**
 * Returns true for a column whose values differ where a contact is there in several copies, such as `City`; a status, a
 * note or an owner may as well be that of an event.
 */
export function isDetailOfCopies(column: ColumnProfile): boolean {
  const role = findColumnMeaning(column.name)?.role;
  if (role === 'notes' || role === 'stage' || role === 'tags' || role === 'owner') return false;
  return isDetailOfPerson(column) && !splitColumnName(column.name).some(isIn(statusWords));
}

/** Returns true for a column such as `Created` or `Id`, which each copy of a contact has of its own. */
export function isOfRecord(column: ColumnProfile): boolean {
  const { name } = column;
  return (
    findColumnMeaning(name)?.role === 'key' ||
    isRowNumber(column) ||
    splitColumnName(name).some(isIn(wordsOfRecord))
  );
}

/** Returns true for a column such as `Order ID` or `Rechnungsnummer`, or one called Name with numbers such as `#1001`. */
export function isIdOfEvent(column: ColumnProfile): boolean {
  const words = splitColumnName(column.name);
  if (column.share('numbered') >= half && findColumnMeaning(column.name)?.role === 'name') return true;
  const [last = ''] = words.slice(-1);
  const isNumber = numbers.has(last) || /(?:nummer|nr|numero)$/.test(last);
  return words.some((word) => events.test(word)) && (isNumber || words.length === 1);
}

function isIn(words: ReadonlySet<string>): (word: string) => boolean {
  return (word) => words.has(word);
}
