import { expect, test } from '@jest/globals';
import type { Client } from '../../../src/clients/domain/client.ts';
import { appFor, type RoleApi, roleApi, tokensFor } from '../../support/api-roles.ts';
import { accessTokenType, exchangeGrant } from '../../support/assertions.ts';
import { department, mapping, setAttributes, setClaims } from '../../support/claims/mapped-claims.ts';
import { service, setUpRoleGroups } from '../../support/sign-in/role-groups.ts';
import { tenant, token } from '../../support/sign-in/service.ts';

setUpRoleGroups();

/** Signs a user in to an app of an API that requires a claim, and registers an agent for the app. */
async function employeeWithAgent(name: string, opaque: boolean) {
  const api: RoleApi = await roleApi({ opaque });
  await setClaims(api, [mapping('dept', 'user.department', true)]);
  const person = await service.person(name);
  setAttributes(person, department('Research'));
  const app = await appFor(api);
  const agent = await agentFor(app, api);
  const { access_token: subjectToken = '' } = await tokensFor(app, person, api);
  const exchange = () =>
    token(service, agent, {
      grant_type: exchangeGrant,
      client_secret: agent.secret ?? '',
      subject_token: subjectToken,
      subject_token_type: accessTokenType,
    });
  return { person, exchange };
}

const agentFor = (app: Client, api: RoleApi) =>
  service.client({
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: [exchangeGrant],
    redirect_uris: [],
    scope: api.scope,
    token_exchange_agent: true,
    token_exchange_subject_clients: [app.clientId],
  });

const openedFor = async (userId: string): Promise<number> => {
  const { rowCount } = await service.deps.database.sql.query(
    `SELECT 1 FROM auth.security_log WHERE tenant = $1 AND subject_id = $2 AND action = 'delegation.created'`,
    [tenant, userId],
  );
  const listed = await service.deps.delegationList.count(tenant, { userId });
  expect(rowCount).toBe(listed);
  return listed;
};

test('An exchange that lacks a required claim opens and logs no delegation.', async () => {
  const { person, exchange } = await employeeWithAgent('without department', false);
  setAttributes(person, {});
  expect((await exchange()).status).toBe(400);
  expect(await openedFor(person.id)).toBe(0);
  setAttributes(person, department('Sales'));
  expect((await exchange()).status).toBe(200);
  expect(await openedFor(person.id)).toBe(1);
});

test.each([
  ['JWT', false],
  ['opaque', true],
])(
  'While the directory is unavailable, an exchange for a %s token opens and logs no delegation.',
  async (format, opaque) => {
    const { person, exchange } = await employeeWithAgent(`outage ${format}`, opaque);
    service.directory.available = false;
    try {
      expect((await exchange()).status).toBe(503);
    } finally {
      service.directory.available = true;
    }
    expect(await openedFor(person.id)).toBe(0);
    expect((await exchange()).status).toBe(200);
    expect(await openedFor(person.id)).toBe(1);
  },
);
