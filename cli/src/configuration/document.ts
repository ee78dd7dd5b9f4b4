import { Failure } from '../failure.ts';

/** A JSON value. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [name: string]: Plain };
export type Item = Readonly<Record<string, Plain>>;

/** Sections with one item per tenant. */
export const settingSections = ['settings', 'policy', 'branding', 'clientDocumentPolicy'] as const;
/** List sections in the order of application: objects that others refer to come first. */
export const listSections = [
  'schemas',
  'apis',
  'clients',
  'connectors',
  'webhooks',
  'trustedIssuers',
  'serviceAccounts',
  'groupRoles',
  'groupApiRoles',
] as const;
export type SettingSection = (typeof settingSections)[number];
export type ListSection = (typeof listSections)[number];

/** Configuration of a tenant, without ids, versions and secrets. Absent sections are left unchanged. */
export type ConfigurationDocument = { readonly [section in SettingSection]?: Item } & {
  readonly [section in ListSection]?: readonly Item[];
};

/** Type of a field. The order of `list` is not significant; that of `ordered`, `described` and `mappings` is. */
type FieldType =
  | 'text'
  | 'flag'
  | 'number'
  | 'list'
  | 'ordered'
  | 'any'
  | 'client'
  | 'clients'
  | 'party'
  | 'api'
  | 'apis'
  | 'described'
  | 'mappings';

/** Every field of every section that is read and written. */
export const fields: Readonly<Record<SettingSection | ListSection, Readonly<Record<string, FieldType>>>> = {
  settings: { deletionPolicy: 'text', auditRetentionDays: 'number' },
  policy: {
    bannedPasswordWords: 'list',
    handOverCredentialsTo: 'party',
    introspectionByAnyClient: 'flag',
    knownSecretOverlapDays: 'number',
    ownedCredentialsOnOffboarding: 'text',
    requireSecondFactorForAdministrators: 'flag',
    requiredClientProfile: 'text',
    scimSecurityEvents: 'flag',
    uniqueGroupNames: 'flag',
    signInRetentionDays: 'number',
    webOrigins: 'list',
  },
  branding: { name: 'text', color: 'text', logo: 'text' },
  clientDocumentPolicy: {
    hosts: 'list',
    registration: 'text',
    redirectHosts: 'list',
    scopes: 'list',
    apis: 'apis',
  },
  schemas: {
    id: 'text',
    name: 'text',
    description: 'text',
    required: 'flag',
    resourceType: 'text',
    attributes: 'ordered',
  },
  apis: {
    identifier: 'api',
    name: 'text',
    scopes: 'described',
    roles: 'described',
    tokenLifetimeSeconds: 'number',
    tokenFormat: 'text',
    claims: 'mappings',
  },
  clients: {
    name: 'text',
    applicationType: 'text',
    backchannelLogoutSessionRequired: 'flag',
    backchannelLogoutUri: 'text',
    claims: 'mappings',
    clientUri: 'text',
    codeProtection: 'text',
    defaultMaxAge: 'number',
    disabled: 'flag',
    dpopBoundAccessTokens: 'flag',
    grantTypes: 'list',
    idTokenSignedResponseAlg: 'text',
    introspectionSignedResponseAlg: 'text',
    jwks: 'text',
    jwksUri: 'text',
    logoUri: 'text',
    mayAct: 'client',
    ownScopes: 'list',
    policyUri: 'text',
    postLogoutRedirectUris: 'list',
    profile: 'text',
    profileClaimsInIdToken: 'flag',
    protectedResources: 'list',
    redirectUris: 'list',
    requestObjectSigningAlg: 'text',
    requestUris: 'list',
    requireAuthTime: 'flag',
    requireConsent: 'flag',
    requirePushedAuthorizationRequests: 'flag',
    requireSignedRequestObject: 'flag',
    resources: 'list',
    scopes: 'list',
    sectorIdentifierUri: 'text',
    subjectType: 'text',
    tokenEndpointAuthMethod: 'text',
    tokenEndpointAuthSigningAlg: 'text',
    tokenExchange: 'any',
    tosUri: 'text',
    userinfoSignedResponseAlg: 'text',
  },
  connectors: {
    name: 'text',
    access: 'text',
    attributes: 'any',
    clientId: 'client',
    disabled: 'flag',
    limits: 'any',
    profile: 'text',
    protectAdministrators: 'flag',
    protectedGroups: 'list',
    protectedUsers: 'list',
    quirks: 'ordered',
    resourceTypes: 'list',
    vouchesForEmails: 'flag',
  },
  webhooks: { name: 'text', endpoint: 'text', status: 'text', types: 'list' },
  trustedIssuers: {
    name: 'text',
    issuer: 'text',
    clientIds: 'clients',
    scopes: 'list',
    jwks: 'text',
    jwksUri: 'text',
  },
  serviceAccounts: { name: 'text', description: 'text', disabled: 'flag', scopes: 'list' },
  groupRoles: { group: 'text', role: 'text', managedBySources: 'flag' },
  groupApiRoles: { group: 'text', api: 'api', role: 'text', managedBySources: 'flag' },
};

export const formatVersion = 1;

/** Returns the text of a document. It is deterministic, so it can be kept under version control. */
export const textOf = (document: ConfigurationDocument): string =>
  `${JSON.stringify({ ostiary: formatVersion, ...document }, null, 2)}\n`;

const wrong = (path: string, what: string): Failure => new Failure('usage', `${path} ${what}.`);

/** @throws Failure usage with the position of the error in the text */
export function parseDocument(text: string, path: string): ConfigurationDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw wrong(path, `is not valid JSON: ${(error as Error).message}`);
  }
  if (!isObject(value)) throw wrong(path, 'must contain a JSON object');
  const { ostiary: format, ...sections } = value;
  if (format !== formatVersion) {
    throw wrong(path, `is not a configuration of this version: it must contain "ostiary": ${formatVersion}`);
  }
  const document: Record<string, Item | readonly Item[]> = {};
  for (const [name, section] of Object.entries(sections)) {
    if (!Object.hasOwn(fields, name)) throw wrong(`${path}: ${name}`, 'is not a section of a configuration');
    const known = name as SettingSection | ListSection;
    document[name] = isSetting(known)
      ? itemOf(section, known, `${path}: ${name}`)
      : itemsOf(section, known, `${path}: ${name}`);
  }
  return document;
}

const isSetting = (section: string): section is SettingSection =>
  (settingSections as readonly string[]).includes(section);

const isObject = (value: unknown): value is Record<string, Plain> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function itemsOf(value: unknown, section: ListSection, path: string): Item[] {
  if (!Array.isArray(value)) throw wrong(path, 'must be a list');
  return value.map((item, at) => {
    const read = itemOf(item, section, `${path}[${at}]`);
    const missing = namedBy(section).find((name) => typeof read[name] !== 'string');
    if (missing !== undefined) throw wrong(`${path}[${at}]`, `needs ${missing}`);
    return read;
  });
}

/** Converts a client of a file that was exported before `codeProtection` replaced two members. */
function withCodeProtection({
  requirePkce,
  requireNonce,
  ...client
}: Record<string, Plain>): Record<string, Plain> {
  if (requirePkce === undefined && requireNonce === undefined) return client;
  const codeProtection = requirePkce !== false ? 'PKCE' : requireNonce === false ? 'NONE' : 'PKCE_OR_NONCE';
  return { codeProtection, ...client };
}

function itemOf(given: unknown, section: SettingSection | ListSection, path: string): Item {
  if (!isObject(given)) throw wrong(path, 'must be an object');
  const value = section === 'clients' ? withCodeProtection(given) : given;
  for (const [name, field] of Object.entries(value)) {
    const type = fields[section][name];
    if (type === undefined || !Object.hasOwn(fields[section], name))
      throw wrong(`${path}.${name}`, 'is unknown');
    if (field !== null && !fits[type](field)) throw wrong(`${path}.${name}`, `must be ${descriptions[type]}`);
  }
  return normalised(section, value);
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** Reports whether an object has only these members, each valid. */
const hasOnly = (value: unknown, members: Readonly<Record<string, (value: unknown) => boolean>>): boolean =>
  isObject(value) &&
  Object.keys(value).every((name) => Object.hasOwn(members, name)) &&
  Object.entries(members).every(([name, isValid]) => isValid(value[name]));

const isDescription = (value: unknown): boolean => hasOnly(value, { language: isText, text: isText });
const isDescribed = (value: unknown): boolean =>
  hasOnly(value, {
    name: isText,
    descriptions: (given) => given === undefined || (Array.isArray(given) && given.every(isDescription)),
  });

const isMapping = (value: unknown): boolean =>
  hasOnly(value, {
    name: isText,
    expression: isText,
    required: (given) => given === undefined || typeof given === 'boolean',
  });

const fits: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  text: isText,
  client: isText,
  flag: (value) => typeof value === 'boolean',
  number: (value) => Number.isInteger(value),
  list: isTexts,
  clients: isTexts,
  ordered: Array.isArray,
  api: isText,
  apis: isTexts,
  described: (value) => Array.isArray(value) && value.every(isDescribed),
  mappings: (value) => Array.isArray(value) && value.every(isMapping),
  any: (value) => typeof value === 'object',
  party: (value) =>
    isObject(value) && /^(user|group)$/.test(Object.keys(value).join()) && isTexts(Object.values(value)),
};

const descriptions: Readonly<Record<FieldType, string>> = {
  text: 'a text',
  client: "a client's name",
  flag: 'true or false',
  number: 'a whole number',
  list: 'a list of texts',
  clients: "a list of clients' names",
  ordered: 'a list',
  api: 'the identifier of an API',
  apis: 'a list of identifiers of APIs',
  described: 'a list of {"name": "…", "descriptions": [{"language": "…", "text": "…"}]}',
  mappings: 'a list of {"name": "…", "expression": "…", "required": false}',
  any: 'an object or a list',
  party: '{"user": "…"} or {"group": "…"}',
};

/** Orders the fields, and sorts unordered lists: equal items have equal texts. */
export function normalised(
  section: SettingSection | ListSection,
  item: Readonly<Record<string, Plain | undefined>>,
): Item {
  const entries = Object.entries(fields[section]).flatMap(([name, type]): [string, Plain][] => {
    const value = item[name];
    if (value === undefined) return [];
    if (value === null) return [[name, type === 'described' || type === 'mappings' ? [] : null]];
    return [[name, canonical[type]?.(value) ?? value]];
  });
  return Object.fromEntries(entries);
}

const sorted = (value: Plain): Plain => [...new Set(value as readonly string[])].sort();

/** Returns an identifier as the server stores it: a URI with an empty path has no slash. */
export const identifierOf = (uri: string): string => uri.replace(/^(https?:\/\/[^/?#]+)\/$/i, '$1');

/** Scope or role of an API. */
export type Described = {
  readonly name: string;
  readonly descriptions?: readonly { readonly language: string; readonly text: string }[];
};

/** Languages are stored in lower case, and in no order. */
const describedAsStored = ({ name, descriptions = [] }: Described): Plain => ({
  name,
  descriptions: descriptions
    .map(({ language, text }) => ({ language: language.toLowerCase(), text: text.trim() }))
    .sort((a, b) => (a.language < b.language ? -1 : 1)),
});

/** Claim that tokens have in addition. */
type Mapping = { readonly name: string; readonly expression: string; readonly required?: boolean };

/** Forms of values in which the server returns them. */
const canonical: Readonly<Partial<Record<FieldType, (value: Plain) => Plain>>> = {
  list: sorted,
  clients: sorted,
  api: (value) => identifierOf(String(value)),
  apis: (value) => sorted((value as readonly string[]).map(identifierOf)),
  described: (value) => (value as readonly Described[]).map(describedAsStored),
  mappings: (value) =>
    (value as readonly Mapping[]).map(({ name, expression, required = false }) => ({
      name,
      expression,
      required,
    })),
};

/** Fields that identify an item of a list. */
const namedBy = (section: ListSection): readonly string[] => identifying[section] ?? ['name'];

const identifying: Readonly<Partial<Record<ListSection, readonly string[]>>> = {
  schemas: ['id'],
  apis: ['identifier'],
  groupRoles: ['group', 'role'],
  groupApiRoles: ['group', 'api', 'role'],
};

/**
 * Returns the keys that identify items of a list in any tenant, where ids differ: the URN of a schema, the
 * identifier of an API, group and role, or the name. Names need not be unique: the second item with a name is
 * `name#2`, in list order.
 */
export function keysOf(section: ListSection, items: readonly Item[]): string[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const name = namedBy(section)
      .map((field) => String(item[field]))
      .join(': ');
    const number = (seen.get(name) ?? 0) + 1;
    seen.set(name, number);
    return number > 1 || /#\d+$/.test(name) ? `${name}#${number}` : name;
  });
}
