import type { ApolloServerPlugin } from '@apollo/server';
import { badRequest } from '@ostiary/graph';
import { GraphQLError, OperationTypeNode } from 'graphql';
import type { GatewayContext } from './context.ts';

/**
 * What can't be executed by answering once: a document of which no operation is meant, and a subscription, which goes on.
 * The planner would call the first a failure of ours.
 */
export function requireOperation(): ApolloServerPlugin<GatewayContext> {
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ operation, request }) {
          if (!operation) {
            const { operationName } = request;
            throw new GraphQLError(
              operationName
                ? 'The document has no operation with this name.'
                : 'The document has several operations: operationName is required.',
              { extensions: { code: 'OPERATION_RESOLUTION_FAILURE', http: { status: 400 } } },
            );
          }
          if (operation.operation === OperationTypeNode.SUBSCRIPTION) {
            const error = badRequest('Subscriptions require Accept: text/event-stream, or a WebSocket.');
            error.extensions.http = { status: 400 };
            throw error;
          }
        },
      };
    },
  };
}
