import { isSameAlgorithm } from '@ostiary/access';
import { invalidClientMetadata } from '../../platform/index.ts';
import { privateKeyAlgorithms } from './assertions/assertion-algorithms.ts';
import type { Client } from './client.ts';
import { isFapi2, isFapi2Algorithm } from './client-profile.ts';
import type { ClientMetadata } from './client-registry.ts';
import { checkDocumentAddress } from './document-address.ts';

/** Signature algorithms of request objects: private keys only. `none` requires its registration. */
export const requestObjectAlgorithms = [...privateKeyAlgorithms, 'none'] as const;

export type RequestObjectAlgorithm = (typeof requestObjectAlgorithms)[number];

/** Stored request object metadata (OpenID Connect Registration §2, RFC 9101 §10.5). */
export interface RequestObjectMetadata {
  /** Required algorithm; absent means any signature algorithm. */
  request_object_signing_alg?: RequestObjectAlgorithm;
  /** Registered URIs of request objects; never empty. */
  request_uris?: string[];
  /** Absent means that request objects are optional. */
  require_signed_request_object?: true;
}

const maxRequestUris = 50;
/** OpenID Connect Core §6.2. */
const maxRequestUriLength = 512;

/**
 * Checks the request object metadata of a registration.
 * @param httpsOnly whether URIs must use https
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
        `request_uris must be URLs of at most ${maxRequestUriLength} printable ASCII characters.`,
      );
    }
    // The fragment is a digest of the content (OpenID Connect Core §6.2) and is not sent.
    const address = checkDocumentAddress('request_uris', documentAddressOf(uri));
    if (httpsOnly && !/^https:/i.test(address)) throw invalidClientMetadata('request_uris must use https.');
    return uri;
  });
}

/** Returns the URL of a `request_uri` without the fragment. */
export const documentAddressOf = (requestUri: string): string => requestUri.split('#', 1)[0] ?? '';

const metadataOf = (client: Client): RequestObjectMetadata => client.metadata;

/**
 * Reports whether the client registered this URI, character by character. A URI registered without a fragment matches
 * any fragment: the digest of a future document is unknown (OpenID Connect Core §6.2).
 */
export const isRegisteredRequestUri = (client: Client, requestUri: string): boolean =>
  (metadataOf(client).request_uris ?? []).some((uri) =>
    uri.includes('#') ? uri === requestUri : uri === documentAddressOf(requestUri),
  );

/** Reports whether a client must use signed request objects (RFC 9101 §10.5). */
export const mustSignRequests = (client: Client): boolean =>
  metadataOf(client).require_signed_request_object === true;

/** Reports whether a client registered an algorithm for its request objects. */
export const hasRequestObjectAlgorithm = (client: Client): boolean =>
  metadataOf(client).request_object_signing_alg !== undefined;

/** Reports whether a client may use an algorithm for its request objects. */
export function mayUse(client: Client, algorithm: RequestObjectAlgorithm): boolean {
  const { request_object_signing_alg: registered } = metadataOf(client);
  if (algorithm === 'none') {
    return registered === 'none' && !isFapi2(client) && !mustSignRequests(client);
  }
  if (isFapi2(client) && !isFapi2Algorithm(algorithm)) return false;
  return registered === undefined || isSameAlgorithm(registered, algorithm);
}
