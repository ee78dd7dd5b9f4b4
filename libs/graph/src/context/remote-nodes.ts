import { type HttpPeer, ServiceUnavailable } from '@ostiary/service';

/**
 * An id says of itself what it is of, to who keeps it: ids are those of the protocols (`sub`, `sid`, `client_id`, `stream_id`,
 * `jti`, `kid`, URNs), each unique in the tenant, so that none needs a second one for the graph. The subgraph that owns
 * `node(id:)` asks the other services whose it is: POST /internal/v1/tenants/{t}/nodes {ids} → {nodes}.
 */
export interface FoundNode {
  id: string;
  /** The name of its type in the graph. */
  type: string;
  /** The user to whom it belongs, and who may therefore read it. */
  ownerId?: string | null;
}

/** Most ids in one question. */
export const mostNodesAsked = 500;

/** Longer than any id there is. */
const longestId = 512;

/** The ids that are asked for, without what can be no id; undefined when it isn't a question. */
export function nodesAskedFor(body: unknown): string[] | undefined {
  const ids = (body as { ids?: unknown } | null | undefined)?.ids;
  if (!Array.isArray(ids) || ids.length > mostNodesAsked) return undefined;
  if (!ids.every((id) => typeof id === 'string')) return undefined;
  return ids.filter((id) => id.length <= longestId && !id.includes('\u0000'));
}

/** What a service knows of these ids of a tenant. @throws ServiceUnavailable when it doesn't say */
export async function askForNodes(
  peer: Pick<HttpPeer, 'request'>,
  name: string,
  tenant: string,
  ids: readonly string[],
): Promise<FoundNode[]> {
  const { status, body } = await peer.request<{ nodes?: unknown }>({
    method: 'POST',
    path: `/internal/v1/tenants/${encodeURIComponent(tenant)}/nodes`,
    body: { ids },
    idempotent: true,
  });
  // A service that doesn't know the tenant keeps nothing of it.
  if (status === 404) return [];
  if (status !== 200 || !Array.isArray(body.nodes)) {
    throw new ServiceUnavailable(name, { cause: `answered ${status}` });
  }
  return body.nodes as FoundNode[];
}
