import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  buildASTSchema,
  type GraphQLInputObjectType,
  getNamedType,
  isInputObjectType,
  Kind,
  parse,
  visit,
} from 'graphql';
import { fields, parseDocument } from '../../cli/src/configuration/document.ts';

const at = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const schema = buildASTSchema(parse(at('gateway/released-api.graphql')), { assumeValid: true });
const mutations = schema.getMutationType()?.getFields() ?? {};

/** Mutations that `apply` uses, read from its operations. */
const applied = new Set(
  ['configuration', 'api-configuration', 'parties', 'service-accounts'].flatMap((subject) => {
    const found: string[] = [];
    visit(parse(at(`cli/src/graph/operations/${subject}.graphql`)), {
      OperationDefinition(node) {
        if (node.operation === 'mutation')
          for (const each of node.selectionSet.selections)
            if (each.kind === Kind.FIELD) found.push(each.name.value);
      },
    });
    return found;
  }),
);

const people = 'of a person, who comes from an identity source and is no configuration';
const groups = 'of a group and who is in it, which come from an identity source';
const secret = 'makes or ends a secret, which is in no file';
const once = 'does something once; there is nothing of it to be described';

/** Mutations that `apply` does not use, each with the reason. */
const excluded: Readonly<Record<string, string>> = {
  addGroupMembers: groups,
  addServiceAccountKey: secret,
  assignApiRole: people,
  assignRole: people,
  bindIssuerSubject: people,
  createApiKey: secret,
  createGroup: groups,
  createInitialAccessToken: secret,
  createPersonalAccessToken: secret,
  createTenant: 'ostiary tenant create',
  createUser: people,
  deactivateUser: people,
  deleteGroup: groups,
  deleteSignalStream: 'a stream is its receiver’s, who makes it with a token of its own (SSF §8.1.1)',
  deleteUser: people,
  discardDelivery: once,
  endDelegation: people,
  inviteUser: people,
  purgeGroup: groups,
  purgeUser: people,
  reactivateUser: people,
  removeApiRole: people,
  removeAuthenticatorApp: people,
  removeGroupMembers: groups,
  removePasskey: people,
  removeRole: people,
  removeServiceAccountKey: secret,
  replayDeadDeliveries: once,
  replayDelivery: once,
  resetUserAccess: people,
  restoreGroup: groups,
  restoreUser: people,
  resumeTenant: 'of the operator, not of the tenant',
  revokeAllSessions: once,
  revokeApiKey: secret,
  revokeConnectorToken: secret,
  revokeGrant: people,
  revokeInitialAccessToken: secret,
  revokePersonalAccessToken: secret,
  revokeSession: people,
  rotateClientSecret: secret,
  rotateConnectorToken: secret,
  rotateSigningKeys: secret,
  rotateWebhookSecret: secret,
  suspendTenant: 'of the operator, not of the tenant',
  testWebhook: once,
  transferConnector: 'an owner is a person: what becomes of what they own follows from their departure',
  transferCredential: 'an owner is a person: what becomes of what they own follows from their departure',
  unbindIssuerSubject: people,
  updateGroup: groups,
  updateMe: people,
  updateSignalStream: 'a stream is its receiver’s, who makes it with a token of its own (SSF §8.1.1)',
  updateUser: people,
};

const sections = {
  updateTenant: 'settings',
  updateTenantPolicy: 'policy',
  updateTenantBranding: 'branding',
  createSchema: 'schemas',
  updateSchema: 'schemas',
  registerClient: 'clients',
  updateClient: 'clients',
  createConnector: 'connectors',
  updateConnector: 'connectors',
  createWebhook: 'webhooks',
  updateWebhook: 'webhooks',
  createTrustedIssuer: 'trustedIssuers',
  createServiceAccount: 'serviceAccounts',
  updateServiceAccount: 'serviceAccounts',
  assignGroupRole: 'groupRoles',
  registerApi: 'apis',
  updateApi: 'apis',
  assignGroupApiRole: 'groupApiRoles',
  updateClientDocumentPolicy: 'clientDocumentPolicy',
} as const;

/** Inputs that the document names differently (the names), or lacks (the reason). */
const otherwise: Readonly<Record<string, readonly string[] | string>> = {
  'registerClient.requirePkce': ['codeProtection'],
  'registerClient.requireNonce': ['codeProtection'],
  'updateClient.requirePkce': ['codeProtection'],
  'updateClient.requireNonce': ['codeProtection'],
  'updateTenant.name': 'which tenant it is, is said when it is made; a file is for any',
  'updateTenantBranding.logoUrl': ['logo'],
  'updateSchema.setAttributes': ['attributes'],
  'updateSchema.removeAttributes': ['attributes'],
  'registerClient.kind': 'fills in what is not said; a file says everything',
  'registerClient.ownerId': 'an owner is a person',
  'createConnector.ownerId': 'an owner is a person',
  'createServiceAccount.ownerId': 'an owner is a person',
  'createConnector.protectedAccounts': ['protectAdministrators', 'protectedGroups', 'protectedUsers'],
  'updateConnector.protectedAccounts': ['protectAdministrators', 'protectedGroups', 'protectedUsers'],
  'assignGroupRole.groupId': ['group'],
  'assignGroupApiRole.groupId': ['group'],
  'assignGroupApiRole.apiId': ['api'],
  'updateClientDocumentPolicy.apiIds': ['apis'],
};

const plumbing = ['version', 'idempotencyKey'];

const inputsOf = (mutation: string): string[] => {
  const type = getNamedType(mutations[mutation]?.args[0]?.type) as GraphQLInputObjectType | undefined;
  return Object.keys(type?.getFields() ?? {});
};

/** Returns the paths of all inputs of a type that are no objects. */
function nestedInputs(name: string): string[] {
  const type = schema.getType(name) as GraphQLInputObjectType;
  return Object.values(type.getFields()).flatMap((field) => {
    const inner = getNamedType(field.type);
    return isInputObjectType(inner)
      ? nestedInputs(inner.name).map((path) => `${field.name}.${path}`)
      : field.name;
  });
}

/** Returns the paths of fields that the export reads under a list of an API. */
function selectedUnder(list: string): string[] {
  const found: string[] = [];
  const path: string[] = [];
  visit(parse(at('cli/src/graph/operations/api-configuration.graphql')), {
    OperationDefinition: (node) => (node.name?.value === 'ApiConfigurations' ? undefined : false),
    Field: {
      enter(node) {
        path.push(node.name.value);
        if (!node.selectionSet && path.includes(list))
          found.push(path.slice(path.indexOf(list) + 1).join('.'));
      },
      leave() {
        path.pop();
      },
    },
  });
  return found;
}

describe('configuration files', () => {
  test('Every mutation is applied from a file or excluded with a reason.', () => {
    const all = Object.keys(mutations);
    expect(all.length).toBeGreaterThan(60);
    expect(all.filter((name) => !applied.has(name) && !Object.hasOwn(excluded, name))).toEqual([]);
    // Exclusions without a mutation, or of an applied mutation, are errors.
    expect(Object.keys(excluded).filter((name) => applied.has(name) || !all.includes(name))).toEqual([]);
    expect([...applied].filter((name) => !all.includes(name))).toEqual([]);
  });

  test('Mutations that create or update an object have a section, and the others only take its identifiers.', () => {
    const named = ['id', 'groupId', 'apiId', 'role', ...plumbing];
    for (const name of applied) {
      if (Object.hasOwn(sections, name)) continue;
      expect([name, inputsOf(name).filter((input) => !named.includes(input))]).toEqual([name, []]);
    }
  });

  test.each(Object.entries(sections))('All inputs of %s are in the section %s.', (mutation, section) => {
    expect(applied).toContain(mutation);
    const known = Object.keys(fields[section]);
    const isTarget = (input: string): boolean =>
      input === 'id' && !(section === 'schemas' && mutation === 'createSchema');
    const missing = inputsOf(mutation).filter((input) => {
      if (plumbing.includes(input) || isTarget(input)) return false;
      const other = otherwise[`${mutation}.${input}`] ?? [input];
      return typeof other !== 'string' && !other.every((name) => known.includes(name));
    });
    expect(missing).toEqual([]);
  });

  test('All inputs of the scopes and roles of an API are read and stored.', () => {
    const inputs = ['ApiScopeInput', 'ApiRoleInput'].map((name) => [name, nestedInputs(name).toSorted()]);
    expect(inputs).toEqual(
      inputs.map(([name]) => [name, ['descriptions.language', 'descriptions.text', 'name']]),
    );
    for (const list of ['scopes', 'roles']) {
      const selected = selectedUnder(list);
      expect([list, nestedInputs('ApiScopeInput').filter((path) => !selected.includes(path))]).toEqual([
        list,
        [],
      ]);
    }
    const full = { name: 'x', descriptions: [{ language: 'en', text: 'X' }] };
    const text = JSON.stringify({
      ostiary: 1,
      apis: [{ identifier: 'https://x.example', scopes: [full], roles: [full] }],
    });
    expect(parseDocument(text, 'file').apis).toMatchObject([{ scopes: [full], roles: [full] }]);
  });

  test('All inputs of the claims of an API and a client are read and stored.', () => {
    const inputs = nestedInputs('ClaimMappingInput').toSorted();
    expect(inputs).toEqual(['expression', 'name', 'required']);
    expect(selectedUnder('claims').toSorted()).toEqual(inputs);
    const claims = [{ name: 'x', expression: '1', required: true }];
    const text = JSON.stringify({
      ostiary: 1,
      apis: [{ identifier: 'https://x.example', claims }],
      clients: [{ name: 'x', claims }],
    });
    expect(parseDocument(text, 'file')).toMatchObject({ apis: [{ claims }], clients: [{ claims }] });
  });

  test('Every exception belongs to an existing input.', () => {
    const stale = Object.keys(otherwise).filter((path) => {
      const [mutation = '', input = ''] = path.split('.');
      return !inputsOf(mutation).includes(input);
    });
    expect(stale).toEqual([]);
  });
});

test.each([
  [{ requirePkce: true, requireNonce: false }, 'PKCE'],
  [{ requirePkce: false, requireNonce: true }, 'PKCE_OR_NONCE'],
  [{ requirePkce: false }, 'PKCE_OR_NONCE'],
  [{ requirePkce: false, requireNonce: false }, 'NONE'],
])('A file that was exported with %j is read as codeProtection %s.', (old, codeProtection) => {
  const text = JSON.stringify({ ostiary: 1, clients: [{ name: 'Old', ...old }] });
  expect(parseDocument(text, 'file').clients).toEqual([{ name: 'Old', codeProtection }]);
});
