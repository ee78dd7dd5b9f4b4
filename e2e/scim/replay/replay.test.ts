import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runningDemo, unique } from '../../support/demo.ts';
import { Doors, type Person } from '../../support/doors.ts';
import { graph } from '../../support/graph.ts';
import { ScimClient } from '../../support/scim.ts';
import { adminToken, signIn } from '../../support/sign-in.ts';
import { entra } from './entra.ts';
import { okta } from './okta.ts';
import { onelogin } from './onelogin.ts';
import { Session, type Step } from './session.ts';

/** Replays recorded sessions of real identity sources. Each test is one request, and the order matters. */

const demo = runningDemo();
const tenant = demo.tenants.demo;

describe.each([
  ['ENTRA', entra],
  ['OKTA', okta],
  ['ONELOGIN', onelogin],
] as [string, Record<string, Step[]>][])('%s', (profile, parts) => {
  const password = unique('correct horse battery');
  const userName = `${unique(profile.toLowerCase())}@example.com`;
  const steps = Object.values(parts).flat();
  let admin: string;
  let connectorId: string;
  let session: Session;
  let doors: Doors;
  let person: Person;

  beforeAll(async () => {
    admin = await adminToken(tenant);
    const { data, errors } = await graph(
      demo,
      admin,
      'mutation ($input: CreateConnectorInput!) { createConnector(input: $input) { token connector { id } } }',
      { input: { name: unique(profile), profile } },
    );
    expect(errors).toEqual([]);
    connectorId = data.createConnector.connector.id;
    const scim = new ScimClient(tenant, data.createConnector.token);
    doors = new Doors(demo, tenant, scim);
    session = new Session(scim, {
      person: userName,
      password,
      externalId: unique('ext'),
      boss: `${unique('boss')}@example.com`,
      bossExternalId: unique('ext'),
      group: unique('Engineering'),
      groupExternalId: unique('ext'),
    });
  });
  afterAll(async () => {
    await graph(demo, admin, 'mutation ($input: ConnectorInput!) { deleteConnector(input: $input) { id } }', {
      input: { id: connectorId },
    });
  });

  /** Signs the user in, with the tenant's password if the source set none. */
  async function settle(): Promise<void> {
    const id = session.name('id');
    if (!steps.some(({ body }) => JSON.stringify(body ?? null).includes('{{password}}'))) {
      const other = new ScimClient(tenant, tenant.clients.scim.token);
      const given = await other.patch(`/Users/${id}`, [{ op: 'replace', path: 'password', value: password }]);
      expect(given.status).toBe(200);
    }
    const user = { userName, password };
    person = { id, user, signedIn: await signIn(demo, tenant, user) };
    await doors.expectOpen(person);
  }

  const consequences: Record<NonNullable<Step['after']>, () => Promise<void>> = {
    exists: settle,
    departed: () => doors.expectClosed(person),
    async returned() {
      const back = await doors.return(person);
      await doors.expectDead(person);
      person = { ...person, signedIn: back };
      await doors.expectOpen(person);
    },
  };

  describe.each(Object.entries(parts))('%s', (_part, steps) => {
    test.each(steps.map((step) => [step.what, step] as const))(
      'The step is answered as the source expects: %s.',
      async (_what, step) => {
        const answer = await session.play(step);
        if (step.body !== undefined) expect(JSON.stringify(answer.body ?? null)).not.toContain(password);
        if (step.after) await consequences[step.after]();
      },
    );
  });

  test('The provisioning log has all requests under the name of the source, without a server error.', async () => {
    const query = `query ($source: ID) { provisioningLog(source: $source, first: 100) {
      edges { node { method status resourceType } } } }`;
    const expected = steps.map(({ send: [method], hear }) => `${method} ${hear.status}`);
    let logged: string[] = [];
    for (let patience = 300; patience > 0 && logged.length < expected.length; patience -= 1) {
      const { data } = await graph(demo, admin, query, { source: connectorId });
      logged = data.provisioningLog.edges
        .map(({ node }: { node: { method: string; status: number } }) => `${node.method} ${node.status}`)
        .reverse();
      if (logged.length < expected.length) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(logged).toEqual(expected);
  });
});
