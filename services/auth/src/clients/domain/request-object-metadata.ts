import { isSameAlgorithm } from '@ostiary/access';
import { invalidClientMetadata } from '../../protocol/index.ts';
import { privateKeyAlgorithms } from './assertions/assertion-algorithms.ts';
import type { Client } from './client.ts';
import { isFapi2, isFapi2Algorithm } from './client-profile.ts';
import type { ClientMetadata } from './client-registry.ts';
import { checkDocumentAddress } from './document-address.ts';

/**
 * What request objects may be signed with: private keys. A secret is for authenticating; `none` is for who registered exactly that.
 */
export const requestObjectAlgorithms = [...privateKeyAlgorithms, 'none'] as const;

export type RequestObjectAlgorithm = (typeof requestObjectAlgorithms)[number];

/** How a client makes its requests (OpenID Connect Registration §2, RFC 9101 §10.5); as it is stored. */
export interface RequestObjectMetadata {
  /** The only algorithm of its request objects; absent: any that signs. */
  request_object_signing_alg?: RequestObjectAlgorithm;
  /** Where they may be fetched. Never empty: absent means nowhere. */
  request_uris?: string[];
  /** Only ever true: absent means that its requests needn't be signed. */
  require_signed_request_object?: true;
}

const maxRequestUris = 50;
/** OpenID Connect Core §6.2. */
const maxRequestUriLength = 512;

/**
 * What a registration says about request objects.
 * @param httpsOnly whether what is fetched must be encrypted on its way
 * @throws OAuthError invalid_client_metadata
 */
export function checkRequestObjectMetadata(
  input: Pick<ClientMetadata, keyof RequestObjectMetadata | 'jwks' | 'jwks_uri'>,
  httpsOnly: boolean,
): RequestObjectMetadata {
  const { request_object_signing_alg: given, require_signed_request_object: required } = input;
  const algorithm = requestObjectAlgorithms.find((known) => known === given);
  if (given !== undefined && algorithm === undefined) {
    throw invalidClientMetadata(
      `request_object_signing_alg must be one of ${requestObjectAlgorithms.join(', ')}.`,
    );
  }
  if (required === true && algorithm === 'none') {
    throw invalidClientMetadata('require_signed_request_object contradicts request_object_signing_alg none.');
  }
  if (required === true && input.jwks === undefined && input.jwks_uri === undefined) {
    throw invalidClientMetadata('require_signed_request_object requires jwks or jwks_uri.');
  }
  const uris = checkRequestUris(input.request_uris ?? [], httpsOnly);
  return {
    ...(algorithm === undefined ? {} : { request_object_signing_alg: algorithm }),
    ...(uris.length === 0 ? {} : { request_uris: uris }),
    ...(required === true ? { require_signed_request_object: true } : {}),
  };
}

function checkRequestUris(given: readonly unknown[], httpsOnly: boolean): string[] {
  if (!Array.isArray(given)) throw invalidClientMetadata('request_uris must be a list of strings.');
  const uris = [...new Set<unknown>(given)];
  if (uris.length > maxRequestUris) {
    throw invalidClientMetadata(`request_uris has more than ${maxRequestUris} entries.`);
  }
  return uris.map((uri) => {
    if (typeof uri !== 'string' || uri.length > maxRequestUriLength || !/^[\x21-\x7e]+$/.test(uri)) {
      throw invalidClientMetadata(
        `request_uris must be addresses of at most ${maxRequestUriLength} printable ASCII characters.`,
      );
    }
    // The fragment is a digest of what is there (OpenID Connect Core §6.2); nobody is sent it.
    const address = checkDocumentAddress('request_uris', documentAddressOf(uri));
    if (httpsOnly && !/^https:/i.test(address)) throw invalidClientMetadata('request_uris must use https.');
    return uri;
  });
}

/** What is fetched for a `request_uri`: all of it but the fragment. */
export const documentAddressOf = (requestUri: string): string => requestUri.split('#', 1)[0] ?? '';

const metadataOf = (client: Pick<Client, 'metadata'>): RequestObjectMetadata => client.metadata;

/**
 * Whether the client registered this address, character by character. One that is registered without a fragment may be followed by
 * any: what the document hashes to is not known before there is one (OpenID Connect Core §6.2).
 */
export const isRegisteredRequestUri = (client: Pick<Client, 'metadata'>, requestUri: string): boolean =>
  (metadataOf(client).request_uris ?? []).some((uri) =>
    uri.includes('#') ? uri === requestUri : uri === documentAddressOf(requestUri),
  );

/** Whether a client's requests count only as signed request objects (RFC 9101 §10.5). */
export const mustSignRequests = (client: Pick<Client, 'metadata'>): boolean =>
  metadataOf(client).require_signed_request_object === true;

/** Returns whether a client registered an algorithm for its request objects. */
export const hasRequestObjectAlgorithm = (client: Pick<Client, 'metadata'>): boolean =>
  metadataOf(client).request_object_signing_alg !== undefined;

/** Whether a client may make request objects in this way. */
export function mayUse(client: Pick<Client, 'metadata'>, algorithm: RequestObjectAlgorithm): boolean {
  const { request_object_signing_alg: registered } = metadataOf(client);
  if (algorithm === 'none') {
    return registered === 'none' && !isFapi2(client) && !mustSignRequests(client);
  }
  if (isFapi2(client) && !isFapi2Algorithm(algorithm)) return false;
  return registered === undefined || isSameAlgorithm(registered, algorithm);
}
