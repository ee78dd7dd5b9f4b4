import type { Api } from './api.ts';

/** A defined API, as far as a client may request tokens for it. */
export interface ClientApi extends Pick<Api, 'id' | 'identifier' | 'tokenLifetimeSeconds' | 'tokenFormat'> {
  /** Null: none. */
  readonly claims?: Api['claims'] | null;
  /** Scopes of the API that the client has, for users or for itself. */
  readonly scopes: readonly string[];
}

export interface ClientWithApis {
  readonly apis?: readonly ClientApi[];
}

const none: readonly ClientApi[] = [];

export const apisOf = (client: ClientWithApis): readonly ClientApi[] => client.apis ?? none;

/** Returns the identifiers of the APIs of which the client has a scope. */
export const apiIdentifiersOf = (client: ClientWithApis): string[] =>
  apisOf(client).flatMap(({ identifier, scopes }) => (scopes.length > 0 ? [identifier] : []));
