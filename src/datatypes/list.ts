import * as z from 'zod';
import { isTodoPlaceholder } from '../model/todo.ts';
import { defineDataType, type ParsedCell, quoteCell } from './data-type.ts';
import { isEmailAddress } from './email.ts';
import type { GuessedRule } from './guess.ts';
import { looksLikePhone } from './phone.ts';

/** The schema of the keys of a list rule. */
export const listOptionsSchema = z.object({
  allowed: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe("The accepted values; `create: true` makes them the new field's allowed values."),
});

/**
 * The type list: a value that both the mapping and the workspace allow, in exact spelling. A mapping or a workspace
 * that lists no values allows any value.
 */
export const listDataType = defineDataType({
  options: listOptionsSchema,
  reader({ allowed }, { allowedValues }) {
    const inMapping = allowed && new Set(allowed);
    const inWorkspace = allowedValues && new Set(allowedValues);
    return {
      readsEmpty: false,
      read(cell): ParsedCell<string> {
        if (inMapping && !inMapping.has(cell)) return notAllowed(cell, allowed, 'the mapping');
        if (inWorkspace && !inWorkspace.has(cell)) return notAllowed(cell, allowedValues, 'the workspace');
        return { ok: true, value: cell };
      },
    };
  },
  same: (readBack, wanted) => readBack === String(wanted),
  filterKind: 'plain',
  guess: {
    last: true,
    ways: (cell) => (looksLikePhone(cell) || isEmailAddress(cell) ? ['personal'] : []),
    rule({ words, distinct, filled, longest }, personal) {
      const values = [...(distinct?.keys() ?? [])];
      const isList =
        words.some((word) => closedWords.has(word)) &&
        !words.some((word) => placeWords.has(word)) &&
        values.length > 0 &&
        values.length <= mostListed &&
        filled >= values.length * 2 &&
        longest <= longestListed &&
        personal.length === 0 &&
        values.every((value) => !isTodoPlaceholder(value) && !/[\r\n]/.test(value));
      return isList ? { ...spelled(values), others: 0 } : undefined;
    },
  },
});

/** A draft takes a column for a list only if it has at most this many distinct values. */
const mostListed = 25;
const longestListed = 60;

/**
 * Words in the names of columns that have a closed set of values. Any other column is drafted as text: the next file
 * may have a new job title or industry, which a list rejects.
 */
const closedWords = new Set(
  `status stage phase state etat estado stato zustand type typ tipo kind art category kategorie categorie categoria plan tier
   level stufe niveau nivel livello gender sex geschlecht geslacht genre sexe genero sesso plec kon salutation anrede aanhef civilite
   tratamiento trattamento tratamento zwrot titulatur priority prioritaet prioritat priorite prioridad priorita prioridade
   segment segmento rating score grade klasse class classe clase source quelle herkunft origin origine origen origem bron zrodlo
   channel kanal canal canale currency waehrung wahrung devise moneda valuta moeda size groesse grosse taille tamano subscription
   abo abonnement membership mitgliedschaft size package paket tariff tarif tarifa package role rolle consent`.split(
    /\s+/,
  ),
);

/** Words in the names of columns that hold places; a list would reject the next unknown place. */
const placeWords = new Set(
  'city town street address ort stadt wohnort strasse adresse ville rue commune ciudad poblacion localidad calle citta comune via cidade rua plaats woonplaats straat miasto ulica sehir ilce kota stad gade 城市 市 都市 住所 地址'.split(
    ' ',
  ),
);

/**
 * Returns the options and the description of a list. The option `values` maps spellings that differ only in case to the
 * first of them.
 */
function spelled(values: readonly string[]): Pick<GuessedRule, 'options' | 'words'> {
  const allowed = new Map<string, string>();
  const others: { [spelling: string]: string } = {};
  for (const value of values) {
    const first = allowed.get(value.toLowerCase());
    if (first === undefined) allowed.set(value.toLowerCase(), value);
    else others[value.toLowerCase()] = first;
  }
  return {
    options: {
      ...(Object.keys(others).length > 0 && { values: others }),
      allowed: [...allowed.values()],
    },
    words: `${allowed.size} distinct`,
  };
}

function notAllowed(cell: string, allowed: readonly string[], where: string): ParsedCell<string> {
  const alike = allowed.find((value) => value.toLowerCase() === cell.toLowerCase());
  const right =
    alike === undefined
      ? `allowed are ${allowed.slice(0, 8).map(quoteCell).join(', ')}${allowed.length > 8 ? ', …' : ''}`
      : `it is spelled ${quoteCell(alike)} there`;
  const reason = `${quoteCell(cell)} is not a value that ${where} allows: ${right}.`;
  return { ok: false, problem: 'notAllowed', reason };
}
