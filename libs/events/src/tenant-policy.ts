import { isUuid, makeValidator } from '@ostiary/service';

/**
 * Settings of a tenant besides its name: the directory stores them, versioned and logged, and publishes them
 * with `tenant.updated`. A tenant's row has only its own settings; others are those of the installation
 * (`TENANT_POLICY_DEFAULTS`), with {@link standardTenantPolicy} as fallback.
 */
export interface TenantPolicy {
  /**
   * Decision on clients, service accounts, API keys and connectors whose only owner is offboarded: revoked,
   * disabled until enabled again, or transferred to `handOverCredentialsTo`.
   */
  ownedCredentialsOnOffboarding: 'revoke' | 'suspend' | 'handOver';
  /** Id of a user or group; required for `handOver`. */
  handOverCredentialsTo: string | null;
  /**
   * Days for which secrets of other owners that an offboarded user knows stay valid, so that the owners can rotate them: 0 to 30, default
   * 0: they end immediately.
   */
  knownSecretOverlapDays: number;
  /** Whether a client may introspect tokens issued neither to it nor for it (RFC 7662 section 4). */
  introspectionByAnyClient: boolean;
  /** Whether roles require a sign-in with two factors. */
  requireSecondFactorForAdministrators: boolean;
  /**
   * Words, in lower case, of which no password may consist, in addition to lists of breached passwords (NIST
   * SP 800-63B section 3.1.1.2).
   */
  bannedPasswordWords: readonly string[];
  /**
   * Whether SCIM's ServiceProviderConfig announces `securityEvents` (RFC 9967), which some typed clients
   * cannot parse.
   */
  scimSecurityEvents: boolean;
  /** Whether group names must be unique. */
  uniqueGroupNames: boolean;
  /** Security profile required of every client. */
  requiredClientProfile: 'standard' | 'fapi2';
  /**
   * Origins of web apps that may use the graph and token endpoints from a browser (CORS), in addition to
   * those of clients' redirect URIs.
   */
  webOrigins: readonly string[];
  /** Retention time of sign-in attempts in days: 1 to 3650, default 90. */
  signInRetentionDays: number;
}

/** Explicit settings of a tenant. */
export type TenantPolicySettings = Partial<TenantPolicy>;

/** Settings in a tenant's events. */
export interface VersionedTenantPolicy {
  /** Increases with each change of the policy; 0 before the first. */
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

/** Error of an invalid setting, with its name and the accepted values. */
export class InvalidPolicySetting extends Error {
  readonly setting: string;

  constructor(setting: string, message: string) {
    super(message);
    this.name = 'InvalidPolicySetting';
    this.setting = setting;
  }
}

export const maxBannedWords = 1000;
export const maxWebOrigins = 100;
const [shortestWord, longestWord] = [3, 64];

/** Parses a value, or returns a sentence with the requirement. */
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

/** Host in a browser's spelling; URL parsers accept more, such as `*`. */
const pageHost = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

/** Returns an origin in a browser's spelling (RFC 6454): https, or http on loopback; otherwise undefined. */
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
    maxBannedWords,
    bannedWord,
    `words of ${shortestWord} to ${longestWord} characters`,
  ),
  scimSecurityEvents: flag,
  uniqueGroupNames: flag,
  requiredClientProfile: oneOf('standard', 'fapi2'),
  webOrigins: listOf(
    maxWebOrigins,
    webOrigin,
    'origins such as https://app.example.com, with scheme, host and port only; http only for loopback addresses',
  ),
  signInRetentionDays: days(1, 3650),
};

export const tenantPolicyNames = Object.keys(rules) as (keyof TenantPolicy)[];

const isName = (name: string): name is keyof TenantPolicy => Object.hasOwn(rules, name);

/**
 * Parses settings of a request.
 * @throws InvalidPolicySetting for an unknown name or an invalid value
 */
export function readTenantPolicy(given: unknown): TenantPolicySettings {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new InvalidPolicySetting('', 'must be an object of settings.');
  }
  const settings: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!isName(name)) throw new InvalidPolicySetting(name, `"${name}" is not a setting.`);
    const read = rules[name](value);
    if ('must' in read) throw new InvalidPolicySetting(name, `"${name}" ${read.must}`);
    settings[name] = read.value;
  }
  return settings;
}

/**
 * Returns the effective settings of a tenant. Settings unknown to this release, stored by a newer one, are
 * ignored; unknown values use the default.
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
      throw new Error('must not contain handOver, because its user or group belongs to one tenant');
    }
    return settings;
  } catch (error) {
    if (error instanceof InvalidPolicySetting)
      throw new Error(`must have valid settings: ${error.message.replace(/\.$/, '')}`);
    throw error;
  }
});

/** Environment variables of services that apply a tenant's policy; equal for all of them. */
export const tenantPolicyEnv = {
  TENANT_POLICY_DEFAULTS: policyDefaults({
    default: {},
    desc: 'Default policy of tenants: a JSON object with settings of `tenantPolicy` in the graph, enum values in camel case, for example {"requireSecondFactorForAdministrators":true}. The same for every service.',
  }),
};
