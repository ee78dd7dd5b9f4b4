import { describe, expect, test } from '@jest/globals';
import { apiScopes } from '@ostiary/access';
import { eventually } from '@ostiary/service/testing';
import { hiddenFields } from '../../support/sign-in/browser.ts';
import { client, service, setUpOneClient } from '../../support/sign-in/one-client.ts';
import { chosen, invitationPath, invite, linkFor } from '../../support/sign-in/recovering.ts';
import { accountPath, appCode, moved, setUpApp, startTwin } from '../../support/sign-in/second-step.ts';
import {
  authorizeUrl,
  password,
  redeem,
  rival,
  signIn,
  signInAndAllow,
  tenant,
  token,
  userinfoStatus,
} from '../../support/sign-in/service.ts';

setUpOneClient();

describe('reset link of an administrator', () => {
  test('A reset link replaces password and second factor, and revokes every session, grant and token.', async () => {
    const person = await service.person('reset-me');
    const { browser: before, secret } = await (async () => {
      const browser = service.browser();
      return { browser, ...(await setUpApp(service, browser, 'reset-me')) };
    })();
    const made = await service.deps.apiTokens.createPersonal(
      tenant,
      (await service.deps.subjects.find(tenant, person.id)) ?? (undefined as never),
      { name: 'x', scopes: ['openid'] },
    );
    expect((await invite(person.id)).status).toBe(409);
    const link = await linkFor(person.id, { resets: true });
    const halfway = service.browser();
    const second = await signIn(halfway, client, 'reset-me');
    expect(second.url).toContain('/login/verify');

    const browser = service.browser();
    const page = await browser.get(link);
    expect((await before.get(accountPath)).status).toBe(200);
    expect(await userinfoStatus(service, made.token)).toBe(200);
    const done = await browser.submit(page, { password: chosen, repeated: chosen });
    expect([done.status, done.location]).toEqual([303, accountPath]);

    expect(await userinfoStatus(service, made.token)).toBe(401);
    expect((await before.get(accountPath)).location).toContain('/login?i=');
    const verified = await halfway.submit(second, { code: appCode(secret), action: 'continue' });
    expect(verified.location).toContain('/login?i=');
    expect((await signIn(service.browser(), client, 'reset-me')).status).toBe(401);
    expect((await signIn(service.browser(), client, 'reset-me', { password: chosen })).location).toMatch(
      /\?code=/,
    );
    expect((await browser.get(link)).status).toBe(410);
  });

  test('After a reset, an app must ask for consent again.', async () => {
    const asking = await service.client();
    const person = await service.person('reset-allowed');
    const asked = async (secret: string) => {
      const answer = await signIn(service.browser(), asking, person.userName, { password: secret });
      return answer.location === undefined;
    };
    await signInAndAllow(service.browser(), asking, person.userName);
    expect(await asked(password)).toBe(false);
    const browser = service.browser();
    const page = await browser.get(await linkFor(person.id, { resets: true }));
    await browser.submit(page, { password: chosen, repeated: chosen });
    expect(await asked(chosen)).toBe(true);
  });

  test('A reset link counts once when used in parallel across two processes.', async () => {
    const person = await service.person('reset-race');
    const link = await linkFor(person.id, { resets: true });
    const browser = service.browser();
    const page = await browser.get(link);
    const twin = await startTwin(service);
    try {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          (n % 2 === 0 ? browser.clone() : moved(browser, twin.origin)).submit(page, {
            password: `${chosen} ${n}`,
            repeated: `${chosen} ${n}`,
          }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(9).fill(410)]);
    } finally {
      await twin.stop();
    }
  });

  test('A reset with an unacceptable password or credential leaves the existing access unchanged.', async () => {
    const person = await service.person('reset-weak');
    const browser = service.browser();
    const page = await browser.get(await linkFor(person.id, { resets: true }));
    expect((await browser.submit(page, { password: 'short', repeated: 'short' })).status).toBe(400);
    const answer = await browser.post(invitationPath, { ...hiddenFields(page), credential: '{}' });
    expect(answer.status).toBe(400);
    expect((await signIn(service.browser(), client, 'reset-weak')).location).toMatch(/\?code=/);
  });

  test('A reset link ends when its user is offboarded or gets a new role, and with a newer link.', async () => {
    const person = await service.person('reset-ends');
    const first = await linkFor(person.id, { resets: true });
    const next = await linkFor(person.id, { resets: true });
    expect((await service.browser().get(first)).status).toBe(410);
    await service.internal('POST', `/tenants/${tenant}/roles`, { subject: person.id, role: 'tenant_admin' });
    expect((await service.browser().get(next)).status).toBe(410);
    const last = await linkFor(person.id, { resets: true });
    expect((await service.browser().get(last)).status).toBe(200);
    await service.directory.change(tenant, person.id, 'user.deactivated');
    await eventually(async () => (await service.browser().get(last)).status === 410);
    for (const resets of ['true', 1, null]) expect((await invite(person.id, { resets })).status).toBe(400);
  });
});

describe('resetUserAccess in the graph', () => {
  const mutation = 'mutation ($id: ID!) { resetUserAccess(input: { userId: $id }) { url expiresAt } }';

  async function ask(accessToken: string, id: string) {
    const response = await fetch(`${service.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
      body: JSON.stringify({ query: mutation, variables: { id } }),
    });
    const answer = (await response.json()) as {
      data?: { resetUserAccess: { url: string } | null } | null;
      errors?: { extensions: { code: string; maxAge?: number; acrValues?: string[] } }[];
    };
    return {
      url: answer.data?.resetUserAccess?.url,
      errors: answer.errors?.map(({ extensions }) => extensions),
    };
  }

  async function machine(scope: string, of = tenant): Promise<string> {
    const metadata = {
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scope,
    };
    const made = await service.client(metadata, of);
    const form = { grant_type: 'client_credentials', client_secret: made.secret ?? '' };
    return (await token(service, made, form)).body.access_token ?? '';
  }

  test('The reset link works; a caller without the scope, for an administrator or another tenant is rejected.', async () => {
    const person = await service.person('graph-reset');
    expect((await ask(await machine('users:read'), person.id)).errors).toMatchObject([{ code: 'FORBIDDEN' }]);
    expect((await ask(await machine('users:write', rival), person.id)).errors).toMatchObject([
      { code: 'NOT_FOUND' },
    ]);
    const { url = '' } = await ask(await machine('users:write'), person.id);
    const { pathname, search } = new URL(url);
    expect((await service.browser().get(pathname + search)).text).toContain('Reset your access');
    await service.internal('POST', `/tenants/${tenant}/roles`, { subject: person.id, role: 'tenant_admin' });
    expect((await ask(await machine('users:write'), person.id)).errors).toMatchObject([
      { code: 'FORBIDDEN' },
    ]);
    // With roles:write alone, a reset would give access to every other scope of the user.
    expect((await ask(await machine('users:write roles:write'), person.id)).errors).toMatchObject([
      { code: 'FORBIDDEN' },
    ]);
    const all = await machine(Object.keys(apiScopes).join(' '));
    expect((await ask(all, person.id)).url).toContain('?token=');
  });

  test('The mutation requires a recent sign-in of the administrator, with the second factor if one is set up.', async () => {
    const admin = await service.person('graph-admin');
    await service.internal('POST', `/tenants/${tenant}/roles`, { subject: admin.id, role: 'tenant_admin' });
    const person = await service.person('graph-reset-2');
    const console = await service.client({ scope: 'openid users:write roles:write' });
    const scope = 'openid users:write';
    const browser = service.browser();
    const weak = await redeem(
      service,
      console,
      await signInAndAllow(browser, console, 'graph-admin', { scope }),
    );
    expect((await ask(weak.body.access_token ?? '', person.id)).url).toContain('?token=');
    const { secret } = await setUpApp(service, browser, 'graph-admin');
    expect((await ask(weak.body.access_token ?? '', person.id)).errors).toEqual([
      expect.objectContaining({
        code: 'INSUFFICIENT_USER_AUTHENTICATION',
        acrValues: ['urn:ostiary:acr:2fa', 'phr'],
        maxAge: 900,
      }),
    ]);
    const login = await browser.follow(await browser.get(authorizeUrl(console, { scope, prompt: 'login' })));
    const step = await browser.follow(
      await browser.submit(login, { username: 'graph-admin', password, action: 'sign-in' }),
    );
    const end = await browser.follow(
      await browser.submit(step, { code: appCode(secret), action: 'continue' }),
    );
    const strong = await redeem(service, console, new URL(end.location ?? ''));
    expect((await ask(strong.body.access_token ?? '', person.id)).url).toContain('?token=');
  });
});
