import { nameOf } from '../../domain/client-metadata.ts';
import type { ClientMetadata } from '../../domain/client-registry.ts';

/** Maximum size of a document in bytes (draft-ietf-oauth-client-id-metadata-document §6.6). */
export const maxDocumentBytes = 5_120;

/** A metadata document that cannot be loaded or used. The message is for logs; users see a general page. */
export class UnusableDocument extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnusableDocument';
  }
}

/** Members of the registration that a client may set without the approval of an administrator. */
export const claimedMembers = [
  'client_name',
  'application_type',
  'id_token_signed_response_alg',
  'userinfo_signed_response_alg',
  'dpop_bound_access_tokens',
  'require_pushed_authorization_requests',
  'jwks',
  'jwks_uri',
  'token_endpoint_auth_signing_alg',
] as const satisfies readonly (keyof ClientMetadata)[];

/** Members with addresses that the consent page links, so they must be on the host of the document. */
const linked: readonly string[] = ['client_uri', 'policy_uri', 'tos_uri'];

const members = [...claimedMembers, ...linked];

export const usedGrants: readonly string[] = ['authorization_code', 'refresh_token'];

/** A read document: the registration except for the scopes and resources that the policy of the tenant decides. */
export interface ClientDocument {
  metadata: ClientMetadata;
  /** Scopes that the document requests; undefined if it names none. */
  scopes: readonly string[] | undefined;
}

/**
 * Reads a client metadata document. Entries that this server does not support are ignored, because one document
 * describes a client to all servers: other grant types, and redirect URIs to other hosts or with unusable schemes.
 * @throws UnusableDocument
 */
export function readDocument(clientId: string, body: Buffer): ClientDocument {
  const document = parsed(body);
  // §4: simple string comparison (RFC 3986 §6.2.1).
  if (document.client_id !== clientId) throw new UnusableDocument('client_id differs from the URL');
  // §4.1: any party can read the document, so it must not contain or imply a shared secret.
  if ('client_secret' in document || 'client_secret_expires_at' in document) {
    throw new UnusableDocument('client_secret is not allowed');
  }
  const { token_endpoint_auth_method: method = 'none' } = document;
  if (method !== 'none' && method !== 'private_key_jwt') {
    throw new UnusableDocument('token_endpoint_auth_method must be none or private_key_jwt');
  }
  const grants = textsOf(document, 'grant_types') ?? ['authorization_code'];
  if (!grants.includes('authorization_code')) {
    throw new UnusableDocument('grant_types must include authorization_code');
  }
  // The policy of the tenant names the hosts to which this server sends requests.
  const keys = document.jwks_uri ?? undefined;
  if (keys !== undefined && !isAtOrigin(keys, clientId)) {
    throw new UnusableDocument('jwks_uri must have the origin of the document');
  }
  const redirectUris = (textsOf(document, 'redirect_uris') ?? []).filter((uri) => leadsToApp(uri, clientId));
  if (redirectUris.length === 0) throw new UnusableDocument('redirect_uris has no usable entry');
  const own = Object.fromEntries(
    members.flatMap((name) => (isUsable(document, name, clientId) ? [[name, document[name]]] : [])),
  ) as Partial<ClientMetadata>;
  return {
    metadata: {
      ...own,
      client_name: own.client_name ?? nameOf({ redirect_uris: [clientId] }),
      token_endpoint_auth_method: method,
      redirect_uris: redirectUris,
      grant_types: usedGrants.filter((grant) => grants.includes(grant)),
      response_types: ['code'],
      require_consent: true,
    },
    scopes: scopesOf(document),
  };
}

function parsed(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // The error below covers it.
  }
  throw new UnusableDocument('the document is not a JSON object');
}

function textsOf(document: Record<string, unknown>, name: string): string[] | undefined {
  const value = document[name];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw new UnusableDocument(`${name} must be a list of strings`);
}

function scopesOf({ scope }: Record<string, unknown>): string[] | undefined {
  if (scope === undefined) return undefined;
  if (typeof scope !== 'string') throw new UnusableDocument('scope must be text');
  return scope.split(' ').filter((name) => name !== '');
}

export const isLoopback = (hostname: string): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/**
 * Reports whether a redirect URI leads to the host of the document, or to an app on the device of the user: the consent
 * page shows that host, so a code must not go to another one.
 */
function leadsToApp(uri: string, clientId: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, host, hostname } = new URL(uri);
  if (protocol === 'https:') return host === new URL(clientId).host;
  if (protocol === 'http:') return isLoopback(hostname);
  // Private-use schemes (RFC 8252 §7.1) are reverse domain names, unlike javascript: and data:.
  return /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/.test(protocol);
}

function isUsable(document: Record<string, unknown>, name: string, clientId: string): boolean {
  const value = document[name];
  if (value === undefined || value === null) return false;
  return !linked.includes(name) || isAtOrigin(value, clientId);
}

const isAtOrigin = (value: unknown, clientId: string): boolean =>
  typeof value === 'string' && URL.canParse(value) && new URL(value).origin === new URL(clientId).origin;
