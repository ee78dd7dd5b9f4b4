import { leadsInside, readWebAddress } from '@ostiary/service';
import { invalidClientMetadata } from '../../protocol/index.ts';

/**
 * The address of a document that a client or administrator publishes. Plain http passes here for closed networks and
 * development; whether it is fetched, the outgoing policy says.
 * @param name the member it was given in
 * @throws OAuthError invalid_client_metadata
 */
export function checkDocumentAddress(name: string, uri: unknown): string {
  const url = checkWebAddress(name, uri);
  if (url.hash !== '') throw invalidClientMetadata(`${name} must not have a fragment.`);
  return uri as string;
}

/**
 * A web address in a registration, in printable ASCII.
 * @param name the member it was given in
 * @throws OAuthError invalid_client_metadata
 */
export function checkWebAddress(name: string, uri: unknown): URL {
  const isText = typeof uri === 'string' && /^[\x21-\x7e]+$/.test(uri);
  const url = isText ? readWebAddress(uri) : 'must be a web address';
  if (typeof url === 'string') throw invalidClientMetadata(`${name} ${url}.`);
  return url;
}

/** The members of a registration that this server fetches, or sends to, by itself. */
export const outgoingMembers = [
  'jwks_uri',
  'backchannel_logout_uri',
  'sector_identifier_uri',
  'logo_uri',
  'request_uris',
] as const;

/**
 * Nothing is stored that must never be asked for: an address of this machine or of a private network, unless the installation admits
 * those (OUTGOING_ALLOW_PRIVATE). Whether it is a web address at all, each member's own rule says.
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
