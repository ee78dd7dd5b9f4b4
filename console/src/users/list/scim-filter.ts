/** One comparison of a SCIM filter (RFC 7644 §3.4.2.2). */
export interface Condition {
  attribute: string;
  operator: Operator;
  /** Empty for `pr`. */
  value: string;
}

export interface Conditions {
  join: 'and' | 'or';
  conditions: readonly Condition[];
}

export const operators = ['eq', 'ne', 'sw', 'ew', 'co', 'pr', 'gt', 'ge', 'lt', 'le'] as const;
export type Operator = (typeof operators)[number];

type Kind = 'text' | 'boolean' | 'time';

const department = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department';

/** Attributes in the builder, by SCIM path; the text form accepts any other. */
export const attributes = [
  { path: 'userName', name: 'userName', kind: 'text' },
  { path: 'displayName', name: 'displayName', kind: 'text' },
  { path: 'name.givenName', name: 'givenName', kind: 'text' },
  { path: 'name.familyName', name: 'familyName', kind: 'text' },
  { path: 'emails.value', name: 'email', kind: 'text' },
  { path: 'title', name: 'title', kind: 'text' },
  { path: 'userType', name: 'userType', kind: 'text' },
  { path: department, name: 'department', kind: 'text' },
  { path: 'active', name: 'active', kind: 'boolean' },
  { path: 'meta.created', name: 'created', kind: 'time' },
  { path: 'meta.lastModified', name: 'changed', kind: 'time' },
] as const satisfies readonly { path: string; name: string; kind: Kind }[];

export const kindOf = (path: string): Kind =>
  attributes.find((attribute) => attribute.path.toLowerCase() === path.toLowerCase())?.kind ?? 'text';

export const operatorsFor = (kind: Kind): readonly Operator[] =>
  kind === 'boolean'
    ? ['eq', 'ne', 'pr']
    : kind === 'time'
      ? ['gt', 'ge', 'lt', 'le', 'pr']
      : ['eq', 'ne', 'sw', 'ew', 'co', 'pr'];

const textOf = ({ attribute, operator, value }: Condition): string => {
  if (operator === 'pr') return `${attribute} pr`;
  const isBoolean = kindOf(attribute) === 'boolean' && (value === 'true' || value === 'false');
  return `${attribute} ${operator} ${isBoolean ? value : JSON.stringify(value)}`;
};

/** Returns the text of the filter. Incomplete conditions, without a value, are omitted. */
export const filterText = ({ join, conditions }: Conditions): string =>
  conditions
    .filter(({ operator, value }) => operator === 'pr' || value !== '')
    .map(textOf)
    .join(` ${join} `);

const token = /\s*("(?:[^"\\]|\\.)*"|[^\s()"[\]]+)/y;

function tokensOf(text: string): string[] | undefined {
  const found: string[] = [];
  token.lastIndex = 0;
  let end = 0;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    found.push(match[1] ?? '');
    end = token.lastIndex;
  }
  return text.slice(end).trim() === '' ? found : undefined;
}

const isOperator = (text: string): text is Operator => operators.some((one) => one === text);

/**
 * @returns the conditions; undefined when the builder cannot represent the filter: brackets, `not`, both `and` and `or`
 */
export function conditionsOf(text: string): Conditions | undefined {
  const tokens = tokensOf(text);
  if (!tokens) return undefined;
  const conditions: Condition[] = [];
  const joins = new Set<string>();
  while (tokens.length > 0) {
    const condition = takeCondition(tokens);
    if (!condition) return undefined;
    conditions.push(condition);
    const join = tokens.shift()?.toLowerCase();
    if (join !== undefined) joins.add(join);
    if (join !== undefined && tokens.length === 0) return undefined;
  }
  const [join = 'and', ...others] = joins;
  return others.length === 0 && (join === 'and' || join === 'or') ? { join, conditions } : undefined;
}

function takeCondition(tokens: string[]): Condition | undefined {
  const attribute = tokens.shift() ?? '';
  const operator = tokens.shift()?.toLowerCase() ?? '';
  if (attribute.startsWith('"') || attribute.toLowerCase() === 'not' || !isOperator(operator))
    return undefined;
  if (operator === 'pr') return { attribute, operator, value: '' };
  const written = tokens.shift();
  if (written === undefined) return undefined;
  if (!written.startsWith('"'))
    return /^(?:true|false)$/.test(written) ? { attribute, operator, value: written } : undefined;
  try {
    return { attribute, operator, value: String(JSON.parse(written)) };
  } catch {
    return undefined;
  }
}
