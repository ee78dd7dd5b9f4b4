import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { setOwner } from '../../../src/access/ownership/data/credential-owners.ts';
import {
  KnownSecretReader,
  type KnownSecretStore,
} from '../../../src/access/ownership/domain/known-secret.ts';
import type { Client } from '../../../src/clients/domain/client.ts';
import { double } from '../../support/double.ts';
import { type Program, Programs } from '../../support/sign-in/programs.ts';
import { rival, startTestService, type TestService, tenant, token } from '../../support/sign-in/service.ts';

// A secret ends with each user who received or supplied it, also on a client or service account of another owner.

let service: TestService;
let programs: Programs;
beforeAll(async () => {
  service = await startTestService();
  programs = new Programs(service);
});
afterAll(() => service?.stop());

const sql = () => service.deps.database.sql;
const policy = (settings: object) =>
  sql().query('UPDATE auth.tenants SET policy = $2::jsonb WHERE id = $1', [tenant, JSON.stringify(settings)]);
beforeEach(async () => {
  await policy({});
});

const leave = (id: string, of = tenant) => service.directory.change(of, id, 'user.deactivated');
const isLive = async (secret: string) =>
  (await service.deps.introspection.liveAccessToken(tenant, secret)) !== null;
const accepted = async (program: Program, of = tenant) =>
  (await programs.authenticate(program, of)).status === 200;

let counter = 0;
/** Creates an administrator to offboard, and a colleague with a client and a service account. */
async function colleagues(of = tenant) {
  counter += 1;
  const gone = await programs.administrator(`gone-${counter}`, of);
  const colleague = await programs.administrator(`stays-${counter}`, of);
  const client = await programs.register(colleague.accessToken);
  const { createServiceAccount } = await programs.ask(
    colleague.accessToken,
    'mutation ($input: CreateServiceAccountInput!) { createServiceAccount(input: $input) { serviceAccount { id } } }',
    { name: 'Job', scopes: ['users:read'] },
  );
  return { gone, colleague, client, account: createServiceAccount.serviceAccount.id as string };
}

async function rotate(accessToken: string, { id }: Program, overlapSeconds = 0): Promise<Program> {
  const { rotateClientSecret } = await programs.ask(
    accessToken,
    'mutation ($input: RotateClientSecretInput!) { rotateClientSecret(input: $input) { clientSecret } }',
    { id, overlapSeconds },
  );
  return { id, secret: rotateClientSecret.clientSecret };
}

async function newKey() {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const kid = uuidv7();
  return { jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' }, kid, privateKey };
}
type Key = Awaited<ReturnType<typeof newKey>>;

const signed = ({ kid, privateKey }: Key, issuer: string, subject: string) =>
  new SignJWT({ jti: uuidv7() })
    .setProtectedHeader({ alg: 'ES256', kid })
    .setIssuer(issuer)
    .setSubject(subject)
    .setAudience(service.deps.issuer(tenant))
    .setIssuedAt()
    .setExpirationTime('1m')
    .sign(privateKey);

async function addKey(accessToken: string, serviceAccountId: string): Promise<Key> {
  const key = await newKey();
  await programs.ask(
    accessToken,
    'mutation ($input: AddServiceAccountKeyInput!) { addServiceAccountKey(input: $input) { publicKey { id } } }',
    { serviceAccountId, jwk: JSON.stringify(key.jwk) },
  );
  return key;
}
const asAccount = async (account: string, key: Key) =>
  token(service, { clientId: account, tenant } as Client, {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: await signed(key, account, account),
  });

describe('secrets of a colleague', () => {
  test('A client secret that an offboarded user rotated ends with its tokens, and the client and its older secret stay.', async () => {
    const { gone, colleague, client } = await colleagues();
    const rotated = await rotate(gone.accessToken, client, 600);
    const issued = await programs.accessToken(rotated);
    expect([await accepted(rotated), await accepted(client), await isLive(issued)]).toEqual([
      true,
      true,
      true,
    ]);
    await leave(gone.id);
    await eventually(async () => !(await accepted(rotated)));
    expect([await accepted(client), await isLive(issued)]).toEqual([true, false]);
    expect(await accepted(await rotate(colleague.accessToken, client))).toBe(true);
  });

  test('A public key that an offboarded user added to a service account ends with its tokens, and the account stays.', async () => {
    const { gone, colleague, account } = await colleagues();
    const [theirs, mine] = [
      await addKey(gone.accessToken, account),
      await addKey(colleague.accessToken, account),
    ];
    const issued = (await asAccount(account, theirs)).body.access_token ?? '';
    expect(await isLive(issued)).toBe(true);
    await leave(gone.id);
    await eventually(async () => (await asAccount(account, theirs)).status !== 200);
    expect([await isLive(issued), (await asAccount(account, mine)).status]).toEqual([false, 200]);
  });

  test('A secret that a program received ends with the owner of the program and with every user who knew its secret.', async () => {
    const { gone, colleague, client } = await colleagues();
    const rotated = await rotate(gone.accessToken, client);
    const made = await programs.register(await programs.accessToken(rotated));
    const further = await programs.register(await programs.accessToken(made));
    await leave(gone.id);
    await eventually(async () => !(await accepted(made)));
    expect(await accepted(further)).toBe(false);
    for (const id of [client.id, made.id, further.id])
      expect((await service.deps.clients.find(tenant, id))?.disabled).toBe(false);
    expect(await accepted(await rotate(colleague.accessToken, made))).toBe(true);
  });

  test('The secret of a client that a group owns ends with the member who received it.', async () => {
    const { gone, colleague } = await colleagues();
    const group = service.directory.groups.create(tenant, [gone.id, colleague.id]);
    const client = await programs.register(gone.accessToken, { ownerId: group });
    await leave(gone.id);
    await eventually(async () => !(await accepted(client)));
    expect((await service.deps.clients.find(tenant, client.id))?.disabled).toBe(false);
  });

  test('Keys of a client that an offboarded user supplied end.', async () => {
    const { gone, client } = await colleagues();
    const { jwk } = await newKey();
    await programs.ask(
      gone.accessToken,
      'mutation ($input: UpdateClientInput!) { updateClient(input: $input) { client { id } problems { message } } }',
      { id: client.id, jwks: JSON.stringify({ keys: [jwk] }) },
    );
    const keys = async () =>
      (await service.deps.clients.find(tenant, client.id))?.metadata.jwks !== undefined;
    expect(await keys()).toBe(true);
    await leave(gone.id);
    await eventually(async () => !(await keys()));
    expect(await accepted(client)).toBe(true);
  });

  test('An invitation ends with the user who received the link, and a newer one of a colleague stays.', async () => {
    const { gone, colleague } = await colleagues();
    const invite = async (by: { accessToken: string }) => {
      const { id } = await service.person(`invited-${uuidv7()}`);
      const { resetUserAccess } = await programs.ask(
        by.accessToken,
        'mutation ($input: ResetUserAccessInput!) { resetUserAccess(input: $input) { url } }',
        { userId: id },
      );
      return new URL(resetUserAccess.url).searchParams.get('token') ?? '';
    };
    const [theirs, mine] = [await invite(gone), await invite(colleague)];
    const isOpen = async (link: string) => (await service.deps.invitations.find(tenant, link)) !== undefined;
    expect([await isOpen(theirs), await isOpen(mine)]).toEqual([true, true]);
    await leave(gone.id);
    await eventually(async () => !(await isOpen(theirs)));
    expect(await isOpen(mine)).toBe(true);
  });
});

describe('trusted issuers', () => {
  async function trust(accessToken: string, key: Key, clientId: string) {
    const issuer = `https://${uuidv7()}.example`;
    const { createTrustedIssuer } = await programs.ask(
      accessToken,
      'mutation ($input: CreateTrustedIssuerInput!) { createTrustedIssuer(input: $input) { trustedIssuer { id } } }',
      {
        name: 'Partner',
        issuer,
        jwks: JSON.stringify({ keys: [key.jwk] }),
        clientIds: [clientId],
        scopes: ['openid'],
      },
    );
    return { issuer, id: createTrustedIssuer.trustedIssuer.id as string };
  }
  const bind = (accessToken: string, trustedIssuerId: string, userId: string) =>
    programs.ask(
      accessToken,
      'mutation ($input: BindIssuerSubjectInput!) { bindIssuerSubject(input: $input) { issuerSubject { id } } }',
      { trustedIssuerId, subject: userId, userId },
    );

  test('An issuer and a binding end with the administrator who added them, with the tokens issued on its assertions.', async () => {
    const { gone, colleague } = await colleagues();
    const app = await programs.register(colleague.accessToken, {
      grantTypes: ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
      scopes: ['openid'],
    });
    const [theirs, mine] = [await newKey(), await newKey()];
    const added = await trust(gone.accessToken, theirs, app.id);
    const kept = await trust(colleague.accessToken, mine, app.id);
    const person = await service.person(`bound-${uuidv7()}`);
    await bind(colleague.accessToken, added.id, colleague.id);
    await bind(gone.accessToken, kept.id, colleague.id);
    await bind(colleague.accessToken, kept.id, person.id);
    const asserted = async (key: Key, issuer: string, subject: string) =>
      (
        await token(service, { clientId: app.id, tenant } as Client, {
          grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
          client_id: app.id,
          client_secret: app.secret,
          assertion: await signed(key, issuer, subject),
        })
      ).body.access_token;
    const issued = [
      await asserted(theirs, added.issuer, colleague.id),
      await asserted(mine, kept.issuer, colleague.id),
    ];
    const other = (await asserted(mine, kept.issuer, person.id)) ?? '';
    for (const one of [...issued, other]) expect(await isLive(one ?? '')).toBe(true);
    await leave(gone.id);
    await eventually(async () => (await asserted(theirs, added.issuer, colleague.id)) === undefined);
    expect(await asserted(mine, kept.issuer, colleague.id)).toBeUndefined();
    for (const one of issued) expect(await isLive(one ?? '')).toBe(false);
    expect([await isLive(other), (await asserted(mine, kept.issuer, person.id)) !== undefined]).toEqual([
      true,
      true,
    ]);
  });
});

describe('tenant policy', () => {
  test('A secret also ends when the user’s own credentials are suspended.', async () => {
    await policy({ ownedCredentialsOnOffboarding: 'suspend' });
    const { gone, client } = await colleagues();
    const rotated = await rotate(gone.accessToken, client);
    await leave(gone.id);
    await eventually(async () => !(await accepted(rotated)));
  });

  test('A secret is transferred to the successor and ends with the successor.', async () => {
    const successor = await programs.administrator(`heir-${uuidv7()}`);
    await policy({ ownedCredentialsOnOffboarding: 'handOver', handOverCredentialsTo: successor.id });
    const { gone, client } = await colleagues();
    const rotated = await rotate(gone.accessToken, client);
    await leave(gone.id);
    await eventually(
      async () => (await service.deps.knownSecrets.knownTo(sql(), tenant, gone.id)).length === 0,
    );
    expect([
      await accepted(rotated),
      (await service.deps.knownSecrets.knownTo(sql(), tenant, successor.id)).length,
    ]).toEqual([true, 1]);
    await leave(successor.id);
    await eventually(async () => !(await accepted(rotated)));
  });
});

test('A secret ends when the user loses the role required to hold it, and not with a sign-out.', async () => {
  const { gone, client } = await colleagues();
  const rotated = await rotate(gone.accessToken, client);
  await service.deps.subjects.signOutEverywhere(tenant, gone.id);
  expect(await accepted(rotated)).toBe(true);
  await service.deps.subjects.removeRole(tenant, gone.id, 'tenant_admin');
  await eventually(async () => !(await accepted(rotated)));
});

test('At most 500 known secrets of a user are listed.', async () => {
  const secret = { kind: 'api_key', secretId: 's', credentialId: 'c', name: 'Key', owner: null } as const;
  const store = double<KnownSecretStore>({ knownTo: async () => Array.from({ length: 501 }, () => secret) });
  const reader = new KnownSecretReader(service.deps.database.sql, store);
  expect(await reader.of(tenant, uuidv7())).toHaveLength(500);
});

test('A secret known to a user of one tenant is not known in another.', async () => {
  const [here, there] = [await colleagues(), await colleagues(rival)];
  const rotated = await rotate(there.gone.accessToken, there.client);
  const setTo = [{ kind: 'user', id: here.gone.id } as const];
  await setOwner(sql(), rival, 'client', there.client.id, setTo[0]);
  await sql().query('UPDATE auth.client_secrets SET known_to = $3 WHERE tenant = $1 AND client_id = $2', [
    rival,
    there.client.id,
    [here.gone.id],
  ]);
  await leave(here.gone.id);
  await eventually(async () => (await service.deps.subjects.find(tenant, here.gone.id))?.active === false);
  expect(await accepted(rotated, rival)).toBe(true);
});

test('Of rotations concurrent with the offboarding, none leaves a secret that is accepted.', async () => {
  const { gone, client } = await colleagues();
  const attempts = Array.from({ length: 12 }, () =>
    rotate(gone.accessToken, client, 60).catch(() => undefined),
  );
  const [made] = await Promise.all([Promise.all(attempts), leave(gone.id)]);
  await eventually(async () => (await service.deps.subjects.find(tenant, gone.id))?.active === false);
  await eventually(async () => {
    for (const secret of made) if (secret && (await accepted(secret))) return false;
    return true;
  });
});

test('A program that an offboarded user could control creates nothing concurrently with the offboarding.', async () => {
  const { gone, client } = await colleagues();
  const program = await programs.accessToken(await rotate(gone.accessToken, client));
  const attempts = Array.from({ length: 12 }, () =>
    programs.register(program, { scopes: ['users:read'] }).catch(() => undefined),
  );
  const [made] = await Promise.all([Promise.all(attempts), leave(gone.id)]);
  await eventually(async () => !(await isLive(program)));
  for (const one of made) if (one) expect(await accepted(one)).toBe(false);
});

test('The report of an offboarding lists the secrets with the owner to notify.', async () => {
  const { gone, colleague, client } = await colleagues();
  await rotate(gone.accessToken, client);
  await leave(gone.id);
  const report = async () =>
    (
      await sql().query<{ changes: { secrets?: { before: object[] }; knownSecrets: { before: number } } }>(
        `SELECT changes FROM auth.security_log WHERE tenant = $1 AND subject_id = $2 AND action = 'user.departed'`,
        [tenant, gone.id],
      )
    ).rows[0]?.changes;
  await eventually(async () => (await report()) !== undefined);
  expect(await report()).toMatchObject({
    knownSecrets: { before: 1 },
    secrets: {
      before: [
        {
          kind: 'client_secret',
          credentialId: client.id,
          name: 'Program',
          owner: { kind: 'user', id: colleague.id },
          ended: true,
        },
      ],
    },
  });
});
