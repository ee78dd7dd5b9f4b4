import { describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import fc from 'fast-check';
import { decideOffboarding } from '../../../src/lifecycle/offboarding/domain/decision.ts';
import type { SubjectState } from '../../../src/tenancy/users/domain/subject-store.ts';
import type { UserChange } from '../../../src/tenancy/users/domain/user-change.ts';
import { epochOf, isHandled, numbered, scope, signedIn } from '../../support/sign-in/departing.ts';
import { client, service, setUpOneClient } from '../../support/sign-in/one-client.ts';
import {
  authorizeUrl,
  redeem,
  rival,
  signIn,
  signInAndAllow,
  tenant,
  token,
  userinfoStatus,
} from '../../support/sign-in/service.ts';

setUpOneClient();

const versionOf = async (id: string): Promise<number> =>
  Number((await service.deps.subjects.find(tenant, id))?.version ?? -1);

describe('deactivation of a user', () => {
  test('After a deactivation, session, refresh token, access token and sign-in are rejected within moments.', async () => {
    const { person, browser, tokens } = await signedIn('alice');
    const pending = (await browser.get(authorizeUrl(client))).location ?? '';
    expect(await userinfoStatus(service, tokens.access_token ?? '')).toBe(200);

    await service.directory.change(tenant, person.id, 'user.deactivated');
    await eventually(async () => (await userinfoStatus(service, tokens.access_token ?? '')) === 401);

    const refreshed = await token(service, client, {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token ?? '',
    });
    expect([refreshed.status, refreshed.body.error]).toEqual([400, 'invalid_grant']);
    expect((await redeem(service, client, new URL(pending))).body.error).toBe('invalid_grant');
    const silent = await browser.get(authorizeUrl(client, { prompt: 'none' }));
    expect(new URL(silent.location ?? '').searchParams.get('error')).toBe('login_required');
    expect((await signIn(service.browser(), client, 'alice')).status).toBe(401);
  });

  test('A reactivation restores nothing that was issued before, and the user can sign in again.', async () => {
    const { person, browser, tokens } = await signedIn('bob');
    await service.directory.change(tenant, person.id, 'user.deactivated');
    await service.directory.change(tenant, person.id, 'user.reactivated');
    await eventually(async () => (await versionOf(person.id)) === 3);
    await eventually(async () => (await epochOf(person.id)) === 1);
    expect(await userinfoStatus(service, tokens.access_token ?? '')).toBe(401);
    const silent = await browser.get(authorizeUrl(client, { prompt: 'none' }));
    expect(new URL(silent.location ?? '').searchParams.get('error')).toBe('login_required');
    const again = await redeem(service, client, await signInAndAllow(service.browser(), client, 'bob'));
    expect(await userinfoStatus(service, again.body.access_token ?? '')).toBe(200);
  });

  test('A deletion ends the same access, and leaves no name, password or consent behind.', async () => {
    const { person, tokens } = await signedIn('carol');
    await service.directory.change(tenant, person.id, 'user.deleted');
    await eventually(async () => (await userinfoStatus(service, tokens.access_token ?? '')) === 401);
    await eventually(async () => (await epochOf(person.id)) === 1);
    const { rows } = await service.deps.database.sql.query<{ user_name: string; profile: object }>(
      'SELECT user_name, profile FROM auth.subjects WHERE id = $1',
      [person.id],
    );
    expect(rows).toEqual([{ user_name: '', profile: { userName: '', emails: [] } }]);
    expect(await service.deps.subjects.find(tenant, person.id)).toBeNull();
  });

  test('An offboarding affects no other user, not even one with the same name in another tenant.', async () => {
    const { person } = await signedIn('dave');
    const { tokens: bystander } = await signedIn('erin');
    const theirs = await service.client({ require_consent: false }, rival);
    await service.person('dave', { tenant: rival });
    const { body: namesake } = await redeem(
      service,
      theirs,
      await signInAndAllow(service.browser(), theirs, 'dave'),
    );
    await service.directory.change(tenant, person.id, 'user.deactivated');
    await eventually(async () => (await epochOf(person.id)) === 1);
    expect(await userinfoStatus(service, bystander.access_token ?? '')).toBe(200);
    expect(await userinfoStatus(service, namesake.access_token ?? '', rival)).toBe(200);
  });
});

describe('order of events', () => {
  test('An older event never overwrites a newer state.', async () => {
    const { person } = await signedIn('frank');
    const renamed = numbered(
      service.directory.changed(tenant, person.id, 'user.updated', { displayName: 'Old' }),
    );
    const gone = numbered(
      service.directory.changed(tenant, person.id, 'user.deactivated', { displayName: 'New' }),
    );
    await service.directory.send([gone]);
    await eventually(() => isHandled([gone]));
    await service.directory.send([renamed]);
    await eventually(() => isHandled([renamed]));
    const subject = await service.deps.subjects.find(tenant, person.id);
    expect(subject).toMatchObject({ active: false, epoch: 1, profile: { displayName: 'New' } });
  });

  test('A reactivation before its deactivation revokes earlier access; the late event revokes nothing new.', async () => {
    const { person, tokens } = await signedIn('grace');
    const gone = numbered(service.directory.changed(tenant, person.id, 'user.deactivated'));
    const back = numbered(service.directory.changed(tenant, person.id, 'user.reactivated'));
    await service.directory.send([back]);
    await eventually(() => isHandled([back]));
    expect(await userinfoStatus(service, tokens.access_token ?? '')).toBe(401);
    const fresh = await redeem(service, client, await signInAndAllow(service.browser(), client, 'grace'));
    await service.directory.send([gone]);
    await eventually(() => isHandled([gone]));
    expect(await userinfoStatus(service, fresh.body.access_token ?? '')).toBe(200);
    expect(await service.deps.subjects.find(tenant, person.id)).toMatchObject({ active: true, epoch: 1 });
  });

  test('A deactivation that arrives after a newer snapshot still revokes earlier access.', async () => {
    const { person, tokens } = await signedIn('heidi');
    const gone = numbered(service.directory.changed(tenant, person.id, 'user.deactivated'));
    service.directory.changed(tenant, person.id, 'user.reactivated');
    const newest = numbered(service.directory.changed(tenant, person.id, 'user.updated'));
    await service.directory.send([newest]);
    await eventually(() => isHandled([newest]));
    await service.directory.send([gone]);
    await eventually(() => isHandled([gone]));
    expect(await userinfoStatus(service, tokens.access_token ?? '')).toBe(401);
    expect(await service.deps.subjects.find(tenant, person.id)).toMatchObject({ active: true, epoch: 1 });
  });

  test('The same event delivered twice has one effect.', async () => {
    const { person } = await signedIn('ivan');
    const gone = numbered(service.directory.changed(tenant, person.id, 'user.deactivated'));
    await service.directory.send([gone]);
    await eventually(() => isHandled([gone]));
    const redelivered = { ...gone, id: crypto.randomUUID() };
    await service.directory.send([redelivered]);
    await eventually(() => isHandled([redelivered]));
    expect(await epochOf(person.id)).toBe(1);
  });

  test('In every order of events the final state is correct, and nothing issued before an offboarding survives.', () => {
    interface Life {
      changes: UserChange[];
      order: number[];
    }
    const profile = { userName: 'x', emails: [] };
    const lives: fc.Arbitrary<Life> = fc
      .array(fc.constantFrom('update', 'leave', 'return', 'delete'), { minLength: 1, maxLength: 8 })
      .chain((steps) => {
        let active = true;
        let deleted = false;
        const changes = steps.map((step, index): UserChange => {
          // Only a restoration or the final deletion follows a deletion.
          const reactivated = (step === 'return' && !active) || (step === 'update' && deleted);
          deleted = step === 'delete' || (deleted && step === 'leave');
          active = !deleted && (step === 'leave' ? false : reactivated || active);
          const restorable = step === 'delete';
          return { id: 'x', version: BigInt(index + 2), active, deleted, restorable, reactivated, profile };
        });
        return fc.record({
          changes: fc.constant(changes),
          order: fc.shuffledSubarray([...changes.keys()], { minLength: changes.length }),
        });
      });
    fc.assert(
      fc.property(lives, ({ changes, order }) => {
        // A grant was issued at version 1, while the user was active.
        let state: SubjectState = {
          active: true,
          deleted: false,
          version: 1n,
          departedVersion: 0n,
          reportedVersion: 0n,
          epoch: 0,
        };
        for (const index of order) {
          const item = changes[index] as UserChange;
          const { store, revoke, departedVersion } = decideOffboarding(state, item);
          state = {
            ...(store
              ? { ...state, active: item.active, deleted: item.deleted, version: item.version }
              : state),
            departedVersion,
            epoch: state.epoch + (revoke ? 1 : 0),
          };
        }
        const last = changes.at(-1) as UserChange;
        const everLeft = changes.some((item) => !item.active);
        expect(state.version).toBe(last.version);
        expect(state.active).toBe(last.active);
        expect(state.deleted).toBe(last.deleted);
        expect(state.epoch > 0).toBe(everLeft);
      }),
      { numRuns: 500 },
    );
  });
});

describe('sign-in during an offboarding', () => {
  test('A sign-in concurrent with an offboarding leaves no live session or token, in any interleaving.', async () => {
    for (let round = 0; round < 8; round += 1) {
      const person = await service.person(`racer-${round}`);
      await signIn(service.browser(), client, person.userName);
      const logins = Array.from({ length: 6 }, async () => {
        const browser = service.browser();
        const answer = await signIn(browser, client, person.userName, { fields: { scope } });
        if (!answer.location?.includes('code=')) return undefined;
        return (await redeem(service, client, new URL(answer.location))).body.access_token;
      });
      await new Promise((resolve) => setTimeout(resolve, round * 6));
      await service.directory.change(tenant, person.id, 'user.deactivated');
      const tokens = await Promise.all(logins);
      await eventually(async () => (await epochOf(person.id)) === 1);
      const { rows } = await service.deps.database.sql.query<{ live: number }>(
        `SELECT (SELECT count(*) FROM auth.sessions WHERE subject_id = $1 AND revoked_at IS NULL)::int
              + (SELECT count(*) FROM auth.grants WHERE subject_id = $1 AND revoked_at IS NULL)::int AS live`,
        [person.id],
      );
      expect(rows[0]?.live).toBe(0);
      for (const accessToken of tokens) {
        if (accessToken) expect(await userinfoStatus(service, accessToken)).toBe(401);
      }
    }
  });
});
