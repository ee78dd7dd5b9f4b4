import type { Request } from 'autocannon';
import { load, medianRun } from '../measure.ts';
import { adminToken, pidOf, type Scenario } from '../scenario.ts';

const query = `query People($first: Int!) { users(first: $first) { totalCount pageInfo { hasNextPage endCursor } edges { node {
  id userName displayName active emails { value type primary } groups { id displayName } sessions { id createdAt lastSeenAt }
  provisioning { source { name } externalId lastChangedAt } } } } }`;

/** Federated query over three subgraphs: CPU of the gateway alone, and of all processes. */
export const usersQuery: Scenario = {
  name: 'people-query',
  async run(context) {
    const { system, seconds, rounds } = context;
    const headers = {
      authorization: `Bearer ${await adminToken(context)}`,
      'content-type': 'application/json',
    };
    const rows = [];
    const everything = ['gateway', 'auth', 'directory', 'provisioning'];
    const requestOf = (first: number): Request => ({
      method: 'POST',
      path: '/graphql',
      headers,
      body: JSON.stringify({ query, variables: { first } }),
    });
    for (const first of [1, 25]) {
      for (const [where, names] of [
        ['gateway', ['gateway']],
        ['all four processes', everything],
      ] as const) {
        const runs = [];
        for (let round = 0; round < rounds; round += 1) {
          runs.push(
            await load({
              url: system.origin,
              seconds,
              pids: names.map((name) => pidOf(system, name)),
              requests: [requestOf(first)],
            }),
          );
        }
        rows.push({ name: `People, first: ${first}; CPU of ${where}`, figures: { ...medianRun(runs) } });
      }
    }
    for (const connections of [1, 200]) {
      const runs = [];
      for (let round = 0; round < rounds; round += 1) {
        runs.push(
          await load({
            url: system.origin,
            seconds,
            connections,
            pids: everything.map((name) => pidOf(system, name)),
            requests: [requestOf(1)],
          }),
        );
      }
      rows.push({
        name: `People, first: 1; ${connections} callers at once`,
        figures: { ...medianRun(runs) },
      });
    }
    return rows;
  },
};
