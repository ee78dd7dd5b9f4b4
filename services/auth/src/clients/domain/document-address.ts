import { leadsInside, readWebAddress } from '@ostiary/service';
import { invalidClientMetadata } from '../../platform/index.ts';

/**
 * Checks the URL of a document that a client or administrator publishes. Plain http is accepted here for closed
 * networks and development; the outgoing policy decides whether it is fetched.
 * @param name name of the metadata member
 * @throws OAuthError invalid_client_metadata
 */
export function checkDocumentAddress(name: string, uri: unknown): string {
  const url = checkWebAddress(name, uri);
  if (url.hash !== '') throw invalidClientMetadata(`${name} must not have a fragment.`);
  return uri as string;
}

/**
 * Parses a web address of a registration, in printable ASCII.
 * @param name name of the metadata member
 * @throws OAuthError invalid_client_metadata
 */
export function checkWebAddress(name: string, uri: unknown): URL {
  const isText = typeof uri === 'string' && /^[\x21-\x7e]+$/.test(uri);
  const url = isText ? readWebAddress(uri) : 'must be a web address';
  if (typeof url === 'string') throw invalidClientMetadata(`${name} ${url}.`);
  return url;
}

/** Members of a registration with addresses to which this server sends requests. */
export const outgoingMembers = [
  'jwks_uri',
  'backchannel_logout_uri',
  'sector_identifier_uri',
  'logo_uri',
  'request_uris',
] as const;

/**
 * Rejects addresses of this machine or a private network, unless the installation allows them (OUTGOING_ALLOW_PRIVATE).
 * The rule of each member checks the format.
 * @throws OAuthError invalid_client_metadata
 */
export function refusePrivateAddresses(
  input: Readonly<Partial<Record<(typeof outgoingMembers)[number], unknown>>>,
  policy: { allowPrivate?: boolean | undefined },
): void {
  for (const name of outgoingMembers) {
    const given = input[name];
    for (const uri of Array.isArray(given) ? (given as unknown[]) : [given]) {
      if (typeof uri !== 'string' || !URL.canParse(uri)) continue;
      if (leadsInside(new URL(uri), { allowPrivate: policy.allowPrivate ?? false })) {
        throw invalidClientMetadata(`${name} must be a public address.`);
      }
    }
  }
}
