import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { RowsRead, staysWithin } from '@ostiary/database/testing';
import type { DomainEvent } from '@ostiary/events';
import { uuidv7 } from '@ostiary/service';
import { resourceLinks } from '../../src/events/data/links.ts';
import { tenantSettings } from '../../src/events/data/tenants.ts';
import { projectEvents } from '../../src/events/domain/directory-events.ts';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { type RunningService, startService } from '../support/service.ts';

let directory: RecordingDirectory;
let service: RunningService;
let token: string;

beforeAll(async () => {
  directory = await startRecordingDirectory();
  service = await startService({ directoryUrl: directory.url });
  token = (await service.connector({ name: 'HR' })).token;
});
afterAll(async () => {
  await service.close();
  await directory.close();
});

const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User'];
const leaving = {
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'replace', path: 'active', value: false }],
};

/** Tenants with a connector, its token, links and a log, and the links of many users of one. */
const grown = [
  `CREATE TEMP TABLE grown ON COMMIT DROP AS
   SELECT 'grown-' || n AS tenant, gen_random_uuid() AS connector FROM generate_series(1, 1000) n`,
  `INSERT INTO provisioning.tenants (id, name, status, version) SELECT tenant, tenant, 'active', 1 FROM grown`,
  `INSERT INTO provisioning.connectors (tenant, id, name) SELECT tenant, connector, 'HR' FROM grown`,
  `INSERT INTO provisioning.connector_tokens (tenant, id, connector_id, digest)
   SELECT tenant, gen_random_uuid(), connector, uuid_send(gen_random_uuid()) FROM grown`,
  `INSERT INTO provisioning.resource_links (tenant, resource_type, resource_id, source, external_id, version)
   SELECT tenant, 'User', gen_random_uuid(), 'HR', 'x' || n, 1
     FROM (SELECT tenant, generate_series(1, 2) AS n FROM grown UNION ALL SELECT 'demo', generate_series(1, 5000)) u`,
];

/** Returns the directory's event for a created or deactivated user. */
const event = (type: 'user.created' | 'user.deactivated', subject: string): DomainEvent => ({
  id: uuidv7(),
  tenant: 'demo',
  type,
  subject,
  version: type === 'user.created' ? 1 : 2,
  occurredAt: new Date().toISOString(),
  actor: { kind: 'system', id: 'test' },
  payload: {
    id: subject,
    userName: subject,
    active: type === 'user.created',
    emails: [],
    externalIds: { HR: subject },
    source: 'HR',
    changedAt: new Date().toISOString(),
  },
});

test('A SCIM create, a departure, a read and their events read as much with a thousand tenants and five thousand users in one as with one of each.', async () => {
  const project = projectEvents({ links: resourceLinks, tenants: tenantSettings });
  const asked = async (method: string, path: string, status: number, body?: object) => {
    expect((await service.scim(method, path, { token, body })).status).toBe(status);
    // The log is written after the response.
    await service.app.logWriter.flush();
  };
  const work: Record<string, () => Promise<unknown>> = {
    'a create': () => asked('POST', '/Users', 201, { schemas, userName: uuidv7() }),
    'a departure': () => asked('PATCH', `/Users/${uuidv7()}`, 200, leaving),
    'a read': () => asked('GET', `/Users/${uuidv7()}`, 200),
    async 'the events of a create and a departure'() {
      const subject = uuidv7();
      for (const type of ['user.created', 'user.deactivated'] as const)
        await service.database.transaction((tx) => project([event(type, subject)], tx));
    },
  };
  const reading = new RowsRead({ sql: service.database.sql, schema: 'provisioning' });
  const small: Record<string, number> = {};
  for (const [name, doing] of Object.entries(work)) small[name] = await reading.by(doing);
  await service.database.transaction(async (tx) => {
    for (const statement of grown) await tx.query(statement);
  });
  for (const [name, doing] of Object.entries(work)) {
    const before = small[name] ?? Number.NaN;
    const after = await reading.after(before, doing);
    expect({ name, before, after, within: staysWithin(before, after) }).toEqual({
      name,
      before,
      after,
      within: true,
    });
  }
});
