import { OutgoingFetchError, type SafeFetch } from '@ostiary/service';
import { invalidClientMetadata } from '../../platform/index.ts';
import type { Sector } from '../domain/subject-identifier.ts';

/**
 * Fetches sector identifier documents (OpenID Connect Core §8.1), each time without a cache: the content at the time of
 * registration counts. All failures return the same error, so that it does not disclose which service responds at an
 * address.
 */
export class SectorDocuments {
  readonly #fetch: SafeFetch;

  constructor(fetch: SafeFetch) {
    this.#fetch = fetch;
  }

  /** @throws OAuthError invalid_client_metadata */
  async get(uri: string): Promise<Sector> {
    const fetch = this.#fetch;
    try {
      const { body } = await fetch(uri, { accept: 'application/json' });
      const value: unknown = JSON.parse(body.toString('utf8'));
      if (isStringList(value)) return { uri, redirectUris: new Set(value) };
    } catch (error) {
      if (!(error instanceof OutgoingFetchError) && !(error instanceof SyntaxError)) throw error;
    }
    throw invalidClientMetadata('sector_identifier_uri does not return a JSON array of redirect URIs.');
  }
}

const isStringList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
