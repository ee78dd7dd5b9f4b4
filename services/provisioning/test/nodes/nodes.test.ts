import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apiScopes } from '@ostiary/access';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { type RunningService, startService } from '../support/service.ts';

let directory: RecordingDirectory;
let service: RunningService;

beforeAll(async () => {
  directory = await startRecordingDirectory();
  service = await startService({ directoryUrl: directory.url });
});
afterAll(async () => {
  await service?.close();
  await directory?.close();
});

const ask = (tenant: string, body: unknown, as = 'directory') =>
  fetch(`${service.url}/internal/v1/tenants/${tenant}/nodes`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.authorization.serviceToken(as, 'provisioning')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });

test('The directory receives the type of an id while the object exists, and only in its own tenant.', async () => {
  const token = service.authorization.token({
    subject: 'admin',
    // A connector cannot have rights that its creator lacks.
    scopes: Object.keys(apiScopes),
  });
  const made = await service.graph(
    `mutation { a: createConnector(input: { name: "HR" }) { connector { id } } b: createConnector(input: { name: "CRM" }) { connector { id } } }`,
    { token },
  );
  const [hr, crm] = [made.body.data.a.connector.id, made.body.data.b.connector.id];
  await service.graph(`mutation { deleteConnector(input: { id: "${crm}" }) { problems { code } } }`, {
    token,
  });
  const log = await service.graph('{ connectorLog(first: 1) { edges { node { id } } } }', { token });
  const entry = log.body.data.connectorLog.edges[0].node.id;
  const ids = [hr, crm, entry, randomUUID(), 'x', '', "' OR 1=1", 'x\u0000'];
  const answer = (await (await ask('demo', { ids })).json()) as { nodes: { type: string; id: string }[] };
  expect(answer.nodes.sort((a, b) => (a.type < b.type ? -1 : 1))).toEqual([
    { type: 'Connector', id: hr },
    { type: 'ConnectorLogEntry', id: entry },
  ]);
  expect(await (await ask('rival', { ids })).json()).toEqual({ nodes: [] });
});

test('Other services are rejected, and the only accepted input is a list of ids.', async () => {
  for (const as of ['gateway', 'auth']) expect((await ask('demo', { ids: [] }, as)).status).toBe(403);
  const tooMany = Array.from({ length: 501 }, () => 'x');
  for (const body of [{}, { ids: 'x' }, { ids: [1] }, { ids: tooMany }, []]) {
    expect((await ask('demo', body)).status).toBe(400);
  }
});
