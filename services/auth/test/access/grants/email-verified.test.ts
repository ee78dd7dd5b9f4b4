import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Backend,
  claimsOf,
  createBackend,
  issueCode,
  publicClient,
  type RunningAuth,
  register,
  signedIn,
  startAuth,
} from '../../support/running-auth.ts';

let backend: Backend;
let auth: RunningAuth;
let web: string;

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend);
  const metadata = { ...publicClient, scope: 'openid email', id_token_profile_claims: true as const };
  web = (await register(auth, metadata)).client.clientId;
});
afterAll(async () => {
  await auth?.stop();
  await backend?.drop();
});

/** Returns the claims of a user with these addresses. */
async function claimed(emails: object[]) {
  const person = await signedIn(auth);
  await auth.database.sql.query(
    `UPDATE auth.subjects SET profile = jsonb_set(profile, '{emails}', $2) WHERE id = $1`,
    [person.subjectId, JSON.stringify(emails)],
  );
  const { form } = await issueCode(auth, web, { ...person, scopes: ['openid', 'email'] });
  const { body } = await auth.post('/t/demo/token', form);
  const userinfo = await auth.get('/t/demo/userinfo', { authorization: `Bearer ${body.access_token}` });
  const { email, email_verified } = claimsOf(body.id_token);
  expect(userinfo.body).toMatchObject({ email, email_verified });
  return { email, email_verified };
}

describe('email_verified (OpenID Connect Core §5.1)', () => {
  test('The claim email_verified is the statement of the directory about the returned address.', async () => {
    expect(await claimed([{ value: 'a@example.com', verified: true }])).toEqual({
      email: 'a@example.com',
      email_verified: true,
    });
    expect(await claimed([{ value: 'a@example.com' }])).toEqual({
      email: 'a@example.com',
      email_verified: false,
    });
  });

  test('The claim email_verified is never that of another address.', async () => {
    expect(
      await claimed([
        { value: 'a@example.com', verified: true },
        { value: 'b@example.com', primary: true },
      ]),
    ).toEqual({ email: 'b@example.com', email_verified: false });
  });

  test.each(['true', 1, {}, 'a@example.com'])(
    'The claim email_verified is false when the directory sends a value other than true: %j.',
    async (verified) => {
      expect(await claimed([{ value: 'a@example.com', verified }])).toMatchObject({ email_verified: false });
    },
  );
});

/** Returns every source file of the services. */
const sources = (folder: URL): URL[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const at = new URL(`${entry.name}${entry.isDirectory() ? '/' : ''}`, folder);
    if (entry.isDirectory()) return entry.name === 'generated' ? [] : sources(at);
    return entry.name.endsWith('.ts') ? [at] : [];
  });

test('No decision depends on email_verified, which is stored and returned but read nowhere else.', () => {
  const services = new URL('../../../../', import.meta.url);
  const reading = ['auth', 'directory', 'provisioning']
    .flatMap((service) => sources(new URL(`${service}/src/`, services)))
    .filter((file) =>
      /email_verified|\.verified\b|\bverified[,:?]|isVerified\(/.test(readFileSync(file, 'utf8')),
    )
    .map((file) => file.pathname.slice(services.pathname.length));
  expect(reading.toSorted()).toEqual([
    'auth/src/access/grants/domain/claims-request.ts',
    'auth/src/clients/claims/domain/reserved-claims.ts',
    'auth/src/identity/sign-in/domain/passkeys.ts',
    'auth/src/lifecycle/directory-events/subjects.ts',
    'auth/src/oauth/domain/userinfo.ts',
    'auth/src/tenancy/users/domain/directory-user.ts',
    'auth/src/tenancy/users/domain/subject.ts',
    'directory/src/resources/domain/commands.ts',
    'directory/src/resources/http/body.ts',
    'directory/src/users/domain/shown-verified.ts',
    'directory/src/users/domain/snapshot.ts',
    'directory/src/users/graph/user.ts',
  ]);
});
