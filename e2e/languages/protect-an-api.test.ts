import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Prover } from '@ostiary/access/testing';
import { eventually, recordSkip } from '@ostiary/service/testing';
import { codeBlocksOf } from '../start/code-blocks.ts';
import { offboarded } from '../start/sign-in-app.ts';
import type { Demo } from '../support/demo.ts';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';
import { adminToken } from '../support/sign-in.ts';
import { adaptedFor, DefinedApi } from './defined-api.ts';
import { type ApiProgram, programs } from './protected-apis.ts';
import { RunningApi } from './running-api.ts';

let own: OwnSystem;
let demo: Demo;

beforeAll(async () => {
  own = await ownSystem();
  demo = own.demo;
});

afterAll(() => own?.stop());

test('Each program of the guide is run here.', () => {
  const languages = codeBlocksOf('guides/protect-an-api-other-languages.md').map(({ language }) => language);
  const run = ['go', 'go', 'python', 'java', 'xml', 'java'];
  expect(languages.filter((language) => !['text', 'graphql'].includes(language))).toEqual(run);
});

for (const [name, program] of Object.entries(programs)) {
  if (program.missing !== undefined) recordSkip(program.missing);
  const describeWhereInstalled = program.missing === undefined ? describe : describe.skip;
  describeWhereInstalled(`the API with ${name}`, () => testsOf(program));
}

interface Parts {
  defined: DefinedApi;
  running: RunningApi;
}

function testsOf(program: ApiProgram): void {
  let folder: string;
  let parts: Parts;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ostiary-protected-'));
    const defined = await DefinedApi.defined(demo, demo.tenants.demo);
    const adapted = (text: string): string => adaptedFor(text, demo, defined.name);
    const running = await RunningApi.started(program, { folder, adapted, env: defined.env });
    parts = { defined, running };
  }, 300_000);

  afterAll(async () => {
    await parts?.running.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const of = (): Parts => parts;
  testsOfAcceptance(of);
  if (program.method === 'expiry') {
    testsOfExpiry(of);
    return;
  }
  if (program.method === 'feed') testsOfFollowing(of);
  else testsOfIntrospection(of);
  testsOfOutage(of);
  testsOfOpaqueTokens(of);
}

function testsOfAcceptance(of: () => Parts): void {
  test('A token of a user or a service with the scope of the API is accepted.', async () => {
    const { defined, running } = of();
    const { user, access } = await defined.userWith(':read');
    const response = await running.ask(`Bearer ${access}`);
    expect([response.status, await response.json()]).toEqual([200, { subject: user.id }]);
    expect(await running.statusFor(await defined.serviceToken())).toBe(200);
  });

  test('A token without the scope gets 403, and the challenge names the scope.', async () => {
    const { defined, running } = of();
    const { access } = await defined.userWith(':write');
    const response = await running.ask(`Bearer ${access}`);
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toContain('insufficient_scope');
  });

  test('Tokens for other audiences are rejected, including those of the client of the API itself.', async () => {
    const { defined, running } = of();
    const { access, id } = await defined.userWith('-bills:read');
    for (const token of [access, id, await defined.ownToken(), await adminToken(demo.tenants.demo)])
      expect(await running.statusFor(token)).toBe(401);
  });

  test('A token of another tenant is rejected, although its API has the same identifier and scopes.', async () => {
    const { defined, running } = of();
    const rival = await DefinedApi.defined(demo, demo.tenants.rival, defined.name);
    const { access } = await rival.userWith(':read');
    for (const token of [access, await rival.serviceToken()])
      expect(await running.statusFor(token)).toBe(401);
  });

  test('A token that is bound to a key is rejected.', async () => {
    const { defined, running } = of();
    expect(await running.statusFor(await defined.serviceToken(await Prover.create()))).toBe(401);
  });

  test('Requests without a valid token get 401 with a challenge.', async () => {
    const { defined, running } = of();
    const token = await defined.serviceToken();
    const [header = '', payload = '', signature = ''] = token.split('.');
    const forged = `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    const unsigned = `${btoa('{"alg":"none","typ":"at+jwt"}').replaceAll('=', '')}.${payload}.`;
    for (const presented of [
      undefined,
      'Basic YTpi',
      'Bearer',
      'Bearer x',
      `Bearer ${forged}`,
      `Bearer ${unsigned}`,
    ]) {
      const response = await running.ask(presented);
      expect([presented, response.status]).toEqual([presented, 401]);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });
}

/** Offboards a user whose token was accepted, and returns the token and that of a colleague. */
async function afterOffboarding({ defined, running }: Parts): Promise<{ leaver: string; colleague: string }> {
  const [leaver, colleague] = [await defined.userWith(':read'), await defined.userWith(':read')];
  for (const { access } of [leaver, colleague]) expect(await running.statusFor(access)).toBe(200);
  await offboarded(demo.tenants.demo, leaver.user);
  return { leaver: leaver.access, colleague: colleague.access };
}

function testsOfFollowing(of: () => Parts): void {
  test('The token of an offboarded user is rejected when the revocation arrives, and others are accepted.', async () => {
    const { leaver, colleague } = await afterOffboarding(of());
    await eventually(async () => (await of().running.statusFor(leaver)) === 401);
    expect(await of().running.statusFor(colleague)).toBe(200);
  });
}

function testsOfIntrospection(of: () => Parts): void {
  test('The token of an offboarded user is rejected as soon as introspection reports it as inactive, and others are accepted.', async () => {
    const { leaver, colleague } = await afterOffboarding(of());
    await eventually(async () => !(await of().defined.isActive(leaver)));
    expect(await of().running.statusFor(leaver)).toBe(401);
    expect(await of().running.statusFor(colleague)).toBe(200);
  });
}

function testsOfExpiry(of: () => Parts): void {
  test('The token of an offboarded user is accepted after the offboarding, as the guide states.', async () => {
    const { leaver } = await afterOffboarding(of());
    expect(await of().running.statusFor(leaver)).toBe(200);
  });

  test('An opaque token is rejected.', async () => {
    const { defined, running } = of();
    await defined.setTokenFormat('OPAQUE');
    const { access } = await defined.userWith(':read');
    expect([access.includes('.'), await running.statusFor(access)]).toEqual([false, 401]);
  });
}

function testsOfOutage(of: () => Parts): void {
  test('While the issuer does not answer, tokens get a server error, and an offboarding in the meantime applies.', async () => {
    const { defined, running } = of();
    const [leaver, colleague] = [await defined.userWith(':read'), await defined.userWith(':read')];
    for (const { access } of [leaver, colleague]) expect(await running.statusFor(access)).toBe(200);
    await own.system.stop('auth');
    await eventually(async () => (await running.statusFor(colleague.access)) >= 500);
    await offboarded(demo.tenants.demo, leaver.user);
    await own.system.start('auth');
    await eventually(async () => (await running.statusFor(colleague.access)) === 200);
    await eventually(async () => (await running.statusFor(leaver.access)) === 401);
  });
}

function testsOfOpaqueTokens(of: () => Parts): void {
  test('An opaque token is accepted until introspection reports it as inactive after an offboarding.', async () => {
    const { defined, running } = of();
    await defined.setTokenFormat('OPAQUE');
    const { user, access } = await defined.userWith(':read');
    expect([access.includes('.'), await running.statusFor(access)]).toEqual([false, 200]);
    await offboarded(demo.tenants.demo, user);
    await eventually(async () => !(await defined.isActive(access)));
    expect(await running.statusFor(access)).toBe(401);
  });
}
