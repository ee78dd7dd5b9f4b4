import { describe, expect, test } from '@jest/globals';
import { type RevocationKind, revocationKinds } from '@ostiary/access';
import { eventually } from '@ostiary/service/testing';
import { rotateSigningKeys } from '../../src/tenancy/keys/domain/key-rotation.ts';
import { revocationExpiry } from '../../src/tenancy/users/domain/revocation-feed.ts';
import {
  apis,
  auth,
  backend,
  doors,
  type Held,
  introspect,
  open,
  setUpIntrospecting,
  shut,
  signIn,
  startOne,
  twin,
  userinfo,
} from '../support/introspecting.ts';
import { claimsOf, publicClient, register } from '../support/running-auth.ts';

// Tokens are answered from memory through the revocation feed. A revocation in one process applies in the other.

setUpIntrospecting();

/** The end of ownership does not end a token. */
type EndingKind = Exclude<RevocationKind, 'owner'>;

/** Ends a token in each way, at the first process. */
const ends: Record<EndingKind, (held: Held) => Promise<unknown>> = {
  subject: ({ tenant, person }) => auth.deps.subjects.signOutEverywhere(tenant, person.subjectId),
  session: ({ tenant, person }) => auth.deps.sessions.signOut(tenant, person.sessionId),
  grant: ({ tenant, refreshToken, clientId }) =>
    auth.post(`/t/${tenant}/revoke`, { token: refreshToken, client_id: clientId }),
  client: ({ tenant, clientId }) => auth.deps.clientRegistry.disable(tenant, clientId),
  jti: ({ tenant, token, clientId }) => auth.post(`/t/${tenant}/revoke`, { token, client_id: clientId }),
  key: ({ tenant }) => rotateSigningKeys(auth.deps, tenant, { algorithms: ['ES256'], compromised: true }),
  tenant: async ({ tenant }) => {
    const entry = { tenant, kind: 'tenant', key: tenant, expiresAt: revocationExpiry(600) } as const;
    const appended = await auth.database.transaction((tx) => auth.deps.revocations.append(tx, [entry]));
    await auth.deps.revocations.publish(appended);
  },
};

/** Without `tenant`, which stays in the lists of both processes and is tested last. */
const kinds = (Object.keys(ends) as EndingKind[]).filter((kind) => kind !== 'tenant');

async function closes(kind: EndingKind, held: Held): Promise<void> {
  // Twice, because the first answer may come from the database.
  for (const at of [auth, twin, auth, twin]) expect(await doors(at, held.token)).toEqual(open);
  await ends[kind](held);
  // The process of the revocation applies it immediately.
  expect(await doors(auth, held.token)).toEqual(shut);
  await eventually(async () => (await introspect(twin, held.token)).body.active === false);
  expect(await doors(twin, held.token)).toEqual(shut);
  // The database returns the same result.
  expect(await auth.deps.introspection.liveAccessToken('demo', held.token)).toBeNull();
}

const pairwise = {
  ...publicClient,
  subject_type: 'pairwise',
  scope: 'openid profile email offline_access',
};

describe('a revocation at one process applies at another', () => {
  test.each(kinds)('A token whose %s is revoked is inactive at both processes.', async (kind) => {
    const bystander = await signIn({ tenant: 'rival' });
    await closes(kind, await signIn());
    for (const at of [auth, twin]) expect(await doors(at, bystander.token, 'rival')).toEqual(open);
  });

  test.each(kinds)('A token that was not used yet is inactive once its %s is revoked.', async (kind) => {
    const [held, bystander] = [await signIn(), await signIn({ tenant: 'rival' })];
    await ends[kind](held);
    expect(await doors(auth, held.token)).toEqual(shut);
    await eventually(async () => (await introspect(twin, held.token)).body.active === false);
    expect(await doors(twin, held.token)).toEqual(shut);
    for (const at of [auth, twin]) expect(await doors(at, bystander.token, 'rival')).toEqual(open);
    // The result in another tenant does not depend on the token's status.
    expect(await doors(auth, bystander.token, 'demo')).toEqual(shut);
  });

  test('A modified copy of a token that was signed here is inactive, and so is a token of another tenant.', async () => {
    const { token } = await signIn();
    const [header = '', payload = '', signature = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const forged = Buffer.from(JSON.stringify({ ...claims, scope: 'openid users:read' })).toString(
      'base64url',
    );
    const last = signature.at(-1) === 'A' ? 'Q' : 'A';
    for (const near of [
      `${header}.${forged}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -1)}${last}`,
      `${header}.${payload}.`,
      `${header}.${payload}.${signature}=`,
    ]) {
      expect(await doors(auth, near)).toEqual(shut);
    }
    expect(await doors(auth, token, 'rival')).toEqual(shut);
    expect(await doors(auth, token)).toEqual(open);
  });

  test('A pairwise client’s token, which does not contain the user id, ends with the user.', async () => {
    const { client } = await register(auth, pairwise);
    const held = await signIn({ clientId: client.clientId });
    expect(claimsOf(held.token).sub).not.toBe(held.person.subjectId);
    await closes('subject', held);
  });

  test('A pairwise client’s token, which does not contain the session id, ends with the session.', async () => {
    const { client } = await register(auth, pairwise);
    const held = await signIn({ clientId: client.clientId });
    expect(claimsOf(held.token).sid).not.toBe(held.person.sessionId);
    await closes('session', held);
  });

  test('A client_credentials token, which needs no database read, ends with its client and by its own revocation.', async () => {
    for (const kind of ['client', 'jti'] as const) {
      const { client, clientSecret } = await register(auth, {
        grant_types: ['client_credentials'],
        redirect_uris: [],
        scope: 'users:read',
      });
      const basic = [client.clientId, clientSecret ?? ''] as const;
      const { body } = await auth.post('/t/demo/token', { grant_type: 'client_credentials' }, { basic });
      const token = String(body.access_token);
      const active = async (at: typeof auth) => (await introspect(at, token)).body.active;
      for (const at of [auth, twin, auth, twin]) expect(await active(at)).toBe(true);
      if (kind === 'client') await auth.deps.clientRegistry.disable('demo', client.clientId);
      else await auth.post('/t/demo/revoke', { token }, { basic });
      expect(await active(auth)).toBe(false);
      await eventually(async () => (await active(twin)) === false);
    }
  });
});

/** Returns a user with a client that requests claims from the directory. */
async function asking(tenant: string): Promise<Held> {
  const scope = 'openid address offline_access';
  const { client } = await register(auth, { ...publicClient, scope }, tenant);
  return signIn({ tenant, clientId: client.clientId, scopes: scope.split(' ') });
}

/** Starts userinfo requests at both processes that wait for the directory. */
async function underWay(held: readonly Held[]): Promise<{ answers: Promise<number>[]; settled: number }[]> {
  const before = backend.directory.asked.length;
  const all = held.map(({ token, tenant }) => {
    const asked = { answers: [] as Promise<number>[], settled: 0 };
    asked.answers = [auth, twin].map(async (at) => {
      const { status } = await userinfo(at, token, tenant);
      asked.settled += 1;
      return status;
    });
    return asked;
  });
  await eventually(async () => backend.directory.asked.length === before + 2 * held.length);
  return all;
}

test.each(kinds)(
  'A userinfo request that waits for the directory is rejected at both processes as soon as the %s is revoked, and other requests continue to wait.',
  async (kind) => {
    const [held, colleague, rival] = [await asking('demo'), await asking('demo'), await asking('rival')];
    for (const { token, tenant } of [held, colleague, rival])
      for (const at of [auth, twin]) expect((await userinfo(at, token, tenant)).status).toBe(200);
    const { promise, resolve } = Promise.withResolvers<void>();
    backend.directory.delay = promise;
    try {
      const [theirs, colleagues, rivals] = await underWay([held, colleague, rival]);
      await ends[kind](held);
      // The directory has not answered yet.
      expect(await Promise.all(theirs?.answers ?? [])).toEqual([401, 401]);
      // A key signs for the whole tenant.
      if (kind === 'key') expect(await Promise.all(colleagues?.answers ?? [])).toEqual([401, 401]);
      else expect(colleagues?.settled).toBe(0);
      expect(rivals?.settled).toBe(0);
      resolve();
      if (kind !== 'key') expect(await Promise.all(colleagues?.answers ?? [])).toEqual([200, 200]);
      expect(await Promise.all(rivals?.answers ?? [])).toEqual([200, 200]);
    } finally {
      resolve();
      backend.directory.delay = Promise.resolve();
    }
  },
);

test('No answer reports a token as active after one reported it as revoked, for any number of parallel requests.', async () => {
  const held = await signIn();
  const after: unknown[] = [];
  let revoked = false;
  let asking = true;
  const ask = async () => {
    while (asking) {
      const began = revoked;
      const { active } = (await introspect(auth, held.token)).body;
      if (began) after.push(active);
    }
  };
  const askers = Array.from({ length: 8 }, ask);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await ends.grant(held);
  revoked = true;
  await eventually(async () => after.length >= 4 * askers.length);
  asking = false;
  await Promise.all(askers);
  expect(new Set(after)).toEqual(new Set([false]));
});

test('After a sign-out everywhere only tokens issued since then are active, immediately at each process.', async () => {
  const before = await signIn();
  const { tenant, person, clientId } = before;
  for (const at of [auth, twin]) expect(await doors(at, before.token)).toEqual(open);
  await auth.deps.subjects.signOutEverywhere(tenant, person.subjectId);
  const session = await auth.database.sql.query<{ id: string }>(
    `INSERT INTO auth.sessions (tenant, id, subject_id, digest, amr, auth_time, expires_at)
     VALUES ($1, gen_random_uuid(), $2, uuid_send(gen_random_uuid()), '{pwd}', now(), now() + interval '1 day') RETURNING id`,
    [tenant, person.subjectId],
  );
  const sessionId = String(session.rows[0]?.id);
  const back = await signIn({ clientId, ...person, sessionId, subjectEpoch: 1 });
  for (const at of [auth, twin]) expect(await doors(at, back.token)).toEqual(open);
  expect(await doors(auth, before.token)).toEqual(shut);
  await eventually(async () => (await introspect(twin, before.token)).body.active === false);
});

test('A process that was started after a revocation applies it, and accepts active tokens.', async () => {
  const [revoked, live] = [await signIn(), await signIn()];
  await ends.grant(revoked);
  const started = await startOne();
  try {
    expect(await doors(started, revoked.token)).toEqual(shut);
    expect(await doors(started, live.token)).toEqual(open);
  } finally {
    await started.stop();
  }
});

test('A token whose revocation has expired from the feed is inactive also at a process that never received it.', async () => {
  const held = await signIn();
  await ends.grant(held);
  await auth.database.sql.query("UPDATE auth.revocations SET expires_at = now() - interval '1 second'");
  const started = await startOne();
  try {
    await eventually(async () => started.deps.revocationList.freshAt > 0);
    expect(await doors(started, held.token)).toEqual(shut);
    expect(await doors(twin, held.token)).toEqual(shut);
  } finally {
    await started.stop();
  }
});

describe('the caller', () => {
  test('A rival’s API and a rival’s token get no information about the tenant.', async () => {
    const [own, rivals] = [await signIn(), await signIn({ tenant: 'rival' })];
    for (const at of [auth, twin, auth, twin]) {
      expect(await doors(at, own.token)).toEqual(open);
      expect(await doors(at, rivals.token, 'rival')).toEqual(open);
      // The other tenant's API at both processes, and the other tenant's token at this tenant's endpoints, also with
      // filled caches.
      expect((await introspect(at, own.token, apis.rival, 'rival')).body).toEqual({ active: false });
      expect((await introspect(at, own.token, apis.rival)).status).toBe(401);
      expect((await introspect(at, rivals.token)).body).toEqual({ active: false });
      expect((await userinfo(at, rivals.token)).status).toBe(401);
    }
  });

  test('An API that is disabled, or no longer serves the resource, gets no information after about a second.', async () => {
    const held = await signIn();
    const registered = () =>
      register(auth, {
        grant_types: ['client_credentials'],
        redirect_uris: [],
        scope: 'users:read',
        protected_resources: ['urn:ostiary:tenant-api'],
      });
    const [disabled, narrowed] = [await registered(), await registered()];
    const basic = ({ client, clientSecret }: typeof disabled) =>
      [client.clientId, clientSecret ?? ''] as const;
    for (const at of [auth, twin])
      for (const one of [disabled, narrowed])
        expect((await introspect(at, held.token, basic(one))).body.active).toBe(true);
    await auth.deps.clientRegistry.disable('demo', disabled.client.clientId);
    await auth.deps.clientRegistry.update('demo', narrowed.client.clientId, (current) => ({
      ...current,
      protected_resources: [],
    }));
    const answers = async (at: typeof auth) => [
      (await introspect(at, held.token, basic(disabled))).status,
      (await introspect(at, held.token, basic(narrowed))).body.active,
    ];
    expect(await answers(auth)).toEqual([401, false]);
    await eventually(async () => JSON.stringify(await answers(twin)) === '[401,false]');
  });
});

test('Each kind of revocation is tested here, and that of a tenant ends all its tokens.', async () => {
  expect([...Object.keys(ends), 'owner'].sort()).toEqual([...revocationKinds].sort());
  const held = await signIn({ tenant: 'rival' });
  for (const at of [auth, twin, auth, twin]) expect(await doors(at, held.token, 'rival')).toEqual(open);
  await ends.tenant(held);
  expect((await userinfo(auth, held.token, 'rival')).status).toBe(401);
  await eventually(async () => (await userinfo(twin, held.token, 'rival')).status === 401);
});
