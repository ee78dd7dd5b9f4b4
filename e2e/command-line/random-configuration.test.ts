import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { listSections, settingSections } from '../../cli/src/configuration/document.ts';
import { unique } from '../support/demo.ts';
import { between } from './between.ts';
import { asOperator, newHome, operatorSecret, ostiary } from './command-line.ts';
import { groups, randomConfiguration, users } from './random-configuration.ts';
import { tenantGraph } from './tenant-graph.ts';

const folder = newHome();

async function newTenant(): Promise<string> {
  const id = unique('rand').toLowerCase().slice(0, 60);
  expect(await ostiary(['tenant', 'create', id], asOperator())).toMatchObject({ code: 0 });
  return id;
}

/** Creates users and groups as an identity source would. */
async function populated(tenant: string): Promise<void> {
  for (const userName of users)
    await tenantGraph(
      tenant,
      'mutation ($userName: String!) { createUser(input: { userName: $userName }) { problems { message } } }',
      { userName },
    );
  for (const displayName of groups)
    await tenantGraph(
      tenant,
      'mutation ($displayName: String!) { createGroup(input: { displayName: $displayName }) { problems { message } } }',
      { displayName },
    );
}

const inside = (tenant: string, ...args: string[]) =>
  ostiary([...args, '--operator', '--tenant', tenant, '--json', '--yes'], asOperator());

const file = (content: unknown): string => {
  const path = join(folder, `${unique('file')}.json`);
  writeFileSync(path, JSON.stringify(content));
  return path;
};

/** Checks that an export contains no created secret and no text that looks like one. */
function expectNoSecret(exported: string, made: readonly { secret: string }[]): void {
  for (const { secret } of made) expect(exported).not.toContain(secret);
  expect(exported).not.toContain(operatorSecret());
  expect(exported).not.toMatch(/"(\w*secret|token|password|d|k|privateKey)":/i);
  // Ids differ between tenants, so a file must not contain them.
  expect(exported).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
}

describe('random configurations', () => {
  test.each([1_973])(
    'Exported and applied to an empty tenant, configuration %i is exported the same, and a second apply changes nothing.',
    async (seed) => {
      const configuration = randomConfiguration(seed);
      const [source, copy] = await Promise.all([newTenant(), newTenant()]);
      await Promise.all([populated(source), populated(copy)]);
      const secrets = [join(folder, `${source}.secrets`), join(folder, `${copy}.secrets`)] as const;
      const applied = await inside(source, 'apply', file(configuration), '--secrets-file', secrets[0]);
      expect([seed, applied.code, applied.stderr]).toEqual([seed, 0, expect.any(String)]);
      const exported = join(folder, `${source}.json`);
      expect(await inside(source, 'export', exported)).toMatchObject({ code: 0 });
      const document = JSON.parse(readFileSync(exported, 'utf8'));
      for (const section of settingSections) expect(document[section]).toMatchObject(configuration[section]);
      for (const section of listSections) expect(document[section]).not.toEqual([]);
      expect((await inside(source, 'apply', file(configuration))).json).toEqual({ changes: [] });

      expect(await inside(copy, 'apply', exported, '--secrets-file', secrets[1])).toMatchObject({ code: 0 });
      expect((await inside(copy, 'export')).json).toEqual(document);
      expect((await inside(copy, 'diff', exported, '--prune')).json).toEqual({
        differences: [],
        onlyInTenant: [],
      });
      expect((await inside(copy, 'apply', exported, '--prune')).json).toEqual({ changes: [] });
      const made = secrets.flatMap((path) => JSON.parse(readFileSync(path, 'utf8')) as { secret: string }[]);
      expect(made.length).toBeGreaterThan(3);
      expectNoSecret(readFileSync(exported, 'utf8'), made);
      // Replaces the configuration. The types of schema attributes cannot change.
      const { schemas: _, ...another } = randomConfiguration(seed + 1);
      const kept = [{ name: 'Administration' }, ...another.clients];
      const other = file({ ...another, clients: kept });
      const second = await inside(copy, 'apply', other, '--prune');
      expect([second.code, second.stderr]).toEqual([0, expect.any(String)]);
      expect((await inside(copy, 'diff', other, '--prune')).json).toEqual({
        differences: [],
        onlyInTenant: [],
      });
    },
  );
});

describe('configuration files', () => {
  let tenant = '';
  beforeAll(async () => {
    tenant = await newTenant();
  });

  test('Unknown users and groups end the command before any change.', async () => {
    const named = [
      { policy: { handOverCredentialsTo: { user: 'nobody' } } },
      { connectors: [{ name: 'HR', protectedUsers: ['nobody'] }] },
      { connectors: [{ name: 'HR', protectedGroups: ['Nothing'] }] },
      { groupRoles: [{ group: 'Nothing', role: 'AUDITOR' }] },
    ];
    for (const section of named) {
      const document = { ostiary: 1, webhooks: [], branding: { name: 'Changed' }, ...section };
      const answer = await inside(tenant, 'apply', file(document));
      expect([answer.code, answer.stdout]).toEqual([4, '']);
      expect(answer.stderr).toMatch(/The file names a (user nobody|group Nothing) that does not exist/);
    }
    expect((await inside(tenant, 'export')).json.branding.name).toBeNull();
  });

  const unfit: object[] = [
    { handOverCredentialsTo: 'ada' },
    { handOverCredentialsTo: { user: 'ada', group: 'Board' } },
    { handOverCredentialsTo: { constructor: 'ada' } },
    { handOverCredentialsTo: { user: ['ada'] } },
  ];
  test('A successor in an invalid format is rejected.', async () => {
    for (const policy of unfit)
      expect(await inside(tenant, 'apply', file({ ostiary: 1, policy }))).toMatchObject({ code: 2 });
  });

  test('User names resolve within the tenant only.', async () => {
    const neighbour = await newTenant();
    await populated(neighbour);
    const document = { ostiary: 1, policy: { handOverCredentialsTo: { user: users[0] } } };
    expect(await inside(tenant, 'apply', file(document))).toMatchObject({ code: 4 });
  });

  test('A change by another caller between read and write is not overwritten, and the command exits with 5.', async () => {
    const client = { name: 'Contended', grantTypes: ['client_credentials'], scopes: ['users:read'] };
    await inside(tenant, 'apply', file({ ostiary: 1, clients: [client] }));
    const theirs = file({ ostiary: 1, clients: [{ name: 'Contended', scopes: ['audit:read'] }] });
    const ours = file({ ostiary: 1, clients: [{ name: 'Contended', scopes: ['groups:read'] }] });
    let changed = 0;
    // The other change is made just before ours reaches the operator's port.
    const theirsFirst = async (body: string): Promise<void> => {
      if (body.includes('updateClient') && changed++ === 0)
        expect(await inside(tenant, 'apply', theirs)).toMatchObject({ code: 0 });
    };
    const answer = await between({ before: theirsFirst }, (url) =>
      ostiary(['apply', ours, '--operator', '--tenant', tenant, '--yes', '--json'], {
        ...asOperator(),
        OSTIARY_OPERATOR_URL: url,
      }),
    );
    expect([changed, answer.code, answer.stdout]).toEqual([1, 5, '']);
    expect(answer.stderr).toContain('0 of 1 changes were made');
    const { clients } = (await inside(tenant, 'export')).json;
    expect(clients.find(({ name }: { name: string }) => name === 'Contended').scopes).toEqual(['audit:read']);
    // After reading the current version, our change is applied.
    expect(await inside(tenant, 'apply', ours)).toMatchObject({ code: 0 });
  });

  test('If the file refers to an object that --prune would delete, the command ends before any change.', async () => {
    const trusted = {
      name: 'T',
      issuer: 'https://t.example',
      clientIds: ['Administration'],
      scopes: ['openid'],
    };
    const document = { ostiary: 1, branding: { name: 'Changed' }, clients: [], trustedIssuers: [trusted] };
    const answer = await inside(tenant, 'apply', file(document), '--prune');
    expect(answer).toMatchObject({ code: 2, stderr: expect.stringContaining('--prune deletes') });
    expect((await inside(tenant, 'export')).json.branding.name).toBeNull();
  });

  test('A change of an immutable field is rejected with a remedy.', async () => {
    const schema = {
      id: 'urn:example:fixed:User',
      name: 'Fixed',
      resourceType: 'USER',
      attributes: [{ name: 'a', type: 'STRING' }],
    };
    await inside(tenant, 'apply', file({ ostiary: 1, schemas: [schema] }));
    const other = file({
      ostiary: 1,
      branding: { name: 'Changed' },
      schemas: [{ ...schema, resourceType: 'GROUP' }],
    });
    const answer = await inside(tenant, 'apply', other);
    expect(answer).toMatchObject({ code: 5, stderr: expect.stringContaining('Delete it') });
    expect((await inside(tenant, 'export')).json.branding.name).toBeNull();
  });
});
