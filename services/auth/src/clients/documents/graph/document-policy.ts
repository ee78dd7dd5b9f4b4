import type { Conferring, GraphContext, TypeResolvers } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import { type OnceDependencies, once, termsOf } from '../../../platform/subgraph/graph/idempotency.ts';
import type { Apis } from '../../apis/domain/apis.ts';
import { conferredByApis } from '../../domain/conferral/client-conferral.ts';
import type { DocumentClientStore } from '../domain/document-clients.ts';
import {
  closedPolicy,
  type DocumentPolicy,
  type DocumentPolicySettings,
  maxApis,
} from '../domain/document-policy.ts';

type Context = GraphContext<unknown>;

type Mode = Uppercase<DocumentPolicySettings['registration']>;
type Lists = Omit<DocumentPolicySettings, 'registration'>;
type UpdateInput = { [K in keyof Lists]?: Lists[K] | null } & {
  registration?: Mode | null;
  version?: number | null;
  idempotencyKey?: string | null;
};

export interface DocumentPolicyDependencies extends OnceDependencies {
  documentClientStore: Pick<DocumentClientStore, 'policy' | 'changePolicy'>;
}

/** Resolvers of the policy of a tenant for clients with a metadata document. */
export function documentPolicyResolvers(deps: DocumentPolicyDependencies): {
  Query: TypeResolvers<unknown>;
  Mutation: TypeResolvers<unknown>;
  ClientDocumentPolicy: TypeResolvers<DocumentPolicy>;
} {
  const { documentClientStore: store } = deps;
  const current = (tenant: string) => store.policy(tenant);
  return {
    Query: {
      clientDocumentPolicy: (_parent: unknown, _args: object, { tenant }: Context) => current(tenant),
    },
    ClientDocumentPolicy: {
      registration: ({ registration }: DocumentPolicy) => registration.toUpperCase(),
    },
    Mutation: {
      updateClientDocumentPolicy(_parent: unknown, { input }: { input: UpdateInput }, context: Context) {
        const { tenant } = context;
        return once(
          deps,
          context,
          'updateClientDocumentPolicy',
          input,
          async (claim) => ({
            clientDocumentPolicy: await store.changePolicy(tenant, settingsOf(input), termsOf(input, claim)),
          }),
          async () => ({ clientDocumentPolicy: await current(tenant) }),
        );
      },
    },
  };
}

/** Rights that the policy confers (`@confers`). */
export const documentPolicyRights = (
  deps: Pick<DocumentPolicyDependencies, 'documentClientStore'> & { apis: Pick<Apis, 'ofIds'> },
): Conferring<unknown>['rights'] => ({
  /** Whoever publishes a document on an allowed host, or registers openly, has a client as if it were registered. */
  unregisteredClients: async ({ input }: { input: UpdateInput }, { tenant }: Context) => {
    const { hosts, registration, apiIds } = {
      ...(await deps.documentClientStore.policy(tenant)),
      ...settingsOf(input),
    };
    const isClosed = hosts.length === 0 && registration !== 'open';
    // The ids are not checked yet.
    const ids = isClosed ? [] : apiIds.filter(isUuid).slice(0, maxApis);
    return ['clients:write', ...conferredByApis(await deps.apis.ofIds(tenant, ids))];
  },
});

/** Returns the given settings; null restores a default. */
function settingsOf(input: UpdateInput): Partial<DocumentPolicySettings> {
  const { hosts, registration, redirectHosts, scopes, apiIds } = input;
  const given = {
    hosts,
    registration: registration && (registration.toLowerCase() as Lowercase<Mode>),
    redirectHosts,
    scopes,
    apiIds,
  };
  const changed = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    changed.map(([name, value]) => [name, value ?? closedPolicy[name as keyof typeof given]]),
  );
}
