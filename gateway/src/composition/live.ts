import type { DocumentLimits, HeaderSink } from '@ostiary/graph';
import type { ServiceKit } from '@ostiary/service';
import { callerOf } from '../admission/domain/caller.ts';
import type { Admission } from '../admission/graph/admission.ts';
import type { GatewayContext } from '../execution/graph/context.ts';
import type { ServedGraph } from '../execution/graph/served-graph.ts';
import type { Live } from '../subscriptions/graph/live.ts';
import type { HydrationResult } from '../subscriptions/graph/operation.ts';

/** Events have no headers. */
const ignoredHeaders: HeaderSink = { set: () => undefined };

/**
 * Connects subscriptions to the graph: events are resolved with the rights of their subscriber and charged to its
 * budget.
 */
export function connectLive(
  live: Live,
  graph: ServedGraph,
  { kit, admission, limits }: { kit: ServiceKit; admission: Admission; limits: DocumentLimits },
): void {
  live.connect({
    limits,
    admit: (sent, by) => admission.operation(sent, by),
    async ask({ query, variables }, { principal, authorization, requestId }) {
      const context: GatewayContext = {
        principal,
        caller: callerOf(principal, ''),
        authorization,
        authenticated: true,
        log: kit.log,
        requestId,
        span: undefined,
        startedAt: performance.now(),
        attempt: {},
      };
      return graph.execute<HydrationResult>({
        operation: { query, variables },
        context,
        headers: ignoredHeaders,
        respond: (data) => ({ data }),
        byServer: async (server) => {
          const operation = { query, variables: { ...variables } };
          const { body } = await server.executeOperation(operation, { contextValue: context });
          return body.kind === 'single' ? body.singleResult : {};
        },
      });
    },
  });
  graph.onSchema((schema, supergraphSdl) => live.schemaChanged(schema, supergraphSdl));
}
