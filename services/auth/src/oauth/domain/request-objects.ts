import { type Client, isRegisteredRequestUri } from '../../clients/index.ts';
import { invalidRequest, OAuthError, type Parameters, single } from '../../protocol/index.ts';
import type { RequestDocumentLimit } from './request-document-limit.ts';
import { type KeysOf, type RequestObject, verifyRequestObject } from './request-object.ts';

/** What is at the `request_uri`s of clients. */
export interface RequestDocumentSource {
  /** A document that is here already. */
  kept(requestUri: string): string | undefined;
  /**
   * The document at an address that the client registered.
   * @throws OAuthError invalid_request_uri; TooManyRequests
   */
  get(client: Client, requestUri: string): Promise<string>;
}

/** Authorization requests that come as a JWT, by value or by reference. */
export interface RequestObjects {
  /**
   * The request object that a request consists of, once it is known to be the client's.
   * @param address where the request came from
   * @throws OAuthError invalid_request_object, invalid_request_uri, invalid_request; TooManyRequests; ServiceUnavailable
   */
  of(sent: Parameters, client: Client, address: string): Promise<RequestObject>;
}

/** Whether a request is, or names, a request object. */
export const isRequestObject = (parameters: Parameters): boolean =>
  parameters.has('request') || parameters.has('request_uri');

export function createRequestObjects(o: {
  keysOf: KeysOf;
  documents: RequestDocumentSource;
  limit: RequestDocumentLimit;
}): RequestObjects {
  async function fetched(requestUri: string, client: Client, address: string): Promise<string> {
    // Before anything is asked of anybody (OpenID Connect Registration §2 request_uris).
    if (!isRegisteredRequestUri(client, requestUri)) {
      throw new OAuthError('invalid_request_uri', 'The request_uri is not registered for the client.', {
        reason: 'not registered',
      });
    }
    const kept = o.documents.kept(requestUri);
    if (kept !== undefined) return kept;
    await o.limit({ client, address });
    return o.documents.get(client, requestUri);
  }

  return {
    async of(sent, client, address) {
      const [request, requestUri] = [single(sent, 'request'), single(sent, 'request_uri')];
      // OpenID Connect Core §6.1: one of them, and once.
      if (sent.has('request') === sent.has('request_uri') || (request ?? requestUri) === undefined) {
        throw invalidRequest('There must be one request or one request_uri.');
      }
      const text = request ?? (await fetched(requestUri ?? '', client, address));
      return verifyRequestObject(text, client, o.keysOf);
    },
  };
}
