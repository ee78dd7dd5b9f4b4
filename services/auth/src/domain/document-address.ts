import { invalidClientMetadata } from './errors.ts';

/**
 * The address of a document that a client or administrator publishes. Plain http passes here for closed networks and
 * development; whether it is fetched, the outgoing policy says.
 * @param name the member it was given in
 * @throws OAuthError invalid_client_metadata
 */
export function checkDocumentAddress(name: string, uri: unknown): string {
  const valid =
    typeof uri === 'string' && uri.length <= 2_048 && /^[\x21-\x7e]+$/.test(uri) && URL.canParse(uri);
  const url = valid ? new URL(uri) : undefined;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.hash !== ''
  ) {
    throw invalidClientMetadata(`${name} must be a web address without credentials or fragment.`);
  }
  return uri as string;
}
