import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { type Program, Programs } from '../../support/sign-in/programs.ts';
import { rival, startTestService, type TestService, tenant } from '../../support/sign-in/service.ts';

// With an overlap, secrets of other owners that an offboarded user knows end when it is over, and are reported with
// that time.

let service: TestService;
let programs: Programs;
beforeAll(async () => {
  service = await startTestService();
  programs = new Programs(service);
});
afterAll(() => service?.stop());

const sql = () => service.deps.database.sql;
const policy = (settings: object, of = tenant) =>
  sql().query('UPDATE auth.tenants SET policy = $2::jsonb WHERE id = $1', [of, JSON.stringify(settings)]);
const leave = async (id: string, of = tenant) => {
  await service.directory.change(of, id, 'user.deactivated');
  await eventually(async () => (await service.deps.subjects.find(of, id))?.active === false);
};
const accepted = async (program: Program, of = tenant) =>
  (await programs.authenticate(program, of)).status === 200;
let counter = 0;
async function colleagues(of = tenant) {
  counter += 1;
  const gone = await programs.administrator(`gone-${counter}`, of);
  const colleague = await programs.administrator(`stays-${counter}`, of);
  if (of === tenant) await policy({ knownSecretOverlapDays: 3 });
  return { gone, colleague, client: await programs.register(colleague.accessToken) };
}
async function rotate(accessToken: string, { id }: Program, overlapSeconds = 0): Promise<Program> {
  const { rotateClientSecret } = await programs.ask(
    accessToken,
    'mutation ($input: RotateClientSecretInput!) { rotateClientSecret(input: $input) { clientSecret } }',
    { id, overlapSeconds },
  );
  return { id, secret: rotateClientSecret.clientSecret };
}
const reported = async (id: string, of = tenant) =>
  (
    await sql().query<{ secrets: { kind: string; credentialId: string; ended: boolean; endsAt?: string }[] }>(
      `SELECT changes->'secrets'->'before' AS secrets FROM auth.security_log
        WHERE tenant = $1 AND subject_id = $2 AND action = 'user.departed'`,
      [of, id],
    )
  ).rows[0]?.secrets;
const passOverlap = (of = tenant) =>
  sql().query('UPDATE auth.secret_ends SET ends_at = now() WHERE tenant = $1', [of]);

test('A secret of another owner is accepted until the overlap is over, reported with that time, and then ends with its tokens.', async () => {
  const { gone, colleague, client } = await colleagues();
  const rotated = await rotate(gone.accessToken, client, 600);
  const issued = await programs.accessToken(rotated);
  const own = await programs.register(gone.accessToken);
  await leave(gone.id);
  expect([await accepted(rotated), await accepted(own)]).toEqual([true, false]);
  const secrets = await reported(gone.id);
  const secret = secrets?.find(({ credentialId }) => credentialId === client.id);
  expect(secret).toMatchObject({ kind: 'client_secret', owner: { id: colleague.id }, ended: false });
  const days = (Date.parse(secret?.endsAt ?? '') - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(3);
  await passOverlap();
  await eventually(async () => !(await accepted(rotated)));
  expect(await service.deps.introspection.liveAccessToken(tenant, issued)).toBeNull();
  expect(await accepted(client)).toBe(true);
});

test('During the overlap the program receives no new secret, and a rotation by the owner ends the known one.', async () => {
  const { gone, colleague, client } = await colleagues();
  const rotated = await rotate(gone.accessToken, client);
  await leave(gone.id);
  const program = await programs.accessToken(rotated);
  await expect(programs.register(program, { scopes: ['users:read'] })).rejects.toThrow();
  const renewed = await rotate(colleague.accessToken, client);
  expect([await accepted(rotated), await accepted(renewed)]).toEqual([false, true]);
  await passOverlap();
  await eventually(async () => (await sql().query('SELECT 1 FROM auth.secret_ends')).rows.length === 0);
  expect(await accepted(renewed)).toBe(true);
});

test('A deferred end stays when the user is reactivated, and the earlier of two applies.', async () => {
  const { gone, client } = await colleagues();
  const rotated = await rotate(gone.accessToken, client);
  await leave(gone.id);
  await policy({ knownSecretOverlapDays: 30 });
  await service.directory.change(tenant, gone.id, 'user.reactivated');
  await eventually(async () => (await service.deps.subjects.find(tenant, gone.id))?.active === true);
  const before = await sql().query<{ ends_at: Date }>('SELECT ends_at FROM auth.secret_ends');
  await leave(gone.id);
  const after = await sql().query<{ ends_at: Date }>('SELECT ends_at FROM auth.secret_ends');
  expect([after.rows.length, after.rows]).toEqual([1, before.rows]);
  await passOverlap();
  await eventually(async () => !(await accepted(rotated)));
});

test('Invitations and initial access tokens end immediately, and the overlap of one tenant does not apply to another.', async () => {
  const { gone } = await colleagues();
  const { createInitialAccessToken } = await programs.ask(
    gone.accessToken,
    'mutation ($input: CreateInitialAccessTokenInput!) { createInitialAccessToken(input: $input) { token } }',
    { name: 'Software', scopes: ['users:read'], uses: 5 },
  );
  expect(createInitialAccessToken.token).not.toBe('');
  const there = await colleagues(rival);
  const theirs = await rotate(there.gone.accessToken, there.client);
  await leave(gone.id);
  await leave(there.gone.id, rival);
  expect(await accepted(theirs, rival)).toBe(false);
  const answer = await fetch(`${service.origin}/t/${tenant}/register`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${createInitialAccessToken.token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ grant_types: ['client_credentials'], redirect_uris: [], scope: 'users:read' }),
  });
  expect(answer.status).toBe(401);
});

test('A secret that a user knows ends immediately when the user only loses the role.', async () => {
  const { gone, client } = await colleagues();
  const rotated = await rotate(gone.accessToken, client);
  await service.deps.subjects.removeRole(tenant, gone.id, 'tenant_admin');
  await eventually(async () => !(await accepted(rotated)));
  const { rows } = await sql().query('SELECT 1 FROM auth.secret_ends WHERE knower_id = $1', [gone.id]);
  expect(rows).toEqual([]);
});

test('A program with a pending end receives no new secret, also when the user is active again.', async () => {
  const { gone, colleague, client } = await colleagues();
  const rotated = await rotate(gone.accessToken, client);
  await leave(gone.id);
  await service.directory.change(tenant, gone.id, 'user.reactivated');
  await eventually(async () => (await service.deps.subjects.find(tenant, gone.id))?.active === true);
  const program = await programs.accessToken(rotated);
  await expect(programs.register(program, { scopes: ['users:read'] })).rejects.toThrow();
  const renewed = await rotate(colleague.accessToken, client);
  const other = await programs.accessToken(renewed);
  expect((await programs.register(other, { scopes: ['users:read'] })).id).not.toBe('');
});

test('A webhook address and a signing secret have no owner to wait for and end immediately.', async () => {
  const { gone } = await colleagues();
  const { createWebhook } = await programs.ask(
    gone.accessToken,
    'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }',
    { name: 'Events', endpoint: 'https://receiver.example/events', types: ['USER_DEACTIVATED'] },
  );
  await leave(gone.id);
  const secrets = (await reported(gone.id))?.filter(
    ({ credentialId }) => credentialId === createWebhook.webhook.id,
  );
  expect(secrets?.map(({ kind, ended }) => [kind, ended]).toSorted()).toEqual([
    ['webhook_endpoint', true],
    ['webhook_secret', true],
  ]);
});
