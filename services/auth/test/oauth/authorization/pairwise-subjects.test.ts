import { describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { Client } from '../../../src/clients/domain/client.ts';
import {
  alice,
  ask,
  bob,
  claimsOf,
  client,
  errorOf,
  outcome,
  service,
  setUpRelyingParty,
  signedIn,
  userinfo,
} from '../../support/sign-in/relying-party.ts';
import { callback, rival, signIn, tenant, token, verifier } from '../../support/sign-in/service.ts';

setUpRelyingParty();

describe('pairwise subjects', () => {
  const scope = 'openid profile email offline_access';
  const pairwise = (metadata: object = {}, of = tenant) =>
    service.client({ subject_type: 'pairwise', require_consent: false, scope, ...metadata }, of);

  test('A client knows a user by the same pairwise identifier in every token, and never by the internal id.', async () => {
    const own = await pairwise();
    const { sub, tokens } = await claimsOf(outcome(await ask(await signedIn(), { scope }, own)), own);
    expect(sub).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const accessToken = decodeJwt(String(tokens.access_token));
    expect(accessToken.sub).toBe(sub);
    expect(JSON.stringify(accessToken)).not.toContain(alice.id);
    expect(await userinfo(String(tokens.access_token))).toMatchObject({
      status: 200,
      sub,
      preferred_username: 'alice',
    });
    const refreshed = await token(service, own, {
      grant_type: 'refresh_token',
      refresh_token: String(tokens.refresh_token),
    });
    expect(decodeJwt(String(refreshed.body.id_token)).sub).toBe(sub);
  });

  test('Clients of one host share pairwise identifiers, and clients of different hosts do not.', async () => {
    await service.person('alice', { tenant: rival });
    const subOf = async (of: Client, fields: Record<string, string> = {}): Promise<unknown> =>
      (await claimsOf(outcome(await ask(await signedIn(), fields, of)), of)).sub;
    const one = await subOf(await pairwise());
    const elsewhere = 'https://elsewhere.example/callback';
    const foreign = await pairwise({ redirect_uris: [elsewhere] });
    expect(await subOf(await pairwise())).toBe(one);
    const answer = outcome(await ask(await signedIn(), { redirect_uri: elsewhere }, foreign));
    const { body } = await token(service, foreign, {
      grant_type: 'authorization_code',
      code: answer.searchParams.get('code') ?? '',
      redirect_uri: elsewhere,
      code_verifier: verifier,
    });
    expect(decodeJwt(String(body.id_token)).sub).not.toBe(one);
  });

  test('Clients that cooperate cannot infer from the sid that they serve the same user.', async () => {
    const browser = await signedIn();
    const sidsOf = async (of: Awaited<ReturnType<typeof pairwise>>): Promise<unknown[]> => {
      const { tokens } = await claimsOf(outcome(await ask(browser, { scope }, of)), of);
      return [tokens.id_token, tokens.access_token].map((jwt) => decodeJwt(String(jwt)).sid);
    };
    const [own, other, open] = await Promise.all([
      pairwise(),
      pairwise(),
      service.client({ require_consent: false, scope }),
    ]);
    const [sids, again, others, id] = [
      await sidsOf(own),
      await sidsOf(own),
      await sidsOf(other),
      await sidsOf(open),
    ];
    // A client gets the same sid of a session in every token.
    expect(new Set([...sids, ...again]).size).toBe(1);
    expect(new Set([sids[0], others[0], id[0]]).size).toBe(3);
    expect(sids[0]).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(id[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('The ID token of a pairwise client identifies its session to the issuer only, and ends it without a question.', async () => {
    const own = await pairwise();
    const browser = await signedIn();
    const { tokens } = await claimsOf(outcome(await ask(browser, {}, own)), own);
    const logout = (by: typeof browser) =>
      by.get(`/t/${tenant}/logout?id_token_hint=${String(tokens.id_token)}`);
    // The hint identifies another session of the user, so the page asks for confirmation.
    expect((await logout(await signedIn())).status).toBe(200);
    expect((await logout(browser)).status).toBe(303);
    expect(await userinfo(String(tokens.access_token))).toMatchObject({ status: 401 });
  });

  test('Introspection returns the same sid as the token.', async () => {
    const own = await pairwise({ token_endpoint_auth_method: 'client_secret_post' });
    const credentials = { client_id: own.clientId, client_secret: own.secret ?? '' };
    const { body } = await token(service, own, {
      ...credentials,
      grant_type: 'authorization_code',
      code: outcome(await ask(await signedIn(), { scope }, own)).searchParams.get('code') ?? '',
      redirect_uri: callback,
      code_verifier: verifier,
    });
    const response = await fetch(`${service.origin}/t/${tenant}/introspect`, {
      method: 'POST',
      body: new URLSearchParams({ ...credentials, token: String(body.access_token) }),
    });
    const { active, sid, presented_sid: internal } = (await response.json()) as Record<string, unknown>;
    expect([active, sid, internal]).toEqual([true, decodeJwt(String(body.access_token)).sid, undefined]);
  });

  test('The tokens of a pairwise client are accepted at userinfo and at no other internal API.', async () => {
    const own = await pairwise();
    const { tokens } = await claimsOf(outcome(await ask(await signedIn(), {}, own)), own);
    expect(decodeJwt(String(tokens.access_token)).aud).toBe(`http://localhost:4000/t/${tenant}/userinfo`);
    const graph = await fetch(`${service.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens.access_token}` },
      body: JSON.stringify({ query: 'mutation { revokeAllSessions { user { id } } }' }),
    });
    expect(JSON.stringify(await graph.json())).toMatch(/UNAUTHENTICATED|invalid_token/);
  });

  test('Introspection returns no user name to a pairwise client, for an access token or a refresh token.', async () => {
    const server = { token_endpoint_auth_method: 'client_secret_post' };
    const names = async (of: Awaited<ReturnType<typeof pairwise>>): Promise<unknown[]> => {
      const credentials = { client_id: of.clientId, client_secret: of.secret ?? '' };
      const { body } = await token(service, of, {
        ...credentials,
        grant_type: 'authorization_code',
        code: outcome(await ask(await signedIn(), { scope }, of)).searchParams.get('code') ?? '',
        redirect_uri: callback,
        code_verifier: verifier,
      });
      return Promise.all(
        [body.access_token, body.refresh_token].map(async (one) => {
          const response = await fetch(`${service.origin}/t/${tenant}/introspect`, {
            method: 'POST',
            body: new URLSearchParams({ ...credentials, token: String(one) }),
          });
          const { active, username } = (await response.json()) as { active: boolean; username?: string };
          return active && (username ?? 'nobody');
        }),
      );
    };
    expect(await names(await pairwise(server))).toEqual(['nobody', 'nobody']);
    const open = await service.client({ ...server, require_consent: false, scope });
    expect(await names(open)).toEqual(['alice', 'alice']);
  });

  test('The tokens of a pairwise client end with the sessions of the user.', async () => {
    const own = await pairwise();
    const eve = await service.person('eve');
    await signIn(service.browser(), client, 'eve');
    const browser = await signedIn({ person: eve });
    const { tokens } = await claimsOf(outcome(await ask(browser, {}, own)), own);
    expect(await userinfo(String(tokens.access_token))).toMatchObject({ status: 200 });
    await service.deps.subjects.signOutEverywhere(tenant, eve.id);
    expect(await userinfo(String(tokens.access_token))).toMatchObject({ status: 401 });
  });

  test('An ID token of a pairwise client is a valid hint for its own user and is rejected for another user.', async () => {
    const own = await pairwise();
    const { tokens } = await claimsOf(outcome(await ask(await signedIn(), {}, own)), own);
    const hint = { id_token_hint: String(tokens.id_token), prompt: 'none' };
    expect(errorOf(await ask(await signedIn(), hint, own))).toBeNull();
    expect(errorOf(await ask(await signedIn({ person: bob }), hint, own))).toBe('login_required');
  });

  test.each([
    ['two hosts', { redirect_uris: [callback, 'https://other.example/callback'] }],
    ['scopes of the API', { scope: 'openid users:read' }],
    ['another subject type', { subject_type: 'anonymous' }],
  ])('A registration with %s is rejected.', async (_what, metadata) => {
    await expect(pairwise(metadata)).rejects.toMatchObject({ code: 'invalid_client_metadata' });
  });
});
