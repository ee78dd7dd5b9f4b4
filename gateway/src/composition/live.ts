import type { DocumentLimits, HeaderSink } from '@ostiary/graph';
import type { ServiceKit } from '@ostiary/service';
import { callerOf } from '../admission/domain/caller.ts';
import type { Admission } from '../admission/graph/admission.ts';
import type { GatewayContext } from '../federation/graph/context.ts';
import type { ServedGraph } from '../federation/graph/served-graph.ts';
import type { Live } from '../subscriptions/graph/live.ts';

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
      const contextValue: GatewayContext = {
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
      const known = await graph.answerKnown({ query, variables }, contextValue, ignoredHeaders);
      if (known) return known;
      const { body } = await graph.executeOperation({ query, variables: { ...variables } }, { contextValue });
      return body.kind === 'single' ? body.singleResult : {};
    },
  });
  graph.onSchema((schema, supergraphSdl) => live.schemaChanged(schema, supergraphSdl));
}
