import type { BoundComparison } from '../matching/bind.ts';
import { isPrimary } from '../matching/evaluate.ts';
import type { Attribute } from '../schema/attribute.ts';
import { jsonAt, type Parameters, type SqlColumn, type SqlMapping, textAt } from './mapping.ts';

const sqlOperators = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

/** The parts of a comparison that become SQL; `ne` has been turned into a negated `eq` by then. */
type Test = Pick<BoundComparison, 'value'> & {
  readonly operator: Exclude<BoundComparison['operator'], 'ne'>;
};

/** Location of values: a jsonb expression, with folded or original strings. */
export interface JsonPlace {
  readonly base: string;
  readonly keys: readonly string[];
  readonly folded: boolean;
}

/** Default of `SqlMapping.fold`: the builtin provider's simple case mapping, the same on every platform. */
function defaultFold(expression: string): string {
  return `lower(${expression} COLLATE "pg_c_utf8")`;
}

/**
 * Returns a text expression in `comparisonForm`, computed by the database.
 * @throws Error for a user name, whose form SQL cannot compute: its mapping names the column
 */
export function foldedInSql(definition: Attribute, expression: string, mapping: SqlMapping): string {
  if (definition.isUserName === true) throw new Error(`${definition.name} needs a folded column`);
  return definition.caseExact ? expression : (mapping.fold ?? defaultFold)(expression);
}

/** Returns a condition that is true for a matching value; null or false for none or another. */
export function compareColumn(
  test: Test,
  definition: Attribute,
  column: SqlColumn,
  parameters: Parameters,
  mapping: SqlMapping,
): string {
  const { bind } = parameters;
  if (test.operator === 'eq' && column.equals !== undefined) return column.equals(test.value, bind);
  switch (definition.type) {
    case 'boolean':
      return `${parameters.expand(column.column)} = ${test.value === true ? 'TRUE' : 'FALSE'}`;
    case 'decimal':
    case 'integer':
      return ordered(parameters.expand(column.column), test, `${bind(test.value)}::numeric`);
    case 'dateTime':
      return ordered(parameters.expand(column.column), test, `${bind(test.value)}::timestamptz`);
    default:
      break;
  }
  const expression = parameters.expand(column.column);
  if (column.type === 'uuid') {
    if (test.operator !== 'eq') return compareText(test, `${expression}::text`, parameters);
    return isCanonicalUuid(test.value) ? `${expression} = ${bind(test.value)}::uuid` : 'FALSE';
  }
  if (definition.caseExact) return compareText(test, expression, parameters);
  const folded =
    column.folded === undefined
      ? foldedInSql(definition, expression, mapping)
      : parameters.expand(column.folded);
  return compareText(test, folded, parameters);
}

/**
 * Returns the condition for a value inside jsonb. A value of an unexpected JSON type counts as missing, never
 * an SQL error.
 */
export function compareJson(
  test: Test,
  definition: Attribute,
  place: JsonPlace,
  parameters: Parameters,
  mapping: SqlMapping,
): string {
  const json = jsonAt(place.base, place.keys);
  switch (definition.type) {
    case 'boolean': {
      const literal = `${json} = '${test.value === true}'::jsonb`;
      return isPrimary(definition) && test.value === false ? `(${literal} OR ${json} IS NULL)` : literal;
    }
    case 'decimal':
    case 'integer': {
      const number = `CASE WHEN jsonb_typeof(${json}) = 'number' THEN ${json}::numeric END`;
      return ordered(`(${number})`, test, `${parameters.bind(test.value)}::numeric`);
    }
    default: {
      const text = textAt(place.base, place.keys);
      const exact = definition.type === 'dateTime' || place.folded;
      return compareText(test, exact ? text : foldedInSql(definition, text, mapping), parameters);
    }
  }
}

function compareText(test: Test, expression: string, parameters: Parameters): string {
  const value = String(test.value);
  switch (test.operator) {
    case 'eq':
      return `${expression} = ${parameters.bind(value)}`;
    case 'co':
      return `${expression} LIKE ${parameters.bind(`%${escapeLike(value)}%`)}`;
    case 'sw':
      return `${expression} LIKE ${parameters.bind(`${escapeLike(value)}%`)}`;
    case 'ew':
      return `${expression} LIKE ${parameters.bind(`%${escapeLike(value)}`)}`;
    default:
      // Code point order, independent of the database's collation.
      return `${expression} COLLATE "C" ${sqlOperators[test.operator]} ${parameters.bind(value)}`;
  }
}

function ordered(expression: string, test: Test, value: string): string {
  const operator =
    test.operator in sqlOperators ? sqlOperators[test.operator as keyof typeof sqlOperators] : undefined;
  if (operator === undefined) throw new Error(`No operator ${test.operator} here`);
  return `${expression} ${operator} ${value}`;
}

/** Escapes `%`, `_` and the escape character itself. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** PostgreSQL accepts other spellings too, but `id` is case exact. */
export function isCanonicalUuid(value: string | number | boolean): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(String(value));
}
