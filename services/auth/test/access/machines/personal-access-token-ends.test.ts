import { describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import {
  admin,
  ask,
  codesOf,
  listOf,
  personal,
  rivalAdmin,
  service,
  setUpApiTokens,
  signedIn,
} from '../../support/sign-in/api-tokens.ts';
import {
  redeem,
  selfService,
  signInAndAllow,
  tenant,
  userinfoStatus,
} from '../../support/sign-in/service.ts';

setUpApiTokens();

const revoke = `mutation ($id: ID!) { revokePersonalAccessToken(input: { id: $id }) { id user { id } } }`;

describe('the end of a personal access token', () => {
  test.each([
    ['disabled', (id: string) => service.deps.clientRegistry.disable(tenant, id)],
    ['deleted', (id: string) => service.deps.clientRegistry.delete(tenant, id)],
  ])(
    'A personal access token ends, cached or not, when its app is %s, and one made by the user remains.',
    async (how, end) => {
      const owner = await service.person(`owner-${how}`);
      const maker = await service.client({ require_consent: false, scope: `openid profile ${selfService}` });
      const { body } = await redeem(
        service,
        maker,
        await signInAndAllow(service.browser(), maker, `owner-${how}`, {
          scope: `openid profile ${selfService}`,
        }),
      );
      const { token: secret } = await personal(body.access_token ?? '');
      const subject = await service.deps.subjects.find(tenant, owner.id);
      if (!subject) throw new Error('no such person');
      const own = await service.deps.apiTokens.createPersonal(tenant, subject, { name: 'own' });
      const seen = async (text: string) => codesOf(await ask('{ __typename }', {}, text));
      expect([await seen(secret), await seen(own.token)]).toEqual([undefined, undefined]);
      await end(maker.clientId);
      expect([await seen(secret), await seen(own.token)]).toEqual([['UNAUTHENTICATED'], undefined]);
      expect([await userinfoStatus(service, secret), await userinfoStatus(service, own.token)]).toEqual([
        401, 200,
      ]);
    },
  );

  test('A personal access token ends when its owner or an administrator revokes it; other callers do not find it.', async () => {
    const { person, accessToken } = await signedIn('laura');
    const { accessToken: stranger } = await signedIn('mike');
    const [first, second] = [await personal(accessToken), await personal(accessToken)];
    for (const by of [stranger, rivalAdmin]) {
      expect(codesOf(await ask(revoke, { id: first.id }, by))).toEqual(['NOT_FOUND']);
    }
    for (const id of ['nonsense', crypto.randomUUID(), person.id]) {
      expect(codesOf(await ask(revoke, { id }, accessToken))).toEqual(['NOT_FOUND']);
    }
    expect(await userinfoStatus(service, first.token)).toBe(200);
    expect((await ask(revoke, { id: first.id }, accessToken)).data.revokePersonalAccessToken).toEqual({
      id: first.id,
      user: { id: person.id },
    });
    expect(await userinfoStatus(service, first.token)).toBe(401);
    expect(codesOf(await ask('{ __typename }', {}, first.token))).toEqual(['UNAUTHENTICATED']);
    expect(codesOf(await ask(revoke, { id: first.id }, accessToken))).toEqual(['NOT_FOUND']);
    expect(await userinfoStatus(service, second.token)).toBe(200);
    expect((await ask(revoke, { id: second.id }, admin)).errors).toBeUndefined();
    expect(await userinfoStatus(service, second.token)).toBe(401);
    expect(await listOf(person.id, accessToken)).toEqual([]);
  });

  describe('with its grant', () => {
    const grantOf = async (personId: string): Promise<string> => {
      const [grant] = await service.deps.grants.listBySubjects(tenant, [personId]);
      if (!grant) throw new Error('no grant');
      return grant.id;
    };
    const seen = async (secret: string) => codesOf(await ask('{ __typename }', {}, secret));

    test('A personal access token ends, cached or not, when its grant is revoked, and others remain.', async () => {
      const { person, accessToken } = await signedIn('sybil');
      const made = await personal(accessToken);
      const granted = await grantOf(person.id);
      const { accessToken: another } = await signedIn('sybil');
      const other = await personal(another);
      expect(await seen(made.token)).toBeUndefined();
      const ended = await ask(
        `mutation ($id: ID!) { revokeGrant(input: { id: $id }) { grantId } }`,
        { id: granted },
        admin,
      );
      expect(ended.errors).toBeUndefined();
      expect(await seen(made.token)).toEqual(['UNAUTHENTICATED']);
      expect(await userinfoStatus(service, made.token)).toBe(401);
      expect(await seen(other.token)).toBeUndefined();
      expect((await listOf(person.id, admin)).map(({ id }: { id: string }) => id)).toEqual([other.id]);
    });

    test('A personal access token ends when its grant ends with the session, unless the grant is for offline use.', async () => {
      const { person, accessToken } = await signedIn('trent');
      const bound = await personal(accessToken);
      const { accessToken: offline } = await signedIn('trent', {
        scope: `openid offline_access ${selfService}`,
      });
      const kept = await personal(offline);
      expect(await seen(bound.token)).toBeUndefined();
      const { rows } = await service.deps.database.sql.query<{ id: string }>(
        'SELECT id FROM auth.sessions WHERE tenant = $1 AND subject_id = $2 AND revoked_at IS NULL',
        [tenant, person.id],
      );
      for (const { id } of rows) await service.deps.sessions.signOut(tenant, id);
      expect(await seen(bound.token)).toEqual(['UNAUTHENTICATED']);
      expect(await userinfoStatus(service, kept.token)).toBe(200);
    });

    test('A personal access token expires when its grant expires.', async () => {
      const { person, accessToken } = await signedIn('ursula');
      const made = await personal(accessToken, {
        expiresAt: new Date(Date.now() + 365 * 86_400_000).toISOString(),
      });
      const [grant] = await service.deps.grants.listBySubjects(tenant, [person.id]);
      const [listed] = await service.deps.apiTokens.listPersonal(tenant, [person.id]);
      expect([listed?.id, listed?.expiresAt]).toEqual([made.id, grant?.expiresAt]);
    });

    test('A personal access token ends with its grant even when its creation and the revocation coincide.', async () => {
      const { person } = await signedIn('victor');
      const subject = await service.deps.subjects.find(tenant, person.id);
      const grantId = await grantOf(person.id);
      if (!subject) throw new Error('no subject');
      const make = () =>
        service.deps.apiTokens.createPersonal(tenant, subject, { name: 'race' }, { grantId });
      const made = await Promise.allSettled([
        ...Array.from({ length: 10 }, make),
        ask(`mutation ($id: ID!) { revokeGrant(input: { id: $id }) { grantId } }`, { id: grantId }, admin),
        ...Array.from({ length: 10 }, make),
      ]);
      for (const outcome of made) {
        if (outcome.status === 'fulfilled' && 'token' in outcome.value)
          expect(await userinfoStatus(service, outcome.value.token)).toBe(401);
      }
      expect(await listOf(person.id, admin)).toEqual([]);
    });
  });

  test('A personal access token ends when its owner is offboarded and stays invalid when the owner is reactivated.', async () => {
    const { person, accessToken } = await signedIn('nina');
    const { token: secret } = await personal(accessToken);
    const seen = async () => codesOf(await ask('{ __typename }', {}, secret));
    expect(await seen()).toBeUndefined();
    await service.directory.change(tenant, person.id, 'user.deactivated');
    await eventually(async () => (await seen())?.[0] === 'UNAUTHENTICATED');
    expect(await userinfoStatus(service, secret)).toBe(401);
    await service.directory.change(tenant, person.id, 'user.reactivated');
    await eventually(async () => (await service.deps.subjects.find(tenant, person.id))?.active === true);
    expect(await userinfoStatus(service, secret)).toBe(401);
    expect(await listOf(person.id, admin)).toEqual([]);
  });

  test('A personal access token ends when its owner is deleted, and its record is deleted too.', async () => {
    const { person, accessToken } = await signedIn('oscar');
    const made = await personal(accessToken);
    await service.directory.change(tenant, person.id, 'user.deleted');
    await eventually(async () => (await userinfoStatus(service, made.token)) === 401);
    const { rowCount } = await service.deps.database.sql.query(
      'SELECT 1 FROM auth.api_tokens WHERE tenant = $1 AND id = $2',
      [tenant, made.id],
    );
    expect(rowCount).toBe(0);
  });

  test('A personal access token ends when its owner signs out everywhere or loses a role.', async () => {
    const { person, accessToken } = await signedIn('peggy');
    const { token: first } = await personal(accessToken);
    await service.deps.subjects.signOutEverywhere(tenant, person.id);
    expect(await userinfoStatus(service, first)).toBe(401);

    const { person: boss, accessToken: theirs } = await signedIn('quinn', { admin: true });
    const { token: second } = await personal(theirs);
    await service.deps.subjects.removeRole(tenant, boss.id, 'tenant_admin');
    expect(await userinfoStatus(service, second)).toBe(401);
  });

  test('A request that is overtaken by an offboarding creates no valid personal access token.', async () => {
    const { person } = await signedIn('rita');
    const subject = await service.deps.subjects.find(tenant, person.id);
    if (!subject) throw new Error('no subject');
    // Creations and a sign-out at the same time: every token created before the sign-out is invalid after it.
    const made = await Promise.allSettled([
      ...Array.from({ length: 10 }, () =>
        service.deps.apiTokens.createPersonal(tenant, subject, { name: 'race' }),
      ),
      service.deps.subjects.signOutEverywhere(tenant, person.id),
      ...Array.from({ length: 10 }, () =>
        service.deps.apiTokens.createPersonal(tenant, subject, { name: 'race' }),
      ),
    ]);
    for (const outcome of made) {
      if (outcome.status === 'fulfilled' && typeof outcome.value === 'object') {
        expect(await userinfoStatus(service, outcome.value.token)).toBe(401);
      }
    }
    expect(await service.deps.apiTokens.listPersonal(tenant, [person.id])).toEqual([]);
  });
});

describe('retention', () => {
  test('A personal access token that ended a month ago is deleted, and no other is.', async () => {
    const { person, accessToken } = await signedIn('zoe');
    const ids = [];
    for (let round = 0; round < 4; round += 1) ids.push((await personal(accessToken)).id);
    const { sql } = service.deps.database;
    const age = (column: string, id: string | undefined, days: number) =>
      sql.query(`UPDATE auth.api_tokens SET ${column} = now() - $2 * interval '1 day' WHERE id = $1`, [
        id,
        days,
      ]);
    await age('expires_at', ids[0], 31);
    await age('revoked_at', ids[1], 31);
    await age('expires_at', ids[2], 29);
    const { pruneApiTokens } = await import('../../../src/access/machines/data/api-tokens.ts');
    expect(await pruneApiTokens(sql, 1_000)).toBe(2);
    const { rows } = await sql.query<{ id: string }>(
      'SELECT id FROM auth.api_tokens WHERE subject_id = $1 ORDER BY id',
      [person.id],
    );
    expect(rows.map((row) => row.id)).toEqual(ids.slice(2));
  });
});
