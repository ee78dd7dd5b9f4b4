import type { ApolloServerPlugin } from '@apollo/server';
import type { GraphContext } from '../context/context.ts';

/** Notes that something is changed in a tenant. @returns what to call when that has ended */
export type Writing = (tenant: string) => () => void;

/** Lets whoever reads with delay know of mutations: from before anything of one is resolved until its answer is complete. */
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
