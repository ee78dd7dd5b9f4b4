import type { GraphContext, TypeResolvers } from '@ostiary/graph';
import { type OnceDependencies, once, termsOf } from '../../../platform/subgraph/graph/idempotency.ts';
import type { DocumentClientStore } from '../domain/document-clients.ts';
import { closedPolicy, type DocumentPolicy, type DocumentPolicySettings } from '../domain/document-policy.ts';

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
