import {
  batchOne,
  type DataLoader,
  type GraphContext,
  type ReferenceResolver,
  requirePrincipal,
} from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import type { InitialAccessToken } from '../../clients/index.ts';
import type { PeopleDependencies } from '../../composition/people.ts';
import type { Protocol } from '../../composition/protocol.ts';
import type { GrantSummary } from '../../grants/index.ts';
import type { SigningKeySummary } from '../../keys/data/signing-keys.ts';
import { type ApiTokenSummary, apiTokensById } from '../../machines/data/api-tokens.ts';
import { sessionsById } from '../../sessions/data/sessions.ts';
import type { SessionSummary } from '../../sessions/index.ts';
import { listTrustedIssuers } from '../../trust/data/trusted-issuers.ts';
import type { TrustedIssuer } from '../../trust/index.ts';
import { grantsById } from '../../upkeep/data/administration.ts';
import type { AuthLoaders } from './loaders.ts';

type Context = GraphContext<AuthLoaders>;
type Reference = { id: string };

/** Things by their own ids, one statement for many. */
export interface ReferenceLoaders {
  sessions: DataLoader<string, SessionSummary | null>;
  grants: DataLoader<string, GrantSummary | null>;
  personalAccessTokens: DataLoader<string, ApiTokenSummary | null>;
  apiKeys: DataLoader<string, ApiTokenSummary | null>;
  initialAccessTokens: DataLoader<string, InitialAccessToken | null>;
  signingKeys: DataLoader<string, SigningKeySummary | null>;
  trustedIssuers: DataLoader<string, TrustedIssuer | null>;
}

export type ReferenceSources = PeopleDependencies & Pick<Protocol, 'registrations' | 'signingKeys'>;

export function referenceLoaders(deps: ReferenceSources, tenant: string): ReferenceLoaders {
  const { sql } = deps.database;
  const byId = <T extends { id: string }>(load: (ids: string[]) => Promise<readonly T[]>) =>
    batchOne<T>(
      (ids) => load(ids.filter(isUuid)),
      ({ id }) => id,
    );
  return {
    sessions: byId((ids) => sessionsById(sql, tenant, ids, deps.env.SESSION_IDLE_SECONDS)),
    grants: byId((ids) => grantsById(sql, tenant, ids)),
    personalAccessTokens: byId((ids) => apiTokensById(sql, tenant, 'subject_id', ids)),
    apiKeys: byId((ids) => apiTokensById(sql, tenant, 'service_account_id', ids)),
    initialAccessTokens: byId((ids) => deps.registrations.tokensOf(tenant, ids)),
    // Of these a tenant has few.
    trustedIssuers: byId(() => listTrustedIssuers(sql, tenant)),
    signingKeys: batchOne(
      () => deps.signingKeys.list(tenant),
      ({ kid }) => kid,
    ),
  };
}

/** What is somebody's own is there for them, and for who may read it of everybody; to anybody else it is as if it weren't. */
async function visible<T>(
  context: Context,
  found: Promise<T | null>,
  ownerOf: (found: T) => string,
): Promise<T | null> {
  const { scopes, kind, subject } = requirePrincipal(context);
  const thing = await found;
  const isOwn = thing !== null && kind === 'user' && ownerOf(thing) === subject;
  return scopes.has('sessions:read') || isOwn ? thing : null;
}

const bySubject = ({ subjectId }: { subjectId: string }): string => subjectId;
const byOwner = ({ ownerId }: { ownerId: string }): string => ownerId;

/** How a key leads to the thing that has it. */
export const referenceResolvers = {
  Session: ({ id }: Reference, context: Context) =>
    visible(context, context.loaders.byId.sessions.load(id), bySubject),
  Grant: ({ id }: Reference, context: Context) =>
    visible(context, context.loaders.byId.grants.load(id), bySubject),
  PersonalAccessToken: ({ id }: Reference, context: Context) =>
    visible(context, context.loaders.byId.personalAccessTokens.load(id), byOwner),
  ApiKey: ({ id }: Reference, { loaders }: Context) => loaders.byId.apiKeys.load(id),
  InitialAccessToken: ({ id }: Reference, { loaders }: Context) => loaders.byId.initialAccessTokens.load(id),
  SigningKey: ({ id }: Reference, { loaders }: Context) => loaders.byId.signingKeys.load(id),
  TrustedIssuer: ({ id }: Reference, { loaders }: Context) => loaders.byId.trustedIssuers.load(id),
} satisfies Record<string, ReferenceResolver<AuthLoaders>>;
