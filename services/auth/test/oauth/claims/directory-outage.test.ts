import { describe, expect, test } from '@jest/globals';
import type { Client } from '../../../src/clients/domain/client.ts';
import { appFor, type RoleApi, refreshed, roleApi, rolesIn, tokensFor } from '../../support/api-roles.ts';
import { department, mapping, setAttributes, setClaims } from '../../support/claims/mapped-claims.ts';
import { claimsOf } from '../../support/running-auth.ts';
import { service, setUpRoleGroups } from '../../support/sign-in/role-groups.ts';
import { redeem, signInAndAllow, type TokenAnswer, tenant, token } from '../../support/sign-in/service.ts';

setUpRoleGroups();

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

async function employee(name: string) {
  const person = await service.person(name);
  setAttributes(person, department('Research'));
  return person;
}

async function apiWithDepartment(o: { opaque?: boolean; required?: boolean } = {}): Promise<RoleApi> {
  const api = await roleApi(o);
  await setClaims(api, [mapping('dept', 'user.department', o.required)]);
  return api;
}

async function duringOutage<T>(work: () => Promise<T>): Promise<T> {
  service.directory.available = false;
  try {
    return await work();
  } finally {
    service.directory.available = true;
  }
}

/** Moves every rotation to the past, so that a token that was replaced before is a replay. */
const afterRetryWindow = () =>
  service.deps.database.sql.query(
    `UPDATE auth.refresh_families SET rotated_at = rotated_at - interval '1 hour'`,
  );

const statuses = (answers: readonly TokenAnswer[]): number[] => answers.map(({ status }) => status);

const appWithClaims = (): Promise<Client> =>
  service.client({
    require_consent: false,
    scope: 'openid offline_access',
    claim_mappings: [mapping('dept', 'user.department')],
  });

describe('refresh tokens', () => {
  test.each<[what: string, opaque: boolean, required: boolean]>([
    ['a JWT', false, false],
    ['an opaque token with a required claim', true, true],
  ])(
    'An outage longer than the retry window leaves the refresh token usable: %s.',
    async (what, opaque, required) => {
      const api = await apiWithDepartment({ opaque, required });
      const app = await appFor(api);
      const tokens = await tokensFor(app, await employee(`outage ${what}`), api);
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const answers = await duringOutage(() => Promise.all([1, 2, 3].map(() => refreshed(app, tokens))));
        expect(statuses(answers)).toEqual([503, 503, 503]);
        await afterRetryWindow();
      }
      const { status, body } = await refreshed(app, tokens);
      expect(status).toBe(200);
      expect(await rolesIn(body.access_token)).toEqual([]);
      await afterRetryWindow();
      expect((await refreshed(app, tokens)).body.error).toBe('invalid_grant');
      expect(await rolesIn(body.access_token)).toBeNull();
    },
  );

  test('The claims of the ID token leave the refresh token usable, too.', async () => {
    const app = await appWithClaims();
    const person = await employee('outage of ID tokens');
    const scope = 'openid offline_access';
    const answer = await signInAndAllow(service.browser(), app, person.userName, { scope });
    const tokens = (await redeem(service, app, answer)).body;
    expect((await duringOutage(() => refreshed(app, tokens))).status).toBe(503);
    await afterRetryWindow();
    const { body } = await refreshed(app, tokens);
    expect(claimsOf(body.id_token)).toMatchObject({ dept: 'Research' });
  });

  test('A replay during an outage ends the grant, and a token of another tenant reads no attribute.', async () => {
    const api = await apiWithDepartment();
    const app = await appFor(api);
    const tokens = await tokensFor(app, await employee('replayed'), api);
    const next = (await refreshed(app, tokens)).body;
    await afterRetryWindow();
    const before = service.directory.asked.length;
    expect((await duringOutage(() => refreshed(app, tokens))).body.error).toBe('invalid_grant');
    expect(await rolesIn(next.access_token)).toBeNull();
    const forged: typeof tokens = Object.assign({}, tokens, {
      refresh_token: `${tokens.refresh_token?.slice(0, -4)}AAAA`,
    });
    expect((await refreshed(app, forged)).body.error).toBe('invalid_grant');
    expect(service.directory.asked.slice(before).join()).not.toContain('attributes=');
  });

  test('Of parallel refreshes with mapped attributes each gets the same successor.', async () => {
    const api = await apiWithDepartment();
    const app = await appFor(api);
    const tokens = await tokensFor(app, await employee('parallel refresh'), api);
    const answers = await Promise.all(Array.from({ length: 10 }, () => refreshed(app, tokens)));
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
    for (const { body } of answers) expect(claimsOf(body.access_token)).toMatchObject({ dept: 'Research' });
  });
});

describe('codes', () => {
  test('A code stays usable during an outage, and of parallel redemptions afterwards exactly one succeeds.', async () => {
    const api = await apiWithDepartment();
    const app = await appFor(api);
    const person = await employee('code');
    const fields = { scope: `openid offline_access ${api.scope}` };
    const answer = await signInAndAllow(service.browser(), app, person.userName, fields);
    const failed = await duringOutage(() => Promise.all([1, 2].map(() => redeem(service, app, answer))));
    expect(statuses(failed)).toEqual([503, 503]);
    const answers = await Promise.all(Array.from({ length: 10 }, () => redeem(service, app, answer)));
    const succeeded = answers.filter(({ status }) => status === 200);
    expect(succeeded).toHaveLength(1);
    expect(claimsOf(succeeded[0]?.body.access_token)).toMatchObject({ sub: person.id, dept: 'Research' });
  });

  test('A device code stays usable during an outage, which counts as no poll.', async () => {
    const app = await service.client({
      require_consent: false,
      grant_types: [deviceGrant, 'refresh_token'],
      redirect_uris: [],
      scope: 'openid offline_access',
      claim_mappings: [mapping('dept', 'user.department')],
    });
    const person = await employee('device');
    const { deviceCodes } = service.deps;
    const scopes = ['openid', 'offline_access'];
    const request = { tenant, clientId: app.clientId, clientEpoch: app.epoch, scopes, resources: [] };
    const issued = await deviceCodes.issue(request);
    if (!('deviceCode' in issued)) throw new Error('there are too many devices');
    const poll = () => token(service, app, { grant_type: deviceGrant, device_code: issued.deviceCode });
    expect((await poll()).body.error).toBe('authorization_pending');
    const device = await deviceCodes.find(tenant, issued.userCode);
    if (!device) throw new Error('the device does not wait');
    const content = {
      ...request,
      subjectId: person.id,
      subjectEpoch: 0,
      withdrawals: 0,
      authTime: 1,
      amr: [],
    };
    const signedIn = await signInAndAllow(service.browser(), await appWithClaims(), person.userName, {
      scope: 'openid offline_access',
    });
    expect(signedIn).toBeDefined();
    const { rows } = await service.deps.database.sql.query<{ id: string }>(
      'SELECT id FROM auth.sessions WHERE tenant = $1 AND subject_id = $2',
      [tenant, person.id],
    );
    await deviceCodes.approve(device, { ...content, sessionId: rows[0]?.id ?? '' });
    expect(statuses(await duringOutage(() => Promise.all([poll(), poll()])))).toEqual([503, 503]);
    const answers = await Promise.all(Array.from({ length: 5 }, poll));
    const succeeded = answers.filter(({ status }) => status === 200);
    expect(succeeded).toHaveLength(1);
    expect(claimsOf(succeeded[0]?.body.id_token)).toMatchObject({ dept: 'Research' });
  });
});

test('Another tenant reads no content of a code or device.', async () => {
  const api = await apiWithDepartment();
  const app = await appFor(api);
  const issued = await service.deps.deviceCodes.issue({
    tenant,
    clientId: app.clientId,
    clientEpoch: app.epoch,
    scopes: ['openid'],
    resources: [],
  });
  const code = 'deviceCode' in issued ? issued.deviceCode : '';
  expect(await service.deps.deviceCodes.peek('rival', app, code)).toBeUndefined();
  expect(await service.deps.deviceCodes.peek(tenant, app, code)).toBeUndefined();
});
