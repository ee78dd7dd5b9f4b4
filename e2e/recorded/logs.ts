import type { Demo } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import type { LogName } from './row.ts';

/** Entry of any of the three logs. */
export interface Entry {
  log: LogName;
  id: string;
  action: string;
  actor: { kind: string; id: string; onBehalfOf: string | null };
  resourceType: string;
  resourceId: string;
  changes: Record<string, { before?: unknown; after?: unknown }>;
  ipAddress: string | null;
  clientId: string | null;
  userAgent: string | null;
  requestId: string | null;
  traceId: string | null;
}

type Change = { attribute: string; before: string | null; after: string | null };
type Node = Omit<Entry, 'log' | 'changes'> & { changes: Change[] };

const common = `id action actor { kind id: actorId onBehalfOf } changes { attribute before after }
  ipAddress clientId userAgent requestId traceId`;
const fields: Record<LogName, string> = {
  auditLog: `${common} resourceType resourceId`,
  securityLog: `${common} resourceType resourceId`,
  connectorLog: `${common} resourceId: connectorId`,
};

/**
 * Returns the entries of the three logs of the tenant that the token is for, newest first. @throws Error with the
 * errors of the graph
 */
export async function entriesOf(demo: Demo, token: string, since: Date): Promise<Entry[]> {
  const logs = (Object.keys(fields) as LogName[]).map(async (log) => {
    const entries: Entry[] = [];
    for (let after: string | null = null; ; ) {
      const { data, errors } = await graph(
        demo,
        token,
        `query ($after: String, $since: DateTime) { ${log}(first: 100, after: $after, filter: { since: $since }) {
           pageInfo { hasNextPage endCursor } edges { node { ${fields[log]} } } } }`,
        { after, since: since.toISOString() },
      );
      if (errors.length > 0) throw new Error(`${log}: ${JSON.stringify(errors)}`);
      const page = data[log] as {
        pageInfo: { hasNextPage: boolean; endCursor: string };
        edges: { node: Node }[];
      };
      entries.push(...page.edges.map(({ node }) => entryOf(log, node)));
      if (!page.pageInfo.hasNextPage) return entries;
      after = page.pageInfo.endCursor;
    }
  });
  return (await Promise.all(logs)).flat();
}

function entryOf(log: LogName, { changes, ...node }: Node): Entry {
  return {
    log,
    ...node,
    // The connector log only has entries about connectors.
    resourceType: node.resourceType ?? 'Connector',
    changes: Object.fromEntries(
      changes.map(({ attribute, before, after }) => [
        attribute,
        {
          ...(before !== null && { before: JSON.parse(before) as unknown }),
          ...(after !== null && { after: JSON.parse(after) as unknown }),
        },
      ]),
    ),
  };
}
