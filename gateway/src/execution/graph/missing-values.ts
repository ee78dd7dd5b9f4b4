import type { ApolloServerPlugin } from '@apollo/server';
import type { GraphQLFormattedError } from 'graphql';
import type { DanglingReferences } from '../../subgraphs/graph/dangling-references.ts';
import type { GatewayContext } from './context.ts';

/**
 * Adds missing values of subgraph responses to `errors`. The planner reports them in an extension of its own, where
 * clients do not look. A reference to a deleted object is null without an error.
 */
export function reportMissingValues(
  danglingReferences: DanglingReferences,
): ApolloServerPlugin<GatewayContext> {
  return {
    async requestDidStart() {
      return {
        async willSendResponse({ response, contextValue }) {
          if (response.body.kind !== 'single') return;
          const result = response.body.singleResult;
          const incomplete = result.extensions?.valueCompletion as
            | readonly GraphQLFormattedError[]
            | undefined;
          if (!incomplete) return;
          delete result.extensions;
          const missing = incomplete.filter(
            ({ path }) => !danglingReferences.explain(contextValue, result.data, path),
          );
          if (missing.length === 0) return;
          const errors = missing.map(({ path }) => ({
            message: 'This value is missing.',
            ...(path ? { path } : {}),
            extensions: { code: 'INTERNAL_SERVER_ERROR' },
          }));
          result.errors = [...(result.errors ?? []), ...errors];
          const paths = errors.map((error) => error.path?.join('.'));
          contextValue.log.warn(
            { event: 'federation.values_missing', requestId: contextValue.requestId, paths },
            'Subgraph response lacks required values',
          );
        },
      };
    },
  };
}
