import { describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { decodeJwt } from 'jose';
import { rival, tenant, userinfoStatus } from '../../support/sign-in/service.ts';
import {
  deliveries,
  type RelyingParty,
  refreshes,
  relyingParty,
  service,
  setUpLogout,
  signInTo,
  signOut,
} from './logged-in.ts';

setUpLogout();

const notified = ({ receiver }: RelyingParty, times = 1) =>
  eventually(async () => receiver.tokens.length >= times);

describe('the sign-out of a user', () => {
  test('A user who signs out is signed out at every client of the session by a verifiable token, and at no other client.', async () => {
    const first = await relyingParty();
    const second = await relyingParty({ id_token_signed_response_alg: 'ES256' });
    const elsewhere = await relyingParty();
    const silent = await service.client({ require_consent: false });
    await service.person('alice');
    const there = await signInTo(first, 'alice');
    await signInTo(second, 'alice', { browser: there.browser });
    await signInTo({ client: silent }, 'alice', { browser: there.browser });
    const other = await signInTo(elsewhere, 'alice');
    await signOut(there.browser, there.idToken);
    await Promise.all([notified(first), notified(second)]);
    for (const { receiver, client } of [first, second]) {
      expect(receiver.refused).toEqual([]);
      expect(receiver.tokens).toEqual([
        {
          iss: service.deps.issuer(tenant),
          aud: client.clientId,
          sub: there.sub,
          sid: there.sid,
          iat: expect.any(Number),
          exp: expect.any(Number),
          jti: (await deliveries(client.clientId))[0]?.id,
          events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        },
      ]);
      const { iat = 0, exp = 0 } = receiver.tokens[0] ?? {};
      expect(exp - iat).toBeLessThanOrEqual(120);
    }
    expect(await userinfoStatus(service, other.accessToken)).toBe(200);
    expect([elsewhere.receiver.raw, await deliveries(silent.clientId)]).toEqual([[], []]);
  });

  test('Pairwise clients are notified of a sign-out with the session id that each of them knows.', async () => {
    const [first, second] = [
      await relyingParty({ subject_type: 'pairwise', scope: 'openid profile' }),
      await relyingParty({ subject_type: 'pairwise', scope: 'openid profile' }),
    ];
    await service.person('paired');
    const there = await signInTo(first, 'paired');
    const also = await signInTo(second, 'paired', { browser: there.browser });
    expect(also.sid).not.toBe(there.sid);
    await signOut(there.browser, there.idToken);
    await Promise.all([notified(first), notified(second)]);
    expect(first.receiver.tokens).toMatchObject([{ sid: there.sid, sub: there.sub }]);
    expect(second.receiver.tokens).toMatchObject([{ sid: also.sid, sub: also.sub }]);
  });

  test('A sign-out keeps offline grants, whose client is also notified, and ends all other refresh tokens.', async () => {
    const app = await relyingParty();
    const offline = await relyingParty();
    await service.person('offline');
    const online = await signInTo(app, 'offline');
    const kept = await signInTo(offline, 'offline', {
      browser: online.browser,
      scope: 'openid offline_access',
    });
    await signOut(online.browser, online.idToken);
    await Promise.all([notified(app), notified(offline)]);
    expect(offline.receiver.tokens).toMatchObject([{ sid: kept.sid }]);
    expect([await refreshes(app, online.refreshToken), await refreshes(offline, kept.refreshToken)]).toEqual([
      false,
      true,
    ]);
  });

  test('A user who signs out is signed out at a client whose grant ended before the session did.', async () => {
    const app = await relyingParty();
    const { id } = await service.person('withdrawn');
    const there = await signInTo(app, 'withdrawn');
    await service.deps.account.withdraw(tenant, id, app.client.clientId);
    await service.deps.database.sql.query('DELETE FROM auth.grants WHERE subject_id = $1', [id]);
    await signOut(there.browser, there.idToken);
    await notified(app);
    expect(app.receiver.tokens).toMatchObject([{ sid: there.sid }]);
  });

  test('Each pairwise client is notified of a sign-out with its own subject identifier.', async () => {
    const public_ = await relyingParty({ scope: 'openid' });
    const one = await relyingParty({ scope: 'openid', subject_type: 'pairwise' });
    const other = await relyingParty({
      scope: 'openid',
      subject_type: 'pairwise',
      redirect_uris: ['https://app.example/callback', 'https://app.example/other'],
    });
    await service.person('pairwise');
    const there = await signInTo(one, 'pairwise', { scope: 'openid' });
    await signInTo(other, 'pairwise', { browser: there.browser, scope: 'openid' });
    const known = await signInTo(public_, 'pairwise', { browser: there.browser, scope: 'openid' });
    await signOut(there.browser, there.idToken);
    await Promise.all([notified(one), notified(other), notified(public_)]);
    expect(one.receiver.tokens[0]?.sub).toBe(there.sub);
    expect(other.receiver.tokens[0]?.sub).toBe(there.sub);
    expect(public_.receiver.tokens[0]?.sub).toBe(known.sub);
    expect(known.sub).not.toBe(there.sub);
    expect(JSON.stringify(one.receiver.tokens)).not.toContain(known.sub);
  });

  test('Neither the sign-out nor the other clients wait for a client that hangs.', async () => {
    const hanging = await relyingParty();
    hanging.receiver.answerBy(() => undefined);
    const app = await relyingParty();
    await service.person('patient');
    const there = await signInTo(hanging, 'patient');
    await signInTo(app, 'patient', { browser: there.browser });
    const { location } = await signOut(there.browser, there.idToken);
    expect(location).toBe(`/t/${tenant}/signed-out`);
    await notified(app);
    // The request to the hanging client has not timed out: a timeout would be recorded as an error.
    expect(await deliveries(hanging.client.clientId)).toMatchObject([{ state: 'pending', error: null }]);
  });

  test('A sign-out by many concurrent requests is notified once.', async () => {
    const app = await relyingParty();
    await service.person('often');
    const there = await signInTo(app, 'often');
    await Promise.all(Array.from({ length: 12 }, () => signOut(there.browser.clone(), there.idToken)));
    await notified(app);
    expect(await deliveries(app.client.clientId)).toHaveLength(1);
  });
});

describe('a client', () => {
  test('A client that fails is notified again, with the same jti and a new token; 204 is accepted as a response.', async () => {
    const app = await relyingParty();
    let answered = 0;
    app.receiver.answerBy((_, response) => {
      answered += 1;
      response.writeHead([500, 302, 204][answered - 1] ?? 204, { location: '/elsewhere' }).end();
    });
    await service.person('again');
    const there = await signInTo(app, 'again');
    await signOut(there.browser, there.idToken);
    await eventually(async () => (await deliveries(app.client.clientId))[0]?.state === 'delivered');
    expect(app.receiver.raw).toHaveLength(3);
    expect(new Set(app.receiver.claims.map(({ jti }) => jti)).size).toBe(1);
  });

  test('A client that reports its fifth failure is not notified a sixth time.', async () => {
    const app = await relyingParty();
    app.receiver.answerBy((_, response) => void response.writeHead(400).end());
    await service.person('refused');
    const there = await signInTo(app, 'refused');
    await signOut(there.browser, there.idToken);
    await eventually(async () => (await deliveries(app.client.clientId))[0]?.state === 'dead');
    expect(await deliveries(app.client.clientId)).toMatchObject([
      { attempts: 5, error: 'The client returned status 400.' },
    ]);
  });

  test('A client whose logout address was removed before the attempt is not notified.', async () => {
    const app = await relyingParty();
    app.receiver.answerBy(async (_, response) => {
      await service.deps.clientRegistry.update(tenant, app.client.clientId, (current) => {
        const { backchannel_logout_uri: _uri, ...rest } = current;
        return rest;
      });
      response.writeHead(500).end();
    });
    await service.person('turned-away');
    const there = await signInTo(app, 'turned-away');
    await signOut(there.browser, there.idToken);
    await eventually(async () => (await deliveries(app.client.clientId))[0]?.state === 'dead');
    expect(app.receiver.raw).toHaveLength(1);
  });

  test('A client that registers its address only after the sign-in is notified.', async () => {
    const app = await relyingParty({ backchannel_logout_uri: null as never });
    await service.person('early');
    const there = await signInTo(app, 'early');
    await service.deps.clientRegistry.update(tenant, app.client.clientId, (current) => ({
      ...current,
      backchannel_logout_uri: app.receiver.uri,
    }));
    await signOut(there.browser, there.idToken);
    await notified(app);
  });

  test('A disabled client is notified, because its session must end as well.', async () => {
    const app = await relyingParty();
    await service.person('of-disabled');
    const there = await signInTo(app, 'of-disabled');
    await service.deps.clientRegistry.disable(tenant, app.client.clientId);
    await signOut(there.browser, there.idToken);
    await notified(app);
  });

  test('A client of the rival tenant is notified only about users of the rival tenant, by the issuer of that tenant.', async () => {
    const theirs = await relyingParty({}, rival);
    const ours = await relyingParty();
    await service.person('twin');
    await service.person('twin', { tenant: rival });
    const here = await signInTo(ours, 'twin');
    const there = await signInTo(theirs, 'twin');
    await signOut(here.browser, here.idToken);
    await notified(ours);
    expect(theirs.receiver.raw).toEqual([]);
    await signOut(there.browser, there.idToken, rival);
    await notified(theirs);
    expect(theirs.receiver.tokens).toMatchObject([{ iss: service.deps.issuer(rival), sub: there.sub }]);
    expect(ours.receiver.tokens).toHaveLength(1);
  });
});

test('A logout token is rejected as an ID token hint and as an access token.', async () => {
  const app = await relyingParty();
  await service.person('reused');
  const there = await signInTo(app, 'reused');
  const again = await signInTo(app, 'reused');
  await signOut(there.browser, there.idToken);
  await notified(app);
  const [logoutToken = ''] = app.receiver.raw;
  expect(decodeJwt(logoutToken)).not.toHaveProperty('nonce');
  expect((await signOut(again.browser, logoutToken)).text).toContain('Sign out?');
  expect(await userinfoStatus(service, logoutToken)).toBe(401);
});
