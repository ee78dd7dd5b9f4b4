import { describe, expect, test } from '@jest/globals';
import { type Attribute, coreRegistry, USER_SCHEMA } from '@ostiary/scim';
import {
  acme,
  admin,
  ask,
  codes,
  harness,
  problems,
  rivalAdmin,
  setUpGraph,
  user,
} from '../support/graph-client.ts';
import type { Json } from '../support/harness.ts';

setUpGraph();

const typed = 'name type { name ofType { name ofType { name ofType { name } } } }';

/** Returns the fields of a type of the schema, with the names of their types. */
async function fieldsOf(name: string): Promise<ReadonlyMap<string, string>> {
  const query = `query ($name: String!) { __type(name: $name) { inputFields { ${typed} } fields { ${typed} } } }`;
  const { __type: type } = (await ask(query, { name })).data;
  const innermost = (each: Json): string => each.name ?? innermost(each.ofType);
  return new Map(
    (type.inputFields ?? type.fields ?? []).map((field: Json) => [field.name, innermost(field.type)]),
  );
}

/** Names in the graph of attributes that have another name in SCIM. */
const otherNames: Readonly<Record<string, string>> = { roles: 'scimRoles' };
const nameOf = ({ name }: Attribute): string => otherNames[name] ?? name;

const writable = (coreRegistry().schema(USER_SCHEMA)?.attributes ?? []).filter(
  ({ mutability }) => mutability !== 'readOnly',
);

/** Attributes that cannot be written in one input although others can, with the reason. */
const elsewhere: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  CreateUserInput: { password: 'people set their own, by an invitation' },
  UpdateUserInput: {
    password: 'people set their own, by an invitation',
    active: 'closing the doors has mutations of its own: deactivateUser, reactivateUser',
  },
  User: { password: 'is never returned' },
};

describe('every attribute of a SCIM User', () => {
  test.each(Object.entries(elsewhere))(
    'Every attribute of a SCIM User has a field in %s, with all its parts.',
    async (type, reasons) => {
      expect(writable.length).toBeGreaterThan(18);
      const fields = await fieldsOf(type);
      const missing: string[] = [];
      for (const attribute of writable.filter(({ name }) => reasons[name] === undefined)) {
        const field = fields.get(nameOf(attribute));
        if (field === undefined) missing.push(attribute.name);
        const parts = field === undefined ? undefined : await fieldsOf(field);
        for (const { name } of attribute.subAttributes ?? []) {
          if (parts?.has(name) === false) missing.push(`${attribute.name}.${name}`);
        }
      }
      expect(missing).toEqual([]);
      // A reason for an existing field is an error.
      expect(Object.keys(reasons).filter((name) => fields.has(name))).toEqual([]);
    },
  );
});

/** A value of each attribute, in the spelling of SCIM. */
const labelled = (value: string, type: string) => ({ value, display: `The ${type}`, type, primary: true });
const everything = {
  displayName: 'Ada',
  name: {
    formatted: 'Ms. Ada K. Lovelace III',
    familyName: 'Lovelace',
    givenName: 'Ada',
    middleName: 'K.',
    honorificPrefix: 'Ms.',
    honorificSuffix: 'III',
  },
  nickName: 'Countess',
  profileUrl: 'https://example.com/ada',
  title: 'Vice President',
  userType: 'Employee',
  preferredLanguage: 'en',
  locale: 'en-GB',
  timezone: 'Europe/London',
  emails: [labelled('ada@example.com', 'work')],
  phoneNumbers: [labelled('tel:+44-1-2', 'mobile')],
  ims: [labelled('ada', 'xmpp')],
  photos: [labelled('https://example.com/ada.png', 'thumbnail')],
  addresses: [
    {
      formatted: '12 St James’s Square\nLondon',
      streetAddress: '12 St James’s Square',
      locality: 'London',
      region: 'Greater London',
      postalCode: 'SW1Y 4JH',
      country: 'GB',
      type: 'home',
      primary: true,
    },
  ],
  entitlements: [labelled('engine', 'licence')],
  scimRoles: [labelled('inventor', 'organisational')],
  x509Certificates: [labelled('MIIBAQ==', 'signing')],
};
const { scimRoles, ...sameNames } = everything;
const asScim = { ...sameNames, roles: scimRoles };

const selection = `id version userName active displayName nickName profileUrl title userType preferredLanguage locale timezone
  name { formatted familyName givenName middleName honorificPrefix honorificSuffix }
  addresses { formatted streetAddress locality region postalCode country type primary }
  ${['emails', 'phoneNumbers', 'ims', 'photos', 'entitlements', 'scimRoles', 'x509Certificates']
    .map((name) => `${name} { value display type primary }`)
    .join(' ')}`;
const payload = `{ user { ${selection} } problems { code message } }`;
const create = `mutation ($input: CreateUserInput!) { createUser(input: $input) ${payload} }`;
const update = `mutation ($input: UpdateUserInput!) { updateUser(input: $input) ${payload} }`;
const read = `query ($id: ID!) { user(id: $id) { ${selection} } }`;

describe('Attributes of a user', () => {
  test('The attributes of a user are all written in the graph and read over SCIM, and the reverse.', async () => {
    const named = new Set([...Object.keys(asScim), 'userName', 'active', 'password']);
    expect(writable.filter(({ name }) => !named.has(name))).toEqual([]);
    const made = await ask(create, { input: { userName: 'all-of-it', ...everything } });
    expect(made.data.createUser).toMatchObject({ user: everything, problems: [] });
    const { id } = made.data.createUser.user;
    const { body } = await acme.read('Users', id);
    expect(body).toMatchObject({ userName: 'all-of-it', active: true, ...asScim });

    const provisioned = await user(asScim);
    const shown = (await ask(read, { id: provisioned.id })).data.user;
    expect(shown).toMatchObject({ userName: provisioned.userName, ...everything });

    const bare = await user();
    const changed = await ask(update, { input: { id: bare.id, version: 1, ...everything } });
    expect(changed.data.updateUser).toMatchObject({ user: { version: 2, ...everything }, problems: [] });
    expect((await acme.read('Users', bare.id)).body).toMatchObject(asScim);
  });

  test('The attributes of a user are cleared by null, each separately.', async () => {
    const { id } = await user(asScim);
    const names = Object.keys(everything);
    for (const [index, name] of names.entries()) {
      const { data } = await ask(update, { input: { id, [name]: null } });
      expect(data.updateUser.problems).toEqual([]);
      const left = Object.keys((await acme.read('Users', id)).body);
      const expected = names.slice(index + 1).map((each) => (each === 'scimRoles' ? 'roles' : each));
      expect(left.filter((each) => each in asScim).sort()).toEqual(expected.sort());
    }
    expect((await ask(read, { id })).data.user).toMatchObject({ addresses: [], scimRoles: [], photos: [] });
  });

  test('The attributes of a user are validated by the rules of SCIM.', async () => {
    const { id } = await user();
    const set = async (fields: object): Promise<Json> => ask(update, { input: { id, ...fields } });
    const { user: known } = (await set({ ims: [{ value: 'a', type: 'XMPP' }] })).data.updateUser;
    expect(known.ims[0].type).toBe('xmpp');
    for (const wrong of [
      { x509Certificates: [{ value: 'no base64!' }] },
      { photos: [{ value: 'not a URL' }] },
      { profileUrl: 'not a URL' },
      {
        addresses: [
          { primary: true, country: 'GB' },
          { primary: true, country: 'AT' },
        ],
      },
      { entitlements: [labelled('a', 'x'), labelled('b', 'x')] },
      { scimRoles: [{ value: 'a\u0000' }] },
    ]) {
      expect(problems(await set(wrong))).toEqual(['INVALID_INPUT']);
      expect(problems(await ask(create, { input: { userName: 'wrong', ...wrong } }))).toEqual([
        'INVALID_INPUT',
      ]);
    }
  });

  test('The attributes of a user are hidden from another tenant and from users without the scope.', async () => {
    const { id } = await user(asScim);
    expect((await ask(read, { id }, rivalAdmin)).data.user).toBeNull();
    const input = { id, addresses: [{ country: 'AT' }] };
    expect(problems(await ask(update, { input }, rivalAdmin))).toEqual(['NOT_FOUND']);
    const entity = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on User { addresses { country } scimRoles { value } } } }`;
    const of = [{ __typename: 'User', id }];
    expect((await ask(entity, { of }, rivalAdmin)).data._entities).toEqual([null]);

    const other = await user();
    const plain = harness.issuer.token(acme.tenant, { subject: other.id, clientId: 'portal' });
    expect(codes(await ask(entity, { of }, plain))).toEqual(['FORBIDDEN']);
    expect((await ask(entity, { of }, admin)).data._entities[0].addresses).toEqual([{ country: 'GB' }]);
  });
});
