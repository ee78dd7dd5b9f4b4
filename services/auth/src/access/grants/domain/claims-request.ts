import { OAuthError } from '../../../platform/index.ts';

/** Claims parameter (OpenID Connect Core §5.5), reduced to supported claims. */
export interface ClaimsRequest {
  /** Names of claims about the user for the ID token. */
  idToken: string[];
  /** Names of claims about the user for the userinfo response. */
  userinfo: string[];
  /** Accepted subjects, as subject identifiers of the client (§5.5.1). */
  subjects?: string[];
  /** Classes of authentication. If `essential`, the authentication must reach one of them. */
  acr?: { values: string[]; essential: boolean };
}

/** Consented part of a claims request, stored with the grant. */
export type ReleasedClaims = Pick<ClaimsRequest, 'idToken' | 'userinfo'>;

/** Scope of each claim (§5.4). Consent to the scope covers its claims. */
export const scopeOfClaim: ReadonlyMap<string, string> = new Map(
  Object.entries({
    profile: [
      'name',
      'given_name',
      'family_name',
      'middle_name',
      'nickname',
      'preferred_username',
      'profile',
      'picture',
      'locale',
      'zoneinfo',
      'updated_at',
    ],
    address: ['address'],
    phone: ['phone_number', 'phone_number_verified'],
    email: ['email', 'email_verified'],
    groups: ['groups'],
  }).flatMap(([scope, claims]) => claims.map((claim): [string, string] => [claim, scope])),
);

/** Returns the claims in the userinfo response for scopes. */
export const claimsOfScopes = (scopes: ReadonlySet<string>): string[] =>
  [...scopeOfClaim].filter(([, scope]) => scopes.has(scope)).map(([claim]) => claim);

const malformed = (): OAuthError =>
  new OAuthError('invalid_request', 'Parameter claims is not a claims request object.');

const maxValues = 20;

/**
 * Parses a claims parameter. Unsupported claims are ignored; a client has no right to any (§5.5.1).
 * @throws OAuthError invalid_request when it does not have the standard's form
 */
export function parseClaimsRequest(text: string): ClaimsRequest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw malformed();
  }
  if (!isObject(json)) throw malformed();
  const idToken = members(json, 'id_token');
  const userinfo = members(json, 'userinfo');
  const subjects = valuesOf(idToken.get('sub')) ?? valuesOf(userinfo.get('sub'));
  const acr = idToken.get('acr');
  const acrValues = valuesOf(acr);
  return {
    idToken: [...idToken.keys()].filter((name) => scopeOfClaim.has(name)),
    userinfo: [...userinfo.keys()].filter((name) => scopeOfClaim.has(name)),
    ...(subjects === undefined ? {} : { subjects }),
    ...(acrValues === undefined ? {} : { acr: { values: acrValues, essential: acr?.essential === true } }),
  };
}

/** Returns the scopes that a user must consent to for these claims. */
export const scopesOfClaims = ({ idToken, userinfo }: ReleasedClaims): string[] => [
  ...new Set([...idToken, ...userinfo].flatMap((claim) => scopeOfClaim.get(claim) ?? [])),
];

/** Returns the part of a claims request that consented scopes cover; undefined if it is empty. */
export function releasedClaims(
  request: ReleasedClaims | undefined,
  allowed: readonly string[],
): ReleasedClaims | undefined {
  if (!request) return undefined;
  const isAllowed = (claim: string): boolean => allowed.includes(scopeOfClaim.get(claim) ?? '');
  const released = {
    idToken: request.idToken.filter(isAllowed),
    userinfo: request.userinfo.filter(isAllowed),
  };
  return released.idToken.length + released.userinfo.length === 0 ? undefined : released;
}

/** Request of one claim. */
type Asked = Record<string, unknown>;

function members(json: object, name: string): Map<string, Asked> {
  const part = Object.hasOwn(json, name) ? (json as Record<string, unknown>)[name] : undefined;
  if (part === undefined || part === null) return new Map();
  if (!isObject(part)) throw malformed();
  return new Map(
    Object.entries(part).map(([claim, asked]) => {
      if (asked === null) return [claim, {}];
      if (!isObject(asked)) throw malformed();
      if ('essential' in asked && typeof asked.essential !== 'boolean') throw malformed();
      if ('values' in asked && !Array.isArray(asked.values)) throw malformed();
      return [claim, asked];
    }),
  );
}

function valuesOf(asked: Asked | undefined): string[] | undefined {
  if (asked === undefined) return undefined;
  const values = Array.isArray(asked.values) ? asked.values : 'value' in asked ? [asked.value] : undefined;
  if (values === undefined) return undefined;
  if (values.length > maxValues || !values.every((value) => typeof value === 'string')) throw malformed();
  return values;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
