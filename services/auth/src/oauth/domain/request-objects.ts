import { type Client, isRegisteredRequestUri } from '../../clients/index.ts';
import { invalidRequest, OAuthError, type Parameters, single } from '../../platform/index.ts';
import type { RequestDocumentLimit } from './request-document-limit.ts';
import { type KeysOf, type RequestObject, verifyRequestObject } from './request-object.ts';

/** Request objects at the `request_uri`s of clients. */
export interface RequestDocumentSource {
  /** Returns the cached document. */
  kept(requestUri: string): string | undefined;
  /**
   * Fetches the document at a registered address of the client.
   * @throws OAuthError invalid_request_uri; TooManyRequests
   */
  get(client: Client, requestUri: string): Promise<string>;
}

/** Reports whether a request contains or references a request object. */
export const isRequestObject = (parameters: Parameters): boolean =>
  parameters.has('request') || parameters.has('request_uri');

export interface RequestObjectOptions {
  keysOf: KeysOf;
  documents: RequestDocumentSource;
  limit: RequestDocumentLimit;
}

/** Authorization requests as a JWT, by value or by reference. */
export class RequestObjects {
  readonly #o: RequestObjectOptions;

  constructor(o: RequestObjectOptions) {
    this.#o = o;
  }

  /**
   * Returns the verified request object of a request.
   * @param address the source address of the request
   * @throws OAuthError invalid_request_object, invalid_request_uri, invalid_request; TooManyRequests;
   * ServiceUnavailable
   */
  async of(sent: Parameters, client: Client, address: string): Promise<RequestObject> {
    const [request, requestUri] = [single(sent, 'request'), single(sent, 'request_uri')];
    // OpenID Connect Core §6.1: exactly one of them, not repeated.
    if (sent.has('request') === sent.has('request_uri') || (request ?? requestUri) === undefined) {
      throw invalidRequest('Exactly one of request and request_uri is required.');
    }
    const text = request ?? (await this.#fetched(requestUri ?? '', client, address));
    return verifyRequestObject(text, client, this.#o.keysOf);
  }

  async #fetched(requestUri: string, client: Client, address: string): Promise<string> {
    const { documents, limit } = this.#o;
    // Checked before any fetch (OpenID Connect Registration §2 request_uris).
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
