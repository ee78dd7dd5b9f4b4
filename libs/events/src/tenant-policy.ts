import { isUuid, makeValidator } from '@ostiary/service';

/**
 * What a tenant may set for itself, beside its name: the directory keeps it, versioned and logged, and tells the other services
 * with `tenant.updated`. A tenant's row holds only what it said; the rest is the installation's (`TENANT_POLICY_DEFAULTS`), and what that
 * doesn't say either is {@link standardTenantPolicy}.
 */
export interface TenantPolicy {
  /**
   * What becomes of clients, service accounts, API keys and connectors when the only one who owned them is offboarded: they are revoked,
   * disabled until somebody enables them, or given to `handOverCredentialsTo`.
   */
  ownedCredentialsOnOffboarding: 'revoke' | 'suspend' | 'handOver';
  /** The id of a user or a group; needed for `handOver`. */
  handOverCredentialsTo: string | null;
  /**
   * Days for which secrets of other owners that an offboarded user knows stay valid, so that the owners can rotate them: 0 to 30, default
   * 0: they end immediately.
   */
  knownSecretOverlapDays: number;
  /** Whether a client may introspect tokens issued neither to it nor for it (RFC 7662 section 4). */
  introspectionByAnyClient: boolean;
  /** Whether who holds a role must have signed in with two factors for the role to count. */
  requireSecondFactorForAdministrators: boolean;
  /** Words no password may consist of, beside the lists of passwords known from breaches (NIST SP 800-63B section 3.1.1.2). In lower case. */
  bannedPasswordWords: readonly string[];
  /** Whether SCIM's ServiceProviderConfig announces `securityEvents` (RFC 9967), which some typed clients can't read. */
  scimSecurityEvents: boolean;
  /** Whether two groups may not have one name. */
  uniqueGroupNames: boolean;
  /** The security profile that every client has to meet. */
  requiredClientProfile: 'standard' | 'fapi2';
  /** Origins of web apps that may use the graph and the token endpoints from a browser (CORS), besides those of clients' redirect URIs. */
  webOrigins: readonly string[];
  /** Days for which attempts to sign in are kept: 1 to 3650, default 90. */
  signInRetentionDays: number;
}

/** What a tenant said: what it didn't is left out. */
export type TenantPolicySettings = Partial<TenantPolicy>;

/** The settings as a tenant's events carry them. */
export interface VersionedTenantPolicy {
  /** Grows with each change of the policy; 0 as long as there was none. */
  version: number;
  settings: TenantPolicySettings;
}

export const standardTenantPolicy: TenantPolicy = {
  ownedCredentialsOnOffboarding: 'revoke',
  handOverCredentialsTo: null,
  knownSecretOverlapDays: 0,
  introspectionByAnyClient: false,
  requireSecondFactorForAdministrators: false,
  bannedPasswordWords: [],
  scimSecurityEvents: false,
  uniqueGroupNames: false,
  requiredClientProfile: 'standard',
  webOrigins: [],
  signInRetentionDays: 90,
};

/** A value that a setting can't have: which, and what it may be. */
export class InvalidPolicySetting extends Error {
  readonly setting: string;

  constructor(setting: string, message: string) {
    super(message);
    this.name = 'InvalidPolicySetting';
    this.setting = setting;
  }
}

export const mostBannedWords = 1000;
export const mostWebOrigins = 100;
const [shortestWord, longestWord] = [3, 64];

/** Reads one value, or says in a sentence what it must be. */
type Rule<T> = (value: unknown) => { value: T } | { must: string };

const flag: Rule<boolean> = (value) =>
  typeof value === 'boolean' ? { value } : { must: 'must be true or false.' };

const days =
  (least: number, most: number): Rule<number> =>
  (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
      ? { value }
      : { must: `must be a number of days from ${least} to ${most}.` };

const oneOf =
  <T extends string>(...choices: T[]): Rule<T> =>
  (value) =>
    choices.includes(value as T) ? { value: value as T } : { must: `must be one of ${choices.join(', ')}.` };

const listOf =
  (most: number, item: (text: string) => string | undefined, what: string): Rule<readonly string[]> =>
  (value) => {
    const must = `must be a list of at most ${most} ${what}.`;
    if (!Array.isArray(value) || value.length > most) return { must };
    const read = value.map((text) => (typeof text === 'string' ? item(text) : undefined));
    return read.includes(undefined) ? { must } : { value: [...new Set(read as string[])] };
  };

function bannedWord(text: string): string | undefined {
  const word = text.normalize('NFC').trim().toLowerCase();
  const { length } = [...word];
  return length >= shortestWord && length <= longestWord && !/\p{C}/u.test(word) ? word : undefined;
}

/** Of a host as browsers spell it; what URL parsers also let through, such as `*`, is no host of a page. */
const pageHost = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

/** An origin as a browser spells it (RFC 6454): https, or http on the machine's own loopback. */
function webOrigin(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.origin !== text.toLowerCase() || !pageHost.test(url.hostname))
    return undefined;
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback) ? url.origin : undefined;
}

const rules: { readonly [Name in keyof TenantPolicy]: Rule<TenantPolicy[Name]> } = {
  ownedCredentialsOnOffboarding: oneOf('revoke', 'suspend', 'handOver'),
  handOverCredentialsTo: (value) =>
    value === null || (typeof value === 'string' && isUuid(value))
      ? { value }
      : { must: 'must name an active user or a group of the tenant.' },
  knownSecretOverlapDays: days(0, 30),
  introspectionByAnyClient: flag,
  requireSecondFactorForAdministrators: flag,
  bannedPasswordWords: listOf(
    mostBannedWords,
    bannedWord,
    `words of ${shortestWord} to ${longestWord} characters`,
  ),
  scimSecurityEvents: flag,
  uniqueGroupNames: flag,
  requiredClientProfile: oneOf('standard', 'fapi2'),
  webOrigins: listOf(
    mostWebOrigins,
    webOrigin,
    'origins such as https://app.example.com, each written out, with nothing after host and port; http only for loopback addresses',
  ),
  signInRetentionDays: days(1, 3650),
};

export const tenantPolicyNames = Object.keys(rules) as (keyof TenantPolicy)[];

const isName = (name: string): name is keyof TenantPolicy => Object.hasOwn(rules, name);

/**
 * Reads settings that somebody gave.
 * @throws InvalidPolicySetting for a name that is none and for a value that a setting can't have
 */
export function readTenantPolicy(given: unknown): TenantPolicySettings {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new InvalidPolicySetting('', 'must be an object of settings.');
  }
  const settings: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!isName(name)) throw new InvalidPolicySetting(name, `"${name}" is no setting.`);
    const read = rules[name](value);
    if ('must' in read) throw new InvalidPolicySetting(name, `"${name}" ${read.must}`);
    settings[name] = read.value;
  }
  return settings;
}

/**
 * What holds in a tenant. Settings that this release doesn't know, as a newer one beside it may have stored, are none of its concern;
 * of a value that it doesn't know it takes the default.
 */
export function tenantPolicyOf(settings: unknown, defaults: TenantPolicySettings = {}): TenantPolicy {
  const policy: Record<string, unknown> = { ...standardTenantPolicy, ...defaults };
  const given = (typeof settings === 'object' && settings !== null ? settings : {}) as Record<
    string,
    unknown
  >;
  for (const name of tenantPolicyNames) {
    if (given[name] === undefined) continue;
    const read = rules[name](given[name]);
    if ('value' in read) policy[name] = read.value;
  }
  return policy as unknown as TenantPolicy;
}

const policyDefaults = makeValidator<TenantPolicySettings>((input) => {
  let given: unknown;
  try {
    given = JSON.parse(input);
  } catch {
    throw new Error('must be a JSON object, e.g. {"requireSecondFactorForAdministrators":true}');
  }
  try {
    const settings = readTenantPolicy(given);
    if (settings.handOverCredentialsTo || settings.ownedCredentialsOnOffboarding === 'handOver') {
      throw new Error("must not hand credentials over: users and groups are a tenant's own");
    }
    return settings;
  } catch (error) {
    if (error instanceof InvalidPolicySetting) throw new Error(`must have valid settings: ${error.message}`);
    throw error;
  }
});

/** Read by every service that goes by a tenant's policy; the same for all of them. */
export const tenantPolicyEnv = {
  TENANT_POLICY_DEFAULTS: policyDefaults({
    default: {},
    desc: 'Default policy of tenants: a JSON object with settings of `tenantPolicy` in the graph, enum values in camel case, for example {"requireSecondFactorForAdministrators":true}. The same for every service.',
  }),
};
