import type { ApolloServerPlugin } from '@apollo/server';
import { badRequest } from '@ostiary/graph';
import { GraphQLError, OperationTypeNode } from 'graphql';
import type { GatewayContext } from './context.ts';

/**
 * Rejects documents without a selected operation, which the planner would report as an internal error, and
 * subscriptions, which have more than one response.
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
