import type { ApolloServerPlugin } from '@apollo/server';
import type { GraphContext } from '../context/context.ts';

/** Marks the start of a change in a tenant. @returns a function to call at its end */
export type Writing = (tenant: string) => () => void;

/**
 * Notifies readers of replicas of mutations, from before the first resolver until the response is complete.
 */
export const followMutations = <L>(writing: Writing): ApolloServerPlugin<GraphContext<L>> => ({
  async requestDidStart() {
    let ended: (() => void) | undefined;
    return {
      async didResolveOperation({ operation, contextValue }) {
        const tenant = contextValue.principal?.tenant;
        if (operation?.operation === 'mutation' && tenant !== undefined) ended = writing(tenant);
      },
      async willSendResponse() {
        ended?.();
        ended = undefined;
      },
    };
  },
});
