import { invalid } from '../refusal.ts';
import { type JsonObject, objectBody, optionalText } from '../rules/body.ts';
import type { Store } from '../store/store.ts';
import { checkZone } from './instants.ts';
import { contactOperand } from './operands.ts';
import {
  allOf,
  anyOf,
  type Clause,
  isOperator,
  needsValue,
  type OperatorName,
  operators,
  severalOf,
} from './operators.ts';

type Strangers = 'refuse' | 'ignore';

/**
 * The WHERE clause of `POST /contact/list` (specification: search, timezone, filter); throws a 400 for what it does not
 * name. Several values of one condition are separated by commas, which the specification leaves open; a value cannot
 * hold a comma itself where an operator takes several.
 */
export function listClause(body: unknown, store: Store, strangers: Strangers): Clause {
  const object = objectBody(body, ['search', 'timezone', 'filter'], strangers);
  const zone = checkZone(object.timezone);
  const search = optionalText(object, 'search') ?? '';
  return allOf([
    ...(search === '' ? [] : [searchClause(search)]),
    ...conditionsOf(object.filter, strangers).map((condition) =>
      conditionClause(
        objectBody(condition, ['category', 'field', 'operator', 'value'], strangers),
        store,
        zone,
      ),
    ),
  ]);
}

function conditionsOf(filter: unknown, strangers: Strangers): readonly unknown[] {
  if (filter === undefined) return [];
  const conditions = objectBody(filter, ['$and'], strangers).$and ?? [];
  if (!Array.isArray(conditions)) throw invalid('filter.$and must be an array of conditions');
  return conditions;
}

/** Names, e-mail and phone that contain the text, without regard to case. */
function searchClause(search: string): Clause {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const places = ['firstName', 'lastName', "firstName || ' ' || lastName", 'email', 'phone'];
  return anyOf(places.map((place) => ({ sql: `${place} LIKE ? ESCAPE '\\'`, params: [pattern] })));
}

function conditionClause(condition: JsonObject, store: Store, zone: string): Clause {
  const { operator, category } = condition;
  if (!isOperator(operator)) throw invalid(`"${String(operator)}" is no operator`);
  const field = optionalText(condition, 'field');
  const value = valueFor(condition, operator);
  switch (category) {
    case 'contactField':
      if (field === undefined) throw invalid('a contactField condition needs a field');
      return operators[operator](contactOperand(field, store, zone), value);
    case 'lifecycle':
      return operators[operator](contactOperand('lifecycle', store, zone), value);
    case 'contactTag':
      return tagClause(operator, value);
    default:
      throw invalid(`"${String(category)}" is no category: contactField, contactTag or lifecycle`);
  }
}

function valueFor(condition: JsonObject, operator: OperatorName): string {
  if (!needsValue(operator)) return '';
  const value = optionalText(condition, 'value');
  if (value === undefined || value === '') throw invalid(`${operator} needs a value`);
  return value;
}

const tagged = 'EXISTS (SELECT 1 FROM contact_tags JOIN tags ON tags.id = tag WHERE contact = contacts.id';

/** A contact has several tags: equal means that it has the tag, whatever else it has. */
function tagClause(operator: OperatorName, value: string): Clause {
  const has = (name: string): Clause => ({ sql: `${tagged} AND tags.name = ?)`, params: [name] });
  const hasNot = (name: string): Clause => ({ ...has(name), sql: `NOT ${has(name).sql}` });
  switch (operator) {
    case 'isEqualTo':
      return has(value);
    case 'isNotEqualTo':
      return hasNot(value);
    case 'hasAnyOf':
      return anyOf(severalOf(value).map(has));
    case 'hasAllOf':
      return allOf(severalOf(value).map(has));
    case 'hasNoneOf':
      return allOf(severalOf(value).map(hasNot));
    case 'exists':
      return { sql: `${tagged})`, params: [] };
    case 'doesNotExist':
      return { sql: `NOT ${tagged})`, params: [] };
    default:
      throw invalid(`${operator} does not go with tags`);
  }
}
