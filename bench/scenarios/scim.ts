import type { Request } from 'autocannon';
import { load, medianRun } from '../measure.ts';
import { pidOf, type Scenario } from '../scenario.ts';

const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User'];

/**
 * Creates and reads per second through the SCIM API, with durable commits. CPU of all services involved, including
 * events; CPU of PostgreSQL and Valkey separately.
 */
export const scim: Scenario = {
  name: 'scim',
  async run({ system, demo, seconds, rounds }) {
    const { scim: connector } = demo.tenants.demo.clients;
    const headers = {
      authorization: `Bearer ${connector.token}`,
      'content-type': 'application/scim+json',
      accept: 'application/scim+json',
    };
    const url = system.urls.provisioning;
    const path = '/t/demo/scim/v2/Users';
    const pids = (['provisioning', 'directory', 'auth'] as const).map((name) => pidOf(system, name));
    const stores = [pidOf(system, 'postgres'), pidOf(system, 'valkey')];
    const create = createRequest(path, headers);
    const creates = [];
    for (let round = 0; round < rounds; round += 1) {
      creates.push(await load({ url, seconds, pids, stores, expect: 201, requests: [create] }));
    }

    const list = await fetch(`${url}${path}?count=100`, { headers });
    const { Resources } = (await list.json()) as { Resources: { id: string; userName: string }[] };
    const reads = [];
    const lookups = [];
    for (let round = 0; round < rounds; round += 1) {
      reads.push(
        await load({
          url,
          seconds,
          pids,
          stores,
          requests: Resources.map(({ id }) => ({ method: 'GET', path: `${path}/${id}`, headers })),
        }),
      );
      lookups.push(
        await load({
          url,
          seconds,
          pids,
          stores,
          requests: Resources.map(({ userName }) => ({
            method: 'GET',
            path: `${path}?filter=${encodeURIComponent(`userName eq "${userName}"`)}`,
            headers,
          })),
        }),
      );
    }
    return [
      { name: 'SCIM create', figures: { ...medianRun(creates) } },
      { name: 'SCIM read', figures: { ...medianRun(reads) } },
      { name: 'SCIM userName eq', figures: { ...medianRun(lookups) } },
    ];
  },
};

/** Creates a new user with each request. */
function createRequest(path: string, headers: Record<string, string>): Request {
  const run = Date.now().toString(36);
  let serial = 0;
  return {
    method: 'POST',
    path,
    headers,
    setupRequest: (request) => {
      serial += 1;
      const userName = `bench-${run}-${serial}@example.com`;
      return {
        ...request,
        body: JSON.stringify({
          schemas,
          userName,
          externalId: `${run}-${serial}`,
          displayName: `Bench ${serial}`,
          name: { givenName: 'Bench', familyName: String(serial) },
          emails: [{ value: userName, type: 'work', primary: true }],
          active: true,
        }),
      };
    },
  };
}
