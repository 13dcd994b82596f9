import { createValidationError } from '../api-error.ts';
import type { SandboxSettings } from '../options.ts';
import { isJsonObject, type JsonObject, readOptionalText, requireObjectBody } from '../rules/body.ts';
import { foldCase } from '../store/open.ts';
import type { SandboxStore } from '../store/store.ts';
import { parseTimeZone, resolveContactOperand } from './operands.ts';
import {
  type ConditionOperatorName,
  conditionOperators,
  type FilterValue,
  isConditionOperator,
  joinWithAnd,
  joinWithOr,
  operatorNeedsValue,
  parseValueList,
  requireSingleValue,
  type SqlClause,
} from './operators.ts';

type Rules = Pick<SandboxSettings, 'strict' | 'unknownProperties'>;

/**
 * The maximum number of values in a filter: the time to prepare its statement grows with the square of the
 * number.
 */
const mostValues = 2_000;

/**
 * Returns the WHERE clause of a `POST /contact/list` (specification: search, timezone, filter); throws a 400 for an
 * invalid body. Commas separate several values of one condition, because the specification defines no separator. Unless
 * `strict`, the forms that published clients send are accepted, too: arrays, `from` and `to`, and `$or`.
 */
export function buildContactListClause(body: unknown, store: SandboxStore, rules: Rules): SqlClause {
  const object = requireObjectBody(body, ['search', 'timezone', 'filter'], rules.unknownProperties);
  const zone = parseTimeZone(object.timezone);
  const search = readOptionalText(object, 'search') ?? '';
  const clause = joinWithAnd([
    ...(search === '' ? [] : [searchClause(search)]),
    filterClause(object.filter, rules, (condition) => conditionClause(condition, store, zone, rules)),
  ]);
  if (clause.params.length > mostValues)
    throw createValidationError(`a filter takes ${mostValues} values at most`);
  return clause;
}

function filterClause(filter: unknown, rules: Rules, clauseOf: (condition: unknown) => SqlClause): SqlClause {
  if (filter === undefined) return joinWithAnd([]);
  const known = rules.strict ? ['$and'] : ['$and', '$or'];
  const given = requireObjectBody(filter, known, rules.unknownProperties);
  const [all = [], any = []] = known.map((name) => conditionsOf(given, name).map(clauseOf));
  return joinWithAnd(any.length === 0 ? all : [...all, joinWithOr(any)]);
}

function conditionsOf(filter: JsonObject, name: string): readonly unknown[] {
  const conditions = filter[name] ?? [];
  if (!Array.isArray(conditions))
    throw createValidationError(`filter.${name} must be an array of conditions`);
  if (conditions.length > mostValues)
    throw createValidationError(`filter.${name} takes ${mostValues} conditions at most`);
  return conditions;
}

/** Returns the condition that a name, the e-mail or the phone contains the text, without regard to case. */
function searchClause(search: string): SqlClause {
  const places = ['firstName', 'lastName', "firstName || ' ' || lastName", 'email', 'phone'];
  return joinWithOr(
    places.map((place) => ({
      sql: `instr(folded(coalesce(${place}, '')), ?) > 0`,
      params: [foldCase(search)],
    })),
  );
}

function conditionClause(given: unknown, store: SandboxStore, zone: string, rules: Rules): SqlClause {
  const names = ['category', 'field', 'operator', 'value'];
  const condition = requireObjectBody(given, names, rules.unknownProperties);
  const { operator, category } = condition;
  if (!isConditionOperator(operator)) throw createValidationError(`"${String(operator)}" is no operator`);
  const field = fieldOf(condition, rules);
  const value = conditionValue(condition, operator, rules);
  switch (category) {
    case 'contactField':
      if (field === undefined) throw createValidationError('a contactField condition needs a field');
      return conditionOperators[operator](
        resolveContactOperand(contactFieldOf(field, rules), store, zone),
        value,
      );
    case 'lifecycle':
      return conditionOperators[operator](resolveContactOperand('lifecycle', store, zone), value);
    case 'contactTag':
      return tagClause(operator, value);
    default:
      throw createValidationError(
        `"${String(category)}" is no category: contactField, contactTag or lifecycle`,
      );
  }
}

/** Returns the field of a condition; unless `strict`, it may be absent or null, as for tags and the lifecycle. */
function fieldOf(condition: JsonObject, { strict }: Rules): string | undefined {
  if (!strict && condition.field === null) return undefined;
  const field = readOptionalText(condition, 'field');
  if (strict && field === undefined) throw createValidationError('a condition needs a field');
  return field;
}

/** Returns the field's name in the specification: published clients call the assignee `assigneeUserId`. */
function contactFieldOf(field: string, { strict }: Rules): string {
  return !strict && field === 'assigneeUserId' ? 'assignee' : field;
}

function conditionValue(
  condition: JsonObject,
  operator: ConditionOperatorName,
  { strict }: Rules,
): FilterValue {
  if (!operatorNeedsValue(operator)) return '';
  const { value } = condition;
  if (!strict && Array.isArray(value)) return value.map(itemText);
  if (!strict && isJsonObject(value)) {
    const { from, to } = requireObjectBody(value, ['from', 'to'], 'refuse');
    return { from: itemText(from), to: itemText(to) };
  }
  const text = readOptionalText(condition, 'value');
  if (text === undefined || text === '') throw createValidationError(`${operator} needs a value`);
  return text;
}

function itemText(item: unknown): string {
  if (typeof item === 'number' || typeof item === 'boolean') return String(item);
  if (typeof item !== 'string' || item === '')
    throw createValidationError('the values of a condition must be texts');
  return item;
}

const tagged = 'EXISTS (SELECT 1 FROM contact_tags JOIN tags ON tags.id = tag WHERE contact = contacts.id';

/**
 * Returns the condition on a contact's tags; `isEqualTo` is true of a contact that has the tag, even with other tags.
 */
function tagClause(operator: ConditionOperatorName, value: FilterValue): SqlClause {
  const has = (name: string): SqlClause => ({ sql: `${tagged} AND tags.name = ?)`, params: [name] });
  const hasNot = (name: string): SqlClause => ({ ...has(name), sql: `NOT ${has(name).sql}` });
  switch (operator) {
    case 'isEqualTo':
      return has(requireSingleValue(value));
    case 'isNotEqualTo':
      return hasNot(requireSingleValue(value));
    case 'hasAnyOf':
      return joinWithOr(parseValueList(value).map(has));
    case 'hasAllOf':
      return joinWithAnd(parseValueList(value).map(has));
    case 'hasNoneOf':
      return joinWithAnd(parseValueList(value).map(hasNot));
    case 'exists':
      return { sql: `${tagged})`, params: [] };
    case 'doesNotExist':
      return { sql: `NOT ${tagged})`, params: [] };
    default:
      throw createValidationError(`${operator} does not go with tags`);
  }
}
