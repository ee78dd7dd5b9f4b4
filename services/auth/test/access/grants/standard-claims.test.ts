import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { coreRegistry, ENTERPRISE_USER_SCHEMA } from '@ostiary/scim';
import { scopeOfClaim } from '../../../src/access/grants/domain/claims-request.ts';
import { profileOf } from '../../../src/tenancy/users/domain/directory-user.ts';
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

const everything = ['openid', 'profile', 'email', 'address', 'phone', 'groups'];

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend);
  web = (await register(auth, { ...publicClient, scope: everything.join(' ') })).client.clientId;
});

afterEach(() => {
  backend.directory.available = true;
});

afterAll(async () => {
  await auth?.stop();
  await backend?.drop();
});

const user = {
  name: { middleName: 'Ann' },
  nickName: 'Al',
  profileUrl: 'https://people.example/alice',
  photos: [
    { value: 'https://people.example/old.png' },
    { value: 'https://people.example/a.png', primary: true },
  ],
  phoneNumbers: [
    { value: 'tel:+1-201-555-0199', type: 'home' },
    { value: 'tel:+1-201-555-0123', type: 'work', primary: true },
  ],
  addresses: [
    {
      formatted: '1 Main St\nAnytown',
      streetAddress: '1 Main St',
      locality: 'Anytown',
      region: 'CA',
      postalCode: '91608',
      country: 'US',
    },
  ],
};

async function userinfo(
  scopes: string[],
  claimed: object = user,
  claims?: { userinfo: string[]; idToken: string[] },
) {
  const person = await signedIn(auth);
  backend.directory.users.set(person.subjectId, claimed);
  backend.directory.asked.length = 0;
  const { form } = await issueCode(auth, web, { ...person, scopes, ...(claims ? { claims } : {}) });
  const { body } = await auth.post('/t/demo/token', form);
  return auth.get('/t/demo/userinfo', { authorization: `Bearer ${body.access_token}` });
}

describe('claims that the directory has values for (OpenID Connect Core §5.1, §5.4)', () => {
  test('The scope profile returns the profile claims of the directory.', async () => {
    const { body } = await userinfo(['openid', 'profile']);
    expect(body).toMatchObject({
      middle_name: 'Ann',
      nickname: 'Al',
      profile: 'https://people.example/alice',
      picture: 'https://people.example/a.png',
    });
    expect(body).not.toHaveProperty('phone_number');
    expect(body).not.toHaveProperty('address');
  });

  test('An attribute that a source left empty is absent from userinfo and from the ID token; groups are an empty list.', async () => {
    const person = await signedIn(auth);
    const blank = { value: ' ', primary: true };
    backend.directory.users.set(person.subjectId, {
      name: { middleName: '' },
      nickName: ' ',
      profileUrl: '',
      photos: [blank],
      phoneNumbers: [{ value: '', type: 'work', primary: true }],
      addresses: [{ type: 'work', primary: true, locality: ' ' }],
    });
    await auth.database.sql.query(`UPDATE auth.subjects SET profile = $2 WHERE id = $1`, [
      person.subjectId,
      JSON.stringify({
        userName: 'ann',
        displayName: '',
        name: { formatted: ' ', givenName: '', familyName: ' ' },
        locale: '',
        zoneinfo: ' ',
        emails: [{ value: '', primary: true, verified: true }],
      }),
    ]);
    const { client } = await register(auth, {
      ...publicClient,
      scope: everything.join(' '),
      id_token_profile_claims: true,
    });
    const { form } = await issueCode(auth, client.clientId, { ...person, scopes: everything });
    const { body } = await auth.post('/t/demo/token', form);
    const { body: userinfo } = await auth.get('/t/demo/userinfo', {
      authorization: `Bearer ${body.access_token}`,
    });
    const claims = { preferred_username: 'ann', groups: [] };
    expect(userinfo).toEqual({ sub: expect.any(String), ...claims });
    const idToken = claimsOf(body.id_token);
    expect(idToken).toMatchObject(claims);
    expect([...scopeOfClaim.keys()].filter((name) => Object.hasOwn(idToken, name)).sort()).toEqual(
      Object.keys(claims).sort(),
    );
  });

  test('The claim is the first value that is not empty.', async () => {
    const { body } = await userinfo(['openid', 'phone'], {
      phoneNumbers: [{ value: '', primary: true }, { value: 'tel:+1-201-555-0123' }],
    });
    expect(body.phone_number).toBe('+1-201-555-0123');
  });

  test('The scope phone returns the number without its URI scheme, and as not verified.', async () => {
    const { body } = await userinfo(['openid', 'phone']);
    const { sub: _, ...claims } = body;
    expect(claims).toEqual({ phone_number: '+1-201-555-0123', phone_number_verified: false });
  });

  test('The scope address returns the address claim of the directory.', async () => {
    const { body } = await userinfo(['openid', 'address']);
    const { sub: _, ...claims } = body;
    expect(claims).toEqual({
      address: {
        formatted: '1 Main St\nAnytown',
        street_address: '1 Main St',
        locality: 'Anytown',
        region: 'CA',
        postal_code: '91608',
        country: 'US',
      },
    });
  });

  test('The directory is asked only for the required attributes, and not at all for stored ones.', async () => {
    await userinfo(['openid', 'phone', 'groups']);
    expect(backend.directory.asked.map((one) => one.split(',').toSorted())).toEqual([
      ['groups', 'phoneNumbers'],
    ]);
    await userinfo(['openid', 'email']);
    expect(backend.directory.asked).toEqual([]);
  });

  test('A claim of the directory is returned when it is requested by name, too (§5.5).', async () => {
    const claims = { userinfo: ['phone_number'], idToken: [] };
    const { body } = await userinfo(['openid'], user, claims);
    expect(Object.keys(body).toSorted()).toEqual(['phone_number', 'sub']);
  });

  test('A claim without a value is omitted, and so is an address with an unsafe scheme or with credentials.', async () => {
    const odd = {
      profileUrl: 'javascript:alert(1)',
      photos: [{ value: 'https://user:password@people.example/x.png' }],
      phoneNumbers: [],
      addresses: [{ type: 'home' }],
    };
    const { body } = await userinfo(everything, odd);
    for (const claim of [
      'profile',
      'picture',
      'phone_number',
      'phone_number_verified',
      'address',
      'nickname',
    ]) {
      expect(body).not.toHaveProperty(claim);
    }
  });

  test('Without the directory, a request for its required claims returns 503, and optional claims are omitted.', async () => {
    const person = await signedIn(auth);
    const tokenFor = async (scopes: string[]) =>
      (await auth.post('/t/demo/token', (await issueCode(auth, web, { ...person, scopes })).form)).body
        .access_token;
    const [profile, phone] = [await tokenFor(['openid', 'profile']), await tokenFor(['openid', 'phone'])];
    backend.directory.available = false;
    const known = await auth.get('/t/demo/userinfo', { authorization: `Bearer ${profile}` });
    expect([known.status, known.body.name]).toEqual([200, 'Alice Adams']);
    expect((await auth.get('/t/demo/userinfo', { authorization: `Bearer ${phone}` })).status).toBe(503);
  });

  test('Every claim has a supported scope and is listed in the metadata.', async () => {
    const { body } = await auth.get('/t/demo/.well-known/openid-configuration');
    for (const scope of new Set(scopeOfClaim.values())) expect(body.scopes_supported).toContain(scope);
    for (const claim of scopeOfClaim.keys()) expect(body.claims_supported).toContain(claim);
  });
});

/** Claims from each attribute of a SCIM User (RFC 7643 §4.1, §4.3); none where OpenID Connect has no claim for it. */
const claimsOfAttributes: Readonly<Record<string, readonly string[]>> = {
  userName: ['preferred_username'],
  displayName: ['name'],
  name: ['given_name', 'family_name', 'middle_name', 'name'],
  nickName: ['nickname'],
  // A page about the user, not the user's own page: not `website`.
  profileUrl: ['profile'],
  photos: ['picture'],
  emails: ['email', 'email_verified'],
  phoneNumbers: ['phone_number', 'phone_number_verified'],
  addresses: ['address'],
  locale: ['locale'],
  preferredLanguage: ['locale'],
  timezone: ['zoneinfo'],
  meta: ['updated_at'],
  // No standard claim (§5.1), but an additional one.
  groups: ['groups'],
  schemas: [],
  id: [],
  externalId: [],
  title: [],
  userType: [],
  active: [],
  password: [],
  ims: [],
  entitlements: [],
  roles: [],
  x509Certificates: [],
  [ENTERPRISE_USER_SCHEMA]: [],
};

/** OpenID Connect Core §5.1, without `sub`. */
const standardClaims =
  `name given_name family_name middle_name nickname preferred_username profile picture website email
  email_verified gender birthdate zoneinfo locale phone_number phone_number_verified address updated_at`.split(
    /\s+/,
  );

describe('completeness', () => {
  test('Every attribute of a SCIM User and every standard claim is accounted for.', () => {
    const registry = coreRegistry();
    const attributes = registry.attributes('User').map(({ name }) => name);
    const extensions = registry.extensions('User').map(({ schema }) => schema.id);
    expect([...attributes, ...extensions].toSorted()).toEqual(Object.keys(claimsOfAttributes).toSorted());
    const made = new Set(Object.values(claimsOfAttributes).flat());
    expect([...made].toSorted()).toEqual([...scopeOfClaim.keys()].toSorted());
    // SCIM has no attribute for these.
    expect(standardClaims.filter((claim) => !made.has(claim))).toEqual(['website', 'gender', 'birthdate']);
  });

  test.each([
    [{ locale: 'de_AT', preferredLanguage: 'en' }, 'de_AT'],
    [{ preferredLanguage: 'en-US' }, 'en-US'],
    [{ preferredLanguage: 'da, en-gb;q=0.8, en;q=0.7' }, 'da'],
    [{ preferredLanguage: 'fr;q=0.9' }, 'fr'],
    [{ preferredLanguage: '*' }, undefined],
    [{ preferredLanguage: 'a language of ours' }, undefined],
    [{}, undefined],
  ])('The claim locale is the locale of the user or else the preferred language: %j.', (user, locale) => {
    expect(profileOf({ userName: 'alice', ...user }).locale).toBe(locale);
  });
});
