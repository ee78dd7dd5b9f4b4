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
  token_exchange_agent?: boolean;
  /** Seconds. */
  token_exchange_agent_lifetime?: number;
  may_act?: string;
}

export interface ExchangePolicy {
  /** Clients whose tokens it may exchange, besides its own. */
  subjectClients: readonly string[];
  /** True when an exchanged token may omit this client from `act`. */
  impersonation: boolean;
  /** True when the client acts for users under delegations that they can end. */
  agent: boolean;
  /** Maximum lifetime in seconds of a token that an agent gets; null for a client that is no agent. */
  agentTokenLifetimeSeconds: number | null;
}

/** Lifetimes in seconds of the tokens of agents. */
const agentLifetime = { default: 300, min: 30, max: 3600 };

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
    token_exchange_agent: agent,
    token_exchange_agent_lifetime: lifetime,
    may_act: mayAct,
  } = input;
  if ((subjectClients?.length || impersonation || agent) && !grantTypes.includes(tokenExchangeGrantType)) {
    throw invalidClientMetadata('A token exchange policy requires the token exchange grant type.');
  }
  checkAgent(input);
  return {
    ...(subjectClients === undefined ? {} : { token_exchange_subject_clients: clientIds(subjectClients) }),
    ...(impersonation === undefined ? {} : { token_exchange_impersonation: impersonation }),
    ...(agent === undefined ? {} : { token_exchange_agent: agent }),
    ...(lifetime === undefined ? {} : { token_exchange_agent_lifetime: lifetime }),
    ...(mayAct === undefined ? {} : { may_act: clientId('may_act', mayAct) }),
  };
}

/** @throws OAuthError invalid_client_metadata for a contradictory agent */
function checkAgent({
  token_exchange_agent: agent,
  token_exchange_agent_lifetime: lifetime,
  token_exchange_impersonation: impersonation,
}: ClientMetadata): void {
  if (agent && impersonation) {
    throw invalidClientMetadata('An agent is always named as the actor, so it cannot impersonate.');
  }
  if (lifetime === undefined) return;
  if (!agent) throw invalidClientMetadata('token_exchange_agent_lifetime requires token_exchange_agent.');
  const { min, max } = agentLifetime;
  if (!Number.isInteger(lifetime) || lifetime < min || lifetime > max) {
    throw invalidClientMetadata(
      `token_exchange_agent_lifetime must be an integer from ${min} to ${max} seconds.`,
    );
  }
}

export function exchangePolicyOf(client: { metadata: object }): ExchangePolicy {
  const metadata = client.metadata as ExchangePolicyMetadata;
  const agent = metadata.token_exchange_agent ?? false;
  return {
    subjectClients: metadata.token_exchange_subject_clients ?? [],
    impersonation: metadata.token_exchange_impersonation ?? false,
    agent,
    agentTokenLifetimeSeconds: agent
      ? (metadata.token_exchange_agent_lifetime ?? agentLifetime.default)
      : null,
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
