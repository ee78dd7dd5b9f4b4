import { personalAccessTokenClient } from '@ostiary/access';
import { invalidClientMetadata } from '../../platform/index.ts';
import type { Client, ClientType } from './client.ts';
import type { ClientMetadata } from './client-registry.ts';

export const tokenExchangeGrantType = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const jwtBearerGrantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Stored exchange rights of a client, which only administrators set. */
export interface ExchangePolicyMetadata {
  token_exchange_subject_clients?: string[];
  token_exchange_impersonation?: boolean;
  may_act?: string;
}

export interface ExchangePolicy {
  /** Clients whose tokens it may exchange, besides its own. */
  subjectClients: readonly string[];
  /** True when an exchanged token may omit this client from `act`. */
  impersonation: boolean;
}

const maxClients = 100;
/** Characters and length that an id can have. Other values are treated like ids of unknown clients. */
const possibleId = /^[\x21-\x7e]{1,255}$/;

/**
 * Checks the members of a registration for token exchange.
 * @throws OAuthError invalid_client_metadata
 */
export function checkExchangePolicy(
  input: ClientMetadata,
  type: ClientType,
  grantTypes: readonly string[],
): ExchangePolicyMetadata {
  for (const grant of [tokenExchangeGrantType, jwtBearerGrantType]) {
    if (type === 'public' && grantTypes.includes(grant)) {
      throw invalidClientMetadata(`A public client cannot use ${grant}.`);
    }
  }
  const {
    token_exchange_subject_clients: subjectClients,
    token_exchange_impersonation: impersonation,
    may_act: mayAct,
  } = input;
  if ((subjectClients?.length || impersonation) && !grantTypes.includes(tokenExchangeGrantType)) {
    throw invalidClientMetadata('A token exchange policy requires the token exchange grant type.');
  }
  return {
    ...(subjectClients === undefined ? {} : { token_exchange_subject_clients: clientIds(subjectClients) }),
    ...(impersonation === undefined ? {} : { token_exchange_impersonation: impersonation }),
    ...(mayAct === undefined ? {} : { may_act: clientId('may_act', mayAct) }),
  };
}

export function exchangePolicyOf(client: Client): ExchangePolicy {
  const metadata = client.metadata as ExchangePolicyMetadata;
  return {
    subjectClients: metadata.token_exchange_subject_clients ?? [],
    impersonation: metadata.token_exchange_impersonation ?? false,
  };
}

/** Returns the client that may act for the subjects of this client's tokens (RFC 8693 §4.4), if registered. */
export const mayActOf = (client: Client): string | undefined =>
  (client.metadata as ExchangePolicyMetadata).may_act;

function clientIds(values: readonly string[]): string[] {
  const distinct = [...new Set(values)];
  if (distinct.length > maxClients) {
    throw invalidClientMetadata(`token_exchange_subject_clients has more than ${maxClients} entries.`);
  }
  return distinct.map((value) => clientId('token_exchange_subject_clients', value));
}

function clientId(name: string, value: string): string {
  if (value === personalAccessTokenClient) return value;
  if (!possibleId.test(value)) {
    throw invalidClientMetadata(`${name} must contain client_id values.`);
  }
  return value;
}
