import { apiScopes, oidcScopes, selfScopes } from '@ostiary/access';
import { isKnownScope, withoutEmptyPath } from '../../../access/index.ts';
import { invalidRequest } from '../../../platform/index.ts';
import {
  type ClaimMapping,
  checkClaimMappings,
  InvalidClaimMappings,
} from '../../claims/domain/claim-mapping.ts';

export type TokenFormat = 'jwt' | 'opaque';

/** Scope of an API. */
export interface ApiScope {
  name: string;
  /** Texts of the consent page, by BCP 47 language tag. */
  descriptions: Readonly<Record<string, string>>;
}

/** Role of an API, which users and groups get. */
export interface ApiRole {
  /** Value in the claim `roles` of tokens (RFC 9068 §2.2.3.1). */
  name: string;
  /** Texts by BCP 47 language tag. */
  descriptions: Readonly<Record<string, string>>;
}

/** A defined API (resource server) of a tenant. */
export interface Api {
  id: string;
  /** Audience of its tokens (RFC 8707 §2). */
  identifier: string;
  name: string;
  scopes: readonly ApiScope[];
  roles: readonly ApiRole[];
  /** Seconds. Null: that of the installation. */
  tokenLifetimeSeconds: number | null;
  tokenFormat: TokenFormat;
  /** Claims that its access tokens have in addition. */
  claims: readonly ClaimMapping[];
  version: number;
  createdAt: Date;
}

/** Members of an API that a change can replace. */
export type ApiSettings = Pick<Api, 'name' | 'scopes' | 'roles' | 'tokenLifetimeSeconds' | 'tokenFormat'> &
  Partial<Pick<Api, 'claims'>>;

const maxIdentifierLength = 2_048;
/** Maximum number of entries, and of characters of a name. A token with all roles must fit in a header. */
const limits = { scopes: { entries: 100, name: 128 }, roles: { entries: 50, name: 64 } };
const maxLanguages = 20;
const maxDescriptionLength = 500;
/** Minimum token lifetime in seconds. */
const minLifetime = 60;

/**
 * Returns an identifier in the form in which it is stored.
 * @param publicOrigin origin of this server, whose own resources an API cannot be
 * @throws OAuthError invalid_request
 */
export function checkIdentifier(identifier: string, publicOrigin: string): string {
  const valid =
    identifier.length <= maxIdentifierLength &&
    /^[\x21-\x7e]+$/.test(identifier) &&
    !identifier.includes('#') &&
    URL.canParse(identifier);
  if (!valid) {
    throw invalidRequest(
      `identifier must be an absolute URI without a fragment, of at most ${maxIdentifierLength} characters.`,
    );
  }
  const { origin, pathname } = new URL(identifier);
  const isOwn = origin === new URL(publicOrigin).origin && /^\/(?:t\/|graphql\/?$|$)/.test(pathname);
  if (isOwn || identifier.toLowerCase().startsWith('urn:ostiary:')) {
    throw invalidRequest('identifier must not be a resource of this server.');
  }
  if (pathname === '/' && identifier.includes('?')) {
    throw invalidRequest('identifier must have a path if it has a query.');
  }
  return withoutEmptyPath(identifier);
}

/** @throws OAuthError invalid_request */
export function checkSettings(settings: ApiSettings, maxLifetime: number): Required<ApiSettings> {
  return {
    name: checkName(settings.name),
    scopes: checkNamed('scopes', settings.scopes, checkScopeName),
    roles: checkNamed('roles', settings.roles, (name) => checkToken('roles', name)),
    tokenLifetimeSeconds: checkLifetime(settings.tokenLifetimeSeconds, maxLifetime),
    tokenFormat: settings.tokenFormat,
    claims: checkClaims(settings.claims ?? []),
  };
}

function checkClaims(given: readonly ClaimMapping[]): ClaimMapping[] {
  try {
    return checkClaimMappings(given, 'api');
  } catch (error) {
    throw error instanceof InvalidClaimMappings ? invalidRequest(error.message) : error;
  }
}

function checkName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > 200 || /\p{C}/u.test(name)) {
    throw invalidRequest('name must have 1 to 200 printable characters.');
  }
  return name;
}

function checkLifetime(seconds: number | null, most: number): number | null {
  if (seconds !== null && (seconds < Math.min(minLifetime, most) || seconds > most)) {
    throw invalidRequest(`tokenLifetimeSeconds must be between ${Math.min(minLifetime, most)} and ${most}.`);
  }
  return seconds;
}

type Described = keyof typeof limits;

function checkNamed(
  of: Described,
  given: readonly ApiScope[],
  checkedName: (name: string) => string,
): ApiScope[] {
  const most = limits[of].entries;
  if (given.length > most) throw invalidRequest(`${of} must have at most ${most} entries.`);
  if (new Set(given.map(({ name }) => name)).size < given.length) {
    throw invalidRequest(`${of} must not contain a name twice.`);
  }
  return given.map(({ name, descriptions }) => ({
    name: checkedName(name),
    descriptions: checkDescriptions(of, descriptions),
  }));
}

const prefixOf = (scope: string): string => scope.split(/[:.]/, 1)[0] as string;

/** Beginnings of the names of built-in scopes, which are reserved for further ones. */
const reserved: ReadonlySet<string> = new Set([
  'ostiary',
  ...Object.keys({ ...oidcScopes, ...selfScopes, ...apiScopes }).map(prefixOf),
]);

/** scope-token (RFC 6749 §3.3). */
function checkToken(of: Described, name: string): string {
  const most = limits[of].name;
  if (!/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name) || name.length > most) {
    throw invalidRequest(
      `${of} must have names of 1 to ${most} printable ASCII characters without space, quote and backslash.`,
    );
  }
  return name;
}

/** scope-token that is not a built-in scope. */
function checkScopeName(name: string): string {
  checkToken('scopes', name);
  if (isKnownScope(name) || reserved.has(prefixOf(name).toLowerCase())) {
    throw invalidRequest(
      `scopes must not use ${name}: names that begin with ${prefixOf(name)} are reserved.`,
    );
  }
  return name;
}

function checkDescriptions(
  of: Described,
  descriptions: Readonly<Record<string, string>>,
): Record<string, string> {
  const entries = Object.entries(descriptions);
  if (entries.length > maxLanguages) {
    throw invalidRequest(`${of} must have at most ${maxLanguages} descriptions each.`);
  }
  return Object.fromEntries(
    entries.map(([language, given]) => {
      const text = given.trim();
      if (!/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3}$/.test(language)) {
        throw invalidRequest(`${of} must have descriptions with a language tag (BCP 47), such as de.`);
      }
      if (text === '' || text.length > maxDescriptionLength || /\p{C}/u.test(text)) {
        throw invalidRequest(
          `${of} must have descriptions of 1 to ${maxDescriptionLength} printable characters.`,
        );
      }
      return [language.toLowerCase(), text];
    }),
  );
}

/** Returns the description in a language; otherwise in English, or in another one, or the name of the scope. */
export const descriptionIn = (language: string, { name, descriptions }: ApiScope): string =>
  descriptions[language] ?? descriptions.en ?? Object.values(descriptions)[0] ?? name;
