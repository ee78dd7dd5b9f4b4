import { type HttpPeer, ServiceUnavailable } from '@ostiary/service';

/**
 * Ids identify their type to the owning service: they are those of the protocols (`sub`, `sid`, `client_id`,
 * `stream_id`, `jti`, `kid`, URNs), each unique in the tenant, so the graph needs no further ids. The
 * subgraph that owns `node(id:)` asks the other services for the type: POST /internal/v1/tenants/{t}/nodes
 * {ids} → {nodes}.
 */
export interface FoundNode {
  id: string;
  /** The name of its type in the graph. */
  type: string;
  /** The user who owns the object and may therefore read it. */
  ownerId?: string | null;
}

/** Most ids in one question. */
export const maxNodesAsked = 500;

/** Longer than any id there is. */
const maxIdLength = 512;

/** Returns the requested ids without impossible ones; undefined for an invalid request. */
export function nodesAskedFor(body: unknown): string[] | undefined {
  const ids = (body as { ids?: unknown } | null | undefined)?.ids;
  if (!Array.isArray(ids) || ids.length > maxNodesAsked) return undefined;
  if (!ids.every((id) => typeof id === 'string')) return undefined;
  return ids.filter((id) => id.length <= maxIdLength && !id.includes('\u0000'));
}

/** Returns the objects of a service with these ids. @throws ServiceUnavailable if it does not answer */
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
  // A service without the tenant has none of its objects.
  if (status === 404) return [];
  if (status !== 200 || !Array.isArray(body.nodes)) {
    throw new ServiceUnavailable(name, { cause: `answered ${status}` });
  }
  return body.nodes as FoundNode[];
}
