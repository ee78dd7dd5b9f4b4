/** A User of the directory (RFC 7643 §4.1), as far as expressions read it. */
export type UserDocument = Readonly<Record<string, unknown>>;

interface Attribute {
  /** Attribute to request from the directory. */
  path: string;
  type: 'string' | 'list<string>';
  read: (user: UserDocument) => unknown;
}

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
/** Attributes that this service stores and need no request to the directory. */
const stored: ReadonlySet<string> = new Set(['userName', 'displayName', 'emails', 'locale', 'timezone']);
const storedNames = ['formatted', 'givenName', 'familyName'];

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

const entriesOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value.filter((entry) => isText(memberOf(entry, 'value'))) : [];

const primaryOf = (value: unknown): unknown => {
  const entries = entriesOf(value);
  return memberOf(entries.find((entry) => memberOf(entry, 'primary') === true) ?? entries[0], 'value');
};

const top = (path: string): Attribute => ({ path, type: 'string', read: (user) => memberOf(user, path) });
const ofName = (name: string): Attribute => ({
  path: 'name',
  type: 'string',
  read: (user) => memberOf(memberOf(user, 'name'), name),
});
const ofEnterprise = (name: string): Attribute => ({
  path: `${enterprise}:${name}`,
  type: 'string',
  read: (user) => extensionValue(user, `${enterprise}:${name}`),
});

/** Attributes of `user` in expressions, by their path after `user.`. */
const attributes: ReadonlyMap<string, Attribute> = new Map([
  ...[
    'userName',
    'displayName',
    'nickName',
    'title',
    'userType',
    'preferredLanguage',
    'locale',
    'timezone',
  ].map((name) => [name, top(name)] as const),
  ...[...storedNames, 'middleName', 'honorificPrefix', 'honorificSuffix'].map(
    (name) => [`name.${name}`, ofName(name)] as const,
  ),
  ...['employeeNumber', 'costCenter', 'organization', 'division', 'department'].map(
    (name) => [name, ofEnterprise(name)] as const,
  ),
  ['email', { path: 'emails', type: 'string', read: (user) => primaryOf(memberOf(user, 'emails')) }],
  [
    'emails',
    {
      path: 'emails',
      type: 'list<string>',
      read: (user) => entriesOf(memberOf(user, 'emails')).map((entry) => memberOf(entry, 'value')),
    },
  ],
  [
    'phoneNumber',
    { path: 'phoneNumbers', type: 'string', read: (user) => primaryOf(memberOf(user, 'phoneNumbers')) },
  ],
]);

/** Names of the attributes of `user`, for messages. */
export const attributeNames: readonly string[] = [...attributes.keys()];

/** Type of an attribute; undefined if there is none at this path. */
export const attributeType = (path: string): Attribute['type'] | undefined => attributes.get(path)?.type;

/** Types of all attributes, nested as expressions read them. */
export function attributeSchema(): Record<string, unknown> {
  const schema: Record<string, Record<string, string> | string> = {
    attributes: 'map<string, dyn>',
    name: {},
  };
  for (const [path, { type }] of attributes) {
    const [first = '', second] = path.split('.');
    if (second === undefined) schema[first] = type;
    else (schema[first] as Record<string, string>)[second] = type;
  }
  return schema;
}

/** URN of a schema, followed by the name of an attribute (RFC 7644 §3.10). A comma would name another attribute. */
export const isExtensionAttribute = (path: string): boolean =>
  /^urn:[A-Za-z0-9][A-Za-z0-9:._/+=@-]{0,253}:[A-Za-z][A-Za-z0-9_-]{0,127}$/i.test(path);

/** Attributes that a set of expressions reads. */
export interface ReadAttributes {
  /** Paths after `user.`. */
  user: ReadonlySet<string>;
  /** Names in `user.attributes`. */
  extensions: ReadonlySet<string>;
  groups: boolean;
}

/** Returns the attributes to request from the directory; none if this service stores all of them. */
export function attributesToRequest({ user, extensions, groups }: ReadAttributes): string[] {
  const isStored = (path: string): boolean =>
    stored.has(attributes.get(path)?.path ?? '') || storedNames.some((name) => path === `name.${name}`);
  if (!groups && extensions.size === 0 && [...user].every(isStored)) return [];
  const paths = [...user].flatMap((path) => attributes.get(path)?.path ?? []);
  return [...new Set([...paths, ...extensions, ...(groups ? ['groups'] : [])])];
}

/** Maximum number of characters of a string; a longer one counts as absent. The cost of expressions is based on it. */
export const maxTextLength = 1_024;
/** Maximum number of characters of the JSON text of an extension attribute. */
export const maxExtensionLength = 4_096;
const maxEmails = 100;

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= maxTextLength;

/** Returns the value of `user` for expressions. Attributes without a value are absent. */
export function userValue(
  document: UserDocument,
  { user, extensions }: Pick<ReadAttributes, 'user' | 'extensions'>,
): Record<string, unknown> {
  const name: Record<string, string> = {};
  const value: Record<string, unknown> = { name, attributes: extensionValues(document, extensions) };
  for (const path of user) {
    const read = attributes.get(path)?.read(document);
    if (Array.isArray(read)) value[path] = read.slice(0, maxEmails);
    else if (isText(read) && path.startsWith('name.')) name[path.slice('name.'.length)] = read;
    else if (isText(read)) value[path] = read;
  }
  return value;
}

function extensionValues(document: UserDocument, paths: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(
    [...paths].flatMap((path) => {
      const value = extensionValue(document, path);
      if (value === undefined || value === null) return [];
      return JSON.stringify(value).length > maxExtensionLength ? [] : [[path, fromJson(value)]];
    }),
  );
}

function extensionValue(user: UserDocument, path: string): unknown {
  const end = path.lastIndexOf(':');
  const [schema, name] = [path.slice(0, end).toLowerCase(), path.slice(end + 1).toLowerCase()];
  const find = (value: unknown, key: string): unknown =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).find(([candidate]) => candidate.toLowerCase() === key)?.[1]
      : undefined;
  return find(find(user, schema), name);
}

/** Integers of CEL are BigInts. */
function fromJson(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(fromJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fromJson(member)]));
}
