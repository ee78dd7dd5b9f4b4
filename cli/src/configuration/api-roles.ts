import { ApiRolesOfGroup, GroupsOfApiRole } from '../graph/generated/api-configuration.ts';
import type { Graph } from '../graph/graph.ts';
import type { Raw } from './portable.ts';

/**
 * Returns every role of an API of every group, by group name. The groups are found by the roles: a tenant has far fewer
 * roles than groups.
 */
export async function groupApiRolesOf(graph: Graph, apis: readonly Raw[]): Promise<Raw[]> {
  const groups = new Map<string, string>();
  for (const { id: apiId, roles } of apis) {
    for (const { name: role } of roles as readonly { name: string }[]) {
      const holders = graph.all(
        GroupsOfApiRole,
        { filter: { apiId, role } },
        (answer) => answer.groupsWithApiRole,
      );
      for await (const { id, displayName } of holders) groups.set(id, displayName);
    }
  }
  const identifiers = new Map(apis.map(({ id, identifier }) => [id, String(identifier)]));
  const all: Raw[] = [];
  for (const [id, group] of groups) {
    const grants = graph.all(ApiRolesOfGroup, { id }, (answer) => answer.group?.apiRoleGrants);
    for await (const { role, managedBySources, api } of grants) {
      const identifier = api && identifiers.get(api.id);
      if (api && identifier !== undefined)
        all.push({ id, version: 0, group, api: identifier, apiId: api.id, role, managedBySources });
    }
  }
  const order = ({ group, api, role, id }: Raw): string => JSON.stringify([group, api, role, id]);
  return all.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}
