import type { Settings } from '../options.ts';
import { invalid } from '../refusal.ts';
import { isObject, type JsonObject, objectBody, optionalText } from '../rules/body.ts';
import { folded } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { checkZone, contactOperand } from './operands.ts';
import {
  allOf,
  anyOf,
  type Clause,
  type FilterValue,
  isOperator,
  needsValue,
  type OperatorName,
  oneOf,
  operators,
  severalOf,
} from './operators.ts';

type Rules = Pick<Settings, 'strict' | 'unknownProperties'>;

/** The most values of a filter: preparing a statement takes time by the square of them. */
const mostValues = 2_000;

/**
  * Returns the WHERE clause of a `POST /contact/list` (specification: search, timezone, filter); throws a 400 for anything
  * outside the specification. Several values of one condition are separated by commas, which the specification leaves open;
  * unless `strict`, an array, `from` and `to`, and alternatives (`$or`) are accepted, as published clients send them.
 */
export function listClause(body: unknown, store: Store, rules: Rules): Clause {
  const object = objectBody(body, ['search', 'timezone', 'filter'], rules.unknownProperties);
  const zone = checkZone(object.timezone);
  const search = optionalText(object, 'search') ?? '';
  const clause = allOf([
    ...(search === '' ? [] : [searchClause(search)]),
    filterClause(object.filter, rules, (condition) => conditionClause(condition, store, zone, rules)),
  ]);
  if (clause.params.length > mostValues) throw invalid(`a filter takes ${mostValues} values at most`);
  return clause;
}

function filterClause(filter: unknown, rules: Rules, clauseOf: (condition: unknown) => Clause): Clause {
  if (filter === undefined) return allOf([]);
  const known = rules.strict ? ['$and'] : ['$and', '$or'];
  const given = objectBody(filter, known, rules.unknownProperties);
  const [all = [], any = []] = known.map((name) => conditionsOf(given, name).map(clauseOf));
  return allOf(any.length === 0 ? all : [...all, anyOf(any)]);
}

function conditionsOf(filter: JsonObject, name: string): readonly unknown[] {
  const conditions = filter[name] ?? [];
  if (!Array.isArray(conditions)) throw invalid(`filter.${name} must be an array of conditions`);
  if (conditions.length > mostValues) throw invalid(`filter.${name} takes ${mostValues} conditions at most`);
  return conditions;
}

/** Returns the condition that a name, the e-mail or the phone contains the text, without regard to case. */
function searchClause(search: string): Clause {
  const places = ['firstName', 'lastName', "firstName || ' ' || lastName", 'email', 'phone'];
  return anyOf(
    places.map((place) => ({
      sql: `instr(folded(coalesce(${place}, '')), ?) > 0`,
      params: [folded(search)],
    })),
  );
}

function conditionClause(given: unknown, store: Store, zone: string, rules: Rules): Clause {
  const names = ['category', 'field', 'operator', 'value'];
  const condition = objectBody(given, names, rules.unknownProperties);
  const { operator, category } = condition;
  if (!isOperator(operator)) throw invalid(`"${String(operator)}" is no operator`);
  const field = fieldOf(condition, rules);
  const value = conditionValue(condition, operator, rules);
  switch (category) {
    case 'contactField':
      if (field === undefined) throw invalid('a contactField condition needs a field');
      return operators[operator](contactOperand(contactFieldOf(field, rules), store, zone), value);
    case 'lifecycle':
      return operators[operator](contactOperand('lifecycle', store, zone), value);
    case 'contactTag':
      return tagClause(operator, value);
    default:
      throw invalid(`"${String(category)}" is no category: contactField, contactTag or lifecycle`);
  }
}

/** Tags and the lifecycle are a field of their own: clients leave it out, or send null. */
function fieldOf(condition: JsonObject, { strict }: Rules): string | undefined {
  if (!strict && condition.field === null) return undefined;
  const field = optionalText(condition, 'field');
  if (strict && field === undefined) throw invalid('a condition needs a field');
  return field;
}

/** The id of a contact's assignee has a name of its own in published clients. */
function contactFieldOf(field: string, { strict }: Rules): string {
  return !strict && field === 'assigneeUserId' ? 'assignee' : field;
}

function conditionValue(condition: JsonObject, operator: OperatorName, { strict }: Rules): FilterValue {
  if (!needsValue(operator)) return '';
  const { value } = condition;
  if (!strict && Array.isArray(value)) return value.map(itemText);
  if (!strict && isObject(value)) {
    const { from, to } = objectBody(value, ['from', 'to'], 'refuse');
    return { from: itemText(from), to: itemText(to) };
  }
  const text = optionalText(condition, 'value');
  if (text === undefined || text === '') throw invalid(`${operator} needs a value`);
  return text;
}

function itemText(item: unknown): string {
  if (typeof item === 'number' || typeof item === 'boolean') return String(item);
  if (typeof item !== 'string' || item === '') throw invalid('the values of a condition must be texts');
  return item;
}

const tagged = 'EXISTS (SELECT 1 FROM contact_tags JOIN tags ON tags.id = tag WHERE contact = contacts.id';

/** A contact has several tags: equal means that it has the tag, whatever else it has. */
function tagClause(operator: OperatorName, value: FilterValue): Clause {
  const has = (name: string): Clause => ({ sql: `${tagged} AND tags.name = ?)`, params: [name] });
  const hasNot = (name: string): Clause => ({ ...has(name), sql: `NOT ${has(name).sql}` });
  switch (operator) {
    case 'isEqualTo':
      return has(oneOf(value));
    case 'isNotEqualTo':
      return hasNot(oneOf(value));
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
