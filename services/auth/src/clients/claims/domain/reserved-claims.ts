import type { AccessTokenClaims } from '../../../access/index.ts';

/** Every claim of this server. The type requires an entry for each, so that no mapping sets one. */
const ours: Readonly<Record<keyof AccessTokenClaims, true>> = {
  iss: true,
  sub: true,
  aud: true,
  exp: true,
  iat: true,
  jti: true,
  client_id: true,
  client_epoch: true,
  scope: true,
  roles: true,
  cnf: true,
  sub_epoch: true,
  grant_id: true,
  sid: true,
  presented_sid: true,
  auth_time: true,
  amr: true,
  acr: true,
  act: true,
  may_act: true,
  derived_from: true,
};

/**
 * Claims with a meaning in a standard or in this server, which a mapping must not set: a resource server or an app
 * decides by them who the user is, what the token allows, and how long it is valid.
 */
const reserved: ReadonlySet<string> = new Set([
  ...Object.keys(ours),
  // JWT (RFC 7519 §4.1), access tokens (RFC 9068 §2.2), introspection (RFC 7662 §2.2, RFC 9701 §5).
  ...['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'scope', 'scopes', 'scp', 'client_id', 'token_type'],
  ...['active', 'username', 'roles', 'groups', 'entitlements', 'token_introspection', 'kid', 'typ'],
  // Delegation, binding and authorization details (RFC 8693 §4, RFC 7800 §3.1, RFC 9396, RFC 8417 §2.2).
  ...['act', 'may_act', 'cnf', 'authorization_details', 'events', 'toe', 'txn', 'sub_id'],
  // ID tokens (OpenID Connect Core §2, §3.3.2.11, Front-Channel Logout §3).
  ...['nonce', 'azp', 'auth_time', 'at_hash', 'c_hash', 's_hash', 'acr', 'amr', 'sid', 'sub_jwk'],
  ...['_claim_names', '_claim_sources', 'verified_claims'],
  // Claims about the user (OpenID Connect Core §5.1). Apps recognize users by them.
  ...['name', 'given_name', 'family_name', 'middle_name', 'nickname', 'preferred_username', 'profile'],
  ...['picture', 'website', 'email', 'email_verified', 'gender', 'birthdate', 'zoneinfo', 'locale'],
  ...['phone_number', 'phone_number_verified', 'address', 'updated_at'],
  // Members of JavaScript objects.
  ...['__proto__', 'constructor', 'prototype'],
]);

const prefixes = ['ostiary', 'urn:ostiary:'];

/** Claim names are compared case-sensitively, but some libraries read them in any case. */
export function isReservedClaim(name: string): boolean {
  const lower = name.toLowerCase();
  return reserved.has(lower) || prefixes.some((prefix) => lower.startsWith(prefix));
}
