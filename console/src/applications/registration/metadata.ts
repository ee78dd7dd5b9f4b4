import { linesOf } from '../../ui/index.ts';
import type { ApplicationQuery, UpdateApplicationMutationVariables } from '../generated/applications.ts';
import { grantTypes } from '../kinds.ts';

export type Application = NonNullable<ApplicationQuery['client']>;
export type ApplicationChanges = Omit<
  UpdateApplicationMutationVariables['input'],
  'id' | 'version' | 'idempotencyKey'
>;
/** The claims have a tab of their own. */
export type MemberName = Exclude<keyof ApplicationChanges & keyof Application, 'claims'>;
export type Value = Application[MemberName];

/** Type of the input and display of one member of a registration. */
export type Member = { name: MemberName } & (
  | { kind: 'text' | 'json' | 'lines' | 'boolean' | 'seconds' | 'scopes' | 'grants' | 'exchange' }
  | { kind: 'choice'; options: readonly string[]; isOptional?: boolean }
);

export const groups = [
  'presentation',
  'signIn',
  'access',
  'authentication',
  'security',
  'tokens',
  'delegation',
] as const;
export type GroupName = (typeof groups)[number];

const signatures = ['RS256', 'PS256', 'ES256', 'EDDSA'] as const;
const asymmetric = [
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
  'EDDSA',
  'ED25519',
] as const;

/** Editable members of a registration by group. */
export const membersOf: Readonly<Record<GroupName, readonly Member[]>> = {
  presentation: [
    { name: 'name', kind: 'text' },
    { name: 'clientUri', kind: 'text' },
    { name: 'logoUri', kind: 'text' },
    { name: 'policyUri', kind: 'text' },
    { name: 'tosUri', kind: 'text' },
  ],
  signIn: [
    { name: 'redirectUris', kind: 'lines' },
    { name: 'postLogoutRedirectUris', kind: 'lines' },
    { name: 'applicationType', kind: 'choice', options: ['WEB', 'NATIVE'] },
    { name: 'requireConsent', kind: 'boolean' },
    { name: 'defaultMaxAge', kind: 'seconds' },
    { name: 'requireAuthTime', kind: 'boolean' },
    { name: 'backchannelLogoutUri', kind: 'text' },
    { name: 'backchannelLogoutSessionRequired', kind: 'boolean' },
  ],
  access: [
    { name: 'grantTypes', kind: 'grants' },
    { name: 'scopes', kind: 'scopes' },
    { name: 'ownScopes', kind: 'scopes' },
    { name: 'resources', kind: 'lines' },
    { name: 'protectedResources', kind: 'lines' },
  ],
  authentication: [
    {
      name: 'tokenEndpointAuthMethod',
      kind: 'choice',
      options: [
        'CLIENT_SECRET',
        'CLIENT_SECRET_BASIC',
        'CLIENT_SECRET_POST',
        'CLIENT_SECRET_JWT',
        'PRIVATE_KEY_JWT',
        'NONE',
      ],
    },
    {
      name: 'tokenEndpointAuthSigningAlg',
      kind: 'choice',
      options: [...asymmetric, 'HS256', 'HS384', 'HS512'],
      isOptional: true,
    },
    { name: 'jwksUri', kind: 'text' },
    { name: 'jwks', kind: 'json' },
  ],
  security: [
    { name: 'profile', kind: 'choice', options: ['STANDARD', 'FAPI2'] },
    { name: 'codeProtection', kind: 'choice', options: ['PKCE', 'PKCE_OR_NONCE', 'NONE'] },
    { name: 'dpopBoundAccessTokens', kind: 'boolean' },
    { name: 'requirePushedAuthorizationRequests', kind: 'boolean' },
    { name: 'requireSignedRequestObject', kind: 'boolean' },
    { name: 'requestObjectSigningAlg', kind: 'choice', options: [...asymmetric, 'NONE'], isOptional: true },
    { name: 'requestUris', kind: 'lines' },
  ],
  tokens: [
    { name: 'idTokenSignedResponseAlg', kind: 'choice', options: signatures },
    { name: 'userinfoSignedResponseAlg', kind: 'choice', options: signatures, isOptional: true },
    { name: 'introspectionSignedResponseAlg', kind: 'choice', options: signatures },
    { name: 'profileClaimsInIdToken', kind: 'boolean' },
    { name: 'sectorIdentifierUri', kind: 'text' },
  ],
  delegation: [
    { name: 'tokenExchange', kind: 'exchange' },
    { name: 'mayAct', kind: 'text' },
  ],
};

/** Returns the grant types to choose from: the standard ones, and other registered ones. */
export const offeredGrants = (registered: readonly string[]): string[] => [
  ...grantTypes,
  ...registered.filter((grant) => !(grantTypes as readonly string[]).includes(grant)),
];

export type Draft = Partial<Record<MemberName, Value>>;

export const draftOf = (application: Application, members: readonly Member[]): Draft =>
  Object.fromEntries(members.map(({ name }) => [name, application[name]]));

/** Compares two values; an empty text equals null. */
export const isSame = (one: Value | undefined, other: Value | undefined): boolean =>
  JSON.stringify(settled(one)) === JSON.stringify(settled(other));

const settled = (value: Value | undefined): unknown => {
  if (Array.isArray(value)) return linesOf(value);
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim();
  if (typeof value === 'object' && value !== null && 'subjectClients' in value)
    return {
      subjectClients: linesOf(value.subjectClients),
      impersonation: value.impersonation,
      agent: value.agent,
      agentTokenLifetimeSeconds: value.agent ? value.agentTokenLifetimeSeconds : null,
    };
  return value ?? null;
};

/** Returns the changes of a draft as input of the graph: null restores the default. */
export const changesOf = (draft: Draft, base: Application): ApplicationChanges =>
  Object.fromEntries(
    Object.entries(draft)
      .filter(([name, value]) => !isSame(value, base[name as MemberName]))
      .map(([name, value]) => [name, settled(value)]),
  ) as ApplicationChanges;

/**
 * Reports whether a client problem concerns a member. The only indication is the wire name of the member (RFC 7591 §2)
 * in the message.
 */
export const isAbout = (message: string, name: MemberName): boolean => {
  const wire = wireNames[name] ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return new RegExp(`(^|[^a-z_])${wire}([^a-z_]|$)`).test(message);
};

const wireNames: Partial<Record<MemberName, string>> = {
  redirectUris: '(redirect_uris?|[Rr]edirect URIs?)',
  name: 'client_name',
  scopes: 'scope',
  tokenExchange: 'token_exchange_(subject_clients|impersonation|agent(_lifetime)?)',
  mayAct: 'may_act(_client)?',
  profile: 'client_profile',
};
