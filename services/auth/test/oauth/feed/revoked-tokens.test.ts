import { beforeAll, describe, expect, test } from '@jest/globals';
import { type RevocationKind, revocationKinds } from '@ostiary/access';
import { eventually } from '@ostiary/service/testing';
import type { ClientMetadata } from '../../../src/clients/domain/client-registry.ts';
import { rotateSigningKeys } from '../../../src/tenancy/keys/domain/key-rotation.ts';
import { revocationExpiry } from '../../../src/tenancy/users/domain/revocation-feed.ts';
import { accessTokenType, exchangeGrant } from '../../support/assertions.ts';
import {
  auth,
  type Credentials,
  type Held,
  setUpIntrospecting,
  signIn,
  twin,
} from '../../support/introspecting.ts';
import { claimsOf, publicClient, register, signedIn } from '../../support/running-auth.ts';
import { Follower, orders, resourceServer } from './follower.ts';

setUpIntrospecting();

let api: Credentials;
beforeAll(async () => {
  api = await resourceServer();
});

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
/** Without `tenant`, which ends all tokens and is tested last. */
const kinds = (Object.keys(ends) as EndingKind[]).filter((kind) => kind !== 'tenant');

const ofOrders = { ...publicClient, resources: [orders] };
const pairwise = { ...ofOrders, subject_type: 'pairwise', scope: 'openid profile email offline_access' };

/** Signs a user in to a new client, for a token of the orders API. */
async function holding(
  metadata: Partial<ClientMetadata> = ofOrders,
  o: Parameters<typeof signIn>[0] = {},
): Promise<Held> {
  const tenant = o.tenant ?? 'demo';
  const { client } = await register(auth, metadata, tenant);
  return signIn({ clientId: client.clientId, resources: [orders], ...o });
}

/** Follows the feed until it revokes a token, and once more. */
async function revokedFor(token: string, by: Credentials = api, tenant = 'demo'): Promise<Follower> {
  const follower = new Follower({ by, tenant });
  await eventually(async () => {
    await follower.follow({ at: twin });
    return follower.revokes(token);
  });
  await follower.follow({ at: twin });
  return follower;
}

describe('tokens of a user', () => {
  test.each(kinds)('The feed revokes a token whose %s is revoked, and no other one.', async (kind) => {
    const [held, colleague] = [await holding(), await holding()];
    const rival = await holding(ofOrders, { tenant: 'rival' });
    const before = new Follower({ by: api });
    await before.follow();
    expect([held, colleague].map(({ token }) => before.revokes(token))).toEqual([false, false]);
    await ends[kind](held);
    const follower = await revokedFor(held.token);
    // A key signs for the whole tenant.
    expect(follower.revokes(colleague.token)).toBe(kind === 'key');
    expect(follower.revokes(rival.token)).toBe(false);
  });

  test.each(['subject', 'session'] as const)(
    'The feed revokes the tokens of pairwise clients, which do not contain the id of the %s.',
    async (kind) => {
      const person = await signedIn(auth);
      const hosts = ['https://one.example/cb', 'https://two.example/cb'];
      const tokens = await Promise.all(
        hosts.map(async (redirectUri) => {
          const { client } = await register(auth, {
            ...pairwise,
            application_type: 'web',
            redirect_uris: [redirectUri],
          });
          return signIn({ clientId: client.clientId, resources: [orders], redirectUri, ...person });
        }),
      );
      const open = await holding(ofOrders, person);
      const claim = { subject: 'sub', session: 'sid' }[kind];
      const values = [...tokens, open].map(({ token }) => claimsOf(token)[claim]);
      expect(new Set(values).size).toBe(3);
      await ends[kind](open);
      const follower = await revokedFor(open.token);
      for (const { token } of tokens) expect(follower.revokes(token)).toBe(true);
    },
  );

  test('An entry contains no identifier, and that of a pairwise client only where the client has the resource.', async () => {
    const person = await signedIn(auth);
    const elsewhere = 'https://elsewhere.example/v1';
    const other = await resourceServer({ protected_resources: [elsewhere] });
    const { client } = await register(auth, { ...pairwise, resources: [elsewhere] });
    const held = await signIn({ clientId: client.clientId, resources: [elsewhere], ...person });
    const feeds = { own: new Follower({ by: other }), foreign: new Follower({ by: api }) };
    for (const feed of Object.values(feeds)) await feed.follow();
    // Other users have entries already.
    const subjectsIn = ({ entries }: Follower) => entries.filter(({ kind }) => kind === 'sub');
    const known = [subjectsIn(feeds.own).length, subjectsIn(feeds.foreign).length];
    await auth.deps.subjects.signOutEverywhere('demo', person.subjectId);
    const [own, foreign] = await Promise.all(
      [feeds.own, feeds.foreign].map((feed, index) =>
        eventually(
          async () => {
            await feed.follow();
            return subjectsIn(feed).slice(known[index]);
          },
          (found) => found.length > 0,
        ),
      ),
    );
    expect(feeds.own.revokes(held.token)).toBe(true);
    expect(feeds.foreign.revokes(held.token)).toBe(false);
    const digests = [own, foreign].map((list = []) => list.map(({ digest }) => digest));
    expect(digests[0]?.filter((digest) => digests[1]?.includes(digest))).toEqual([]);
    const text = JSON.stringify([feeds.own.entries, feeds.foreign.entries]);
    for (const id of [person.subjectId, person.sessionId, String(claimsOf(held.token).sub), client.clientId])
      expect(text).not.toContain(id);
  });

  test('After a sign-out everywhere, a token that is issued later is not revoked.', async () => {
    const before = await holding();
    const { tenant, person, clientId } = before;
    await ends.subject(before);
    const sessionId = (await signedIn(auth)).sessionId;
    await auth.database.sql.query('UPDATE auth.sessions SET subject_id = $1 WHERE id = $2', [
      person.subjectId,
      sessionId,
    ]);
    const back = await signIn({
      tenant,
      clientId,
      subjectId: person.subjectId,
      sessionId,
      subjectEpoch: 1,
      resources: [orders],
    });
    const follower = await revokedFor(before.token);
    expect(follower.revokes(back.token)).toBe(false);
  });
});

describe('tokens of a changed client', () => {
  const update = (clientId: string, changes: Partial<ClientMetadata>) =>
    auth.deps.clientRegistry.update('demo', clientId, (current) => ({ ...current, ...changes }));

  test.each<[string, Partial<ClientMetadata>, Partial<ClientMetadata>]>([
    ['loses the resource', ofOrders, { resources: [] }],
    ['is pairwise and loses the resource', pairwise, { resources: [] }],
    ['is no longer pairwise', pairwise, { subject_type: 'public' }],
    [
      'moves to another sector',
      { ...pairwise, application_type: 'web', redirect_uris: ['https://one.example/cb'] },
      { redirect_uris: ['https://two.example/cb'] },
    ],
  ])(
    'The feed revokes the tokens of a client that %s, and the client gets new ones.',
    async (_, metadata, changes) => {
      const { redirect_uris: [redirectUri = ''] = [] } = metadata;
      const held = await holding(metadata, { ...(redirectUri.startsWith('https:') && { redirectUri }) });
      await update(held.clientId, changes);
      const follower = await revokedFor(held.token);
      expect(await auth.deps.introspection.liveAccessToken('demo', held.token)).toBeNull();
      const { body } = await auth.post('/t/demo/token', {
        grant_type: 'refresh_token',
        refresh_token: held.refreshToken,
        client_id: held.clientId,
      });
      if (body.access_token !== undefined) {
        await follower.follow();
        expect(follower.revokes(String(body.access_token))).toBe(false);
      }
      // The user's revocation, after the change, no longer names the former identifier.
      await auth.deps.subjects.signOutEverywhere('demo', held.person.subjectId);
      await eventually(async () => (await follower.follow()).length > 0);
      expect(follower.revokes(held.token)).toBe(true);
    },
  );

  test('A change that keeps the identifiers of a pairwise client ends no token.', async () => {
    const held = await holding(pairwise);
    await update(held.clientId, { client_name: 'Another name', resources: [orders, 'https://more.example'] });
    await update(held.clientId, {
      redirect_uris: [...(publicClient.redirect_uris ?? []), 'http://127.0.0.1/other'],
    });
    expect(await auth.deps.introspection.liveAccessToken('demo', held.token)).not.toBeNull();
  });

  test('The feed revokes the token of a client for itself with the client, and accepts one of a later epoch.', async () => {
    const { client, clientSecret = '' } = await register(auth, {
      grant_types: ['client_credentials'],
      redirect_uris: [],
      resources: [orders],
    });
    const issue = async () => {
      const fields = { grant_type: 'client_credentials', resource: orders };
      const { body } = await auth.post('/t/demo/token', fields, { basic: [client.clientId, clientSecret] });
      return String(body.access_token);
    };
    const earlier = await issue();
    await auth.deps.clientRegistry.disable('demo', client.clientId);
    await auth.deps.clientRegistry.enable('demo', client.clientId, () => undefined);
    const later = await issue();
    const follower = await revokedFor(earlier);
    expect([claimsOf(later).client_epoch, follower.revokes(later)]).toEqual([1, false]);
  });
});

describe('exchanged tokens', () => {
  test.each(['subject', 'session', 'grant', 'client', 'jti'] as const)(
    'The feed revokes an exchanged token whose subject token loses its %s.',
    async (kind) => {
      const held = await holding();
      const { client, clientSecret = '' } = await register(auth, {
        grant_types: ['client_credentials', exchangeGrant],
        redirect_uris: [],
        scope: 'openid profile email offline_access',
        token_exchange_subject_clients: [held.clientId],
        resources: [orders],
      });
      const { body } = await auth.post(
        '/t/demo/token',
        {
          grant_type: exchangeGrant,
          subject_token: held.token,
          subject_token_type: accessTokenType,
          resource: orders,
        },
        { basic: [client.clientId, clientSecret] },
      );
      const token = String(body.access_token);
      expect(claimsOf(token)).toMatchObject({ aud: orders, derived_from: [{ client_id: held.clientId }] });
      await ends[kind](held);
      await revokedFor(token);
    },
  );
});

test('The end of the ownership of connectors is in no public feed.', async () => {
  const follower = new Follower({ by: api });
  await follower.follow();
  const { generation } = await auth.deps.revocationLogs.use('demo', async (log) => log);
  const entry = {
    tenant: 'demo',
    kind: 'owner',
    key: 'somebody',
    epoch: 1,
    expiresAt: revocationExpiry(600),
  } as const;
  const appended = await auth.database.transaction((tx) => auth.deps.revocations.append(tx, [entry]));
  await auth.deps.revocations.publish(appended);
  await auth.deps.revocationLogs.use('demo', (log) => log.read());
  expect((await auth.deps.revocationLogs.use('demo', async (log) => log)).generation).toBe(generation);
  expect(await follower.follow()).toEqual([]);
});

test('Each kind of revocation is tested here, and that of a tenant revokes all its tokens.', async () => {
  expect([...Object.keys(ends), 'owner'].sort()).toEqual([...revocationKinds].sort());
  const by = await resourceServer({}, 'rival');
  const held = await holding(ofOrders, { tenant: 'rival' });
  await ends.tenant(held);
  const { entries } = await revokedFor(held.token, by, 'rival');
  expect(entries.at(-1)).toEqual({ kind: 'tenant', expires_at: expect.any(Number) });
});
