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

/** Whether a request is, or names, a request object. */
export const isRequestObject = (parameters: Parameters): boolean =>
  parameters.has('request') || parameters.has('request_uri');

export interface RequestObjectOptions {
  keysOf: KeysOf;
  documents: RequestDocumentSource;
  limit: RequestDocumentLimit;
}

/** Authorization requests that come as a JWT, by value or by reference. */
export class RequestObjects {
  readonly #o: RequestObjectOptions;

  constructor(o: RequestObjectOptions) {
    this.#o = o;
  }

  /**
   * The request object that a request consists of, once it is known to be the client's.
   * @param address where the request came from
   * @throws OAuthError invalid_request_object, invalid_request_uri, invalid_request; TooManyRequests; ServiceUnavailable
   */
  async of(sent: Parameters, client: Client, address: string): Promise<RequestObject> {
    const [request, requestUri] = [single(sent, 'request'), single(sent, 'request_uri')];
    // OpenID Connect Core §6.1: one of them, and once.
    if (sent.has('request') === sent.has('request_uri') || (request ?? requestUri) === undefined) {
      throw invalidRequest('Exactly one of request and request_uri is required.');
    }
    const text = request ?? (await this.#fetched(requestUri ?? '', client, address));
    return verifyRequestObject(text, client, this.#o.keysOf);
  }

  async #fetched(requestUri: string, client: Client, address: string): Promise<string> {
    const { documents, limit } = this.#o;
    // Before anything is asked of anybody (OpenID Connect Registration §2 request_uris).
    if (!isRegisteredRequestUri(client, requestUri)) {
      throw new OAuthError('invalid_request_uri', 'The request_uri is not registered for the client.', {
        reason: 'not registered',
      });
    }
    const kept = documents.kept(requestUri);
    if (kept !== undefined) return kept;
    await limit({ client, address });
    return documents.get(client, requestUri);
  }
}
