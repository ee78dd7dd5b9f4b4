import type { GraphContext, TypeResolvers } from '@ostiary/graph';
import { type OnceDependencies, once, termsOf } from '../../../platform/subgraph/graph/idempotency.ts';
import type { DocumentClientStore } from '../domain/document-clients.ts';
import { closedPolicy, type DocumentPolicySettings } from '../domain/document-policy.ts';

type Context = GraphContext<unknown>;

type UpdateInput = { [K in keyof DocumentPolicySettings]?: DocumentPolicySettings[K] | null } & {
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
} {
  const { documentClientStore: store } = deps;
  const current = (tenant: string) => store.policy(tenant);
  return {
    Query: {
      clientDocumentPolicy: (_parent: unknown, _args: object, { tenant }: Context) => current(tenant),
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
const settingsOf = ({ hosts, scopes, apiIds }: UpdateInput): Partial<DocumentPolicySettings> => ({
  ...(hosts === undefined ? {} : { hosts: hosts ?? closedPolicy.hosts }),
  ...(scopes === undefined ? {} : { scopes: scopes ?? closedPolicy.scopes }),
  ...(apiIds === undefined ? {} : { apiIds: apiIds ?? closedPolicy.apiIds }),
});
