import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLSchema,
  getNullableType,
  isListType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { composeApi } from '../../src/schema/graph/compose.ts';

/**
 * Lists that are not connections, each with the reason why its length is bounded. Lists that grow with the number of
 * users, clients or days have pages: adding pages later would break clients.
 */
const bounded: Readonly<Record<string, string>> = {
  'Api.claims': '32',
  'Api.roles': '50',
  'Api.scopes': '100',
  'ApiKey.scopes': 'the scopes there are',
  'ApiRole.descriptions': '20',
  'ApiScope.descriptions': '20',
  'AuditEntry.changes': 'the attributes of one thing',
  'Client.claims': '32',
  'Client.grantTypes': 'the grants there are',
  'Client.ownScopes': '100',
  'Client.postLogoutRedirectUris': 'one registration',
  'Client.protectedResources': 'one registration',
  'Client.redirectUris': 'one registration',
  'Client.requestUris': 'one registration',
  'Client.resources': 'one registration',
  'Client.scopes': 'the scopes there are',
  'ClientDocumentPolicy.apiIds': 'a hundred',
  'ClientDocumentPolicy.hosts': 'a hundred',
  'ClientDocumentPolicy.redirectHosts': 'a hundred',
  'ClientDocumentPolicy.scopes': 'the scopes of OpenID Connect',
  'Connector.quirks': 'the deviations there are',
  'Connector.resourceTypes': 'two',
  'Connector.tokens': 'two, during a rotation',
  'ConnectorAttributes.paths': '200',
  'ConnectorLogEntry.changes': 'the settings of a connector',
  'ConnectorProtectedAccounts.groupIds': '500',
  'ConnectorProtectedAccounts.userIds': '500',
  'Credentials.passkeys': '20',
  'Delegation.audiences': 'the resources of one registration',
  'Delegation.scopes': 'the scopes there are',
  'Departure.deliveries': '500',
  'Departure.doors': 'the kinds of doors there are',
  'Departure.secrets': '500',
  'Grant.scopes': 'the scopes there are',
  'Group.externalIds': 'one for each identity source',
  'Group.roleGrants': 'the roles there are',
  'Group.roles': 'the roles there are',
  'InitialAccessToken.scopes': 'the scopes there are',
  'MappedClaims.claims': '32',
  'MappedClaims.failures': '32',
  'PersonalAccessToken.scopes': 'the scopes there are',
  'Query.departures': '50; securityLog(filter: { action: "user.departed" }) is the connection',
  'Query.initialAccessTokens': '100; liveInitialAccessTokens is the connection',
  'Query.nodes': 'the ids asked for, 100',
  'Query.schemas': 'the schemas a tenant may have; schemasConnection is the connection',
  'Query.signingKeys': 'what is published of four algorithms; signingKeysConnection is the connection',
  'Query.trustedIssuers': '100; trustedIssuersConnection is the connection',
  'RoleSource.groups': 'the 200 groups of a tenant that may have roles',
  'ApiRoleSource.groups': 'the 200 groups of a tenant that may have roles',
  'RotateSigningKeysPayload.signingKeys': 'what is published of three algorithms',
  'Schema.attributes': 'the attributes a schema may have',
  'SchemaAttribute.canonicalValues': 'one definition',
  'SchemaAttribute.referenceTypes': 'one definition',
  'SchemaAttribute.subAttributes': 'one definition',
  'SecurityEvent.changes': 'the settings of one thing',
  'ServiceAccount.apiKeys': '50 that are live, and those that expired lately',
  'ServiceAccount.publicKeys': '50',
  'ServiceAccount.scopes': 'the scopes there are',
  'Session.apps': '100; grants(filter: { sessionId }) is the connection',
  'Session.authenticationMethods': 'the ways to sign in',
  'SignInAttempt.factors': 'the factors there are',
  'SignInStatistics.days': 'the days asked for, 366',
  'SignInStatistics.hours': 'the hours asked for, 168',
  'SignalStream.events': 'the types of events there are',
  'Statistics.growth': 'the days asked for, 366',
  'TenantPolicy.bannedPasswordWords': 'one policy',
  'TenantPolicy.webOrigins': 'one policy',
  'TokenExchangePolicy.subjectClients': '100',
  'TrustedIssuer.clientIds': 'one registration',
  'TrustedIssuer.scopes': 'the scopes there are',
  'User.addresses': 'one resource',
  'User.departures': '50',
  'User.emails': 'one resource',
  'User.entitlements': 'one resource',
  'User.externalIds': 'one for each identity source',
  'User.knownConnectorTokens': '500',
  'User.knownSecrets': '500',
  'User.grants': '100; grantsConnection is the connection',
  'User.ims': 'one resource',
  'User.personalAccessTokens': '50 that are live, and those that expired lately',
  'User.phoneNumbers': 'one resource',
  'User.photos': 'one resource',
  'User.provisioning': 'one for each identity source',
  'User.roleSources': 'the roles there are',
  'RoleSource.notCarriedBy': 'the ways in there are',
  'RolePayload.notCarriedBy': 'the ways in there are',
  'User.roles': 'the roles there are',
  'User.scimRoles': 'one resource',
  'User.sessions': '100; sessionsConnection is the connection',
  'User.x509Certificates': 'one resource',
  'Webhook.types': 'the types there are',
};

/** Fields of any type: the problems of a rejected change, and their paths. */
const boundedAnywhere = new Set(['problems', 'path']);

let schema: GraphQLSchema;
beforeAll(async () => {
  schema = buildSchema(await composeApi());
});

const objects = () =>
  Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) && !type.name.startsWith('__'));

function fields(): [coordinate: string, field: GraphQLField<unknown, unknown>][] {
  return objects().flatMap((type) =>
    isObjectType(type)
      ? Object.values(type.getFields()).map((field): [string, GraphQLField<unknown, unknown>] => [
          `${type.name}.${field.name}`,
          field,
        ])
      : [],
  );
}

const isList = (field: GraphQLField<unknown, unknown>): boolean => isListType(getNullableType(field.type));
const argumentsOf = (field: GraphQLField<unknown, unknown>): string[] =>
  field.args.map(({ name }) => name).sort();

describe('list fields', () => {
  test('A list field is a connection, or its bound is recorded in this test.', () => {
    const plain = fields()
      .filter(([, field]) => isList(field) && !boundedAnywhere.has(field.name))
      .filter(([coordinate, field]) => !(field.name === 'edges' && /Connection\.edges$/.test(coordinate)))
      .filter(([, field]) => !argumentsOf(field).includes('first'))
      .map(([coordinate]) => coordinate);
    expect(plain.sort()).toEqual(Object.keys(bounded).sort());
  });

  test('A list field for which a connection is recorded names a connection that exists.', () => {
    for (const [coordinate, bound] of Object.entries(bounded)) {
      const connection = /(\w+)(?:\(.*\))? is the connection/.exec(bound)?.[1];
      if (connection === undefined) continue;
      const [type = ''] = coordinate.split('.');
      const there = [`${type}.${connection}`, `Query.${connection}`].some((each) =>
        fields().some(([name, field]) => name === each && /Connection!?$/.test(String(field.type))),
      );
      expect([coordinate, there]).toEqual([coordinate, true]);
    }
  });
});

describe('connections', () => {
  test('A connection has the form of the Relay specification: edges with cursors and nodes, and page information.', () => {
    for (const type of objects()) {
      if (!isObjectType(type) || !type.name.endsWith('Connection')) continue;
      const own = Object.keys(type.getFields());
      expect([type.name, own.includes('edges') && own.includes('pageInfo')]).toEqual([type.name, true]);
      const edge = schema.getType(type.name.replace(/Connection$/, 'Edge'));
      const ofEdge = isObjectType(edge) ? Object.keys(edge.getFields()) : [];
      expect([type.name, ofEdge.includes('cursor') && ofEdge.includes('node')]).toEqual([type.name, true]);
    }
  });

  test('A connection is requested in pages.', () => {
    for (const [coordinate, field] of fields()) {
      if (!/Connection!?$/.test(String(field.type))) continue;
      expect([coordinate, argumentsOf(field)]).toEqual([
        coordinate,
        expect.arrayContaining(['after', 'first']),
      ]);
    }
  });
});

test('A custom scalar names the URL of its specification.', () => {
  const scalars = Object.values(schema.getTypeMap()).filter(
    (type) => isScalarType(type) && !isSpecifiedScalarType(type),
  );
  expect(scalars.map(({ name }) => name)).toEqual(expect.arrayContaining(['DateTime', 'JSON']));
  for (const scalar of scalars) {
    expect([scalar.name, isScalarType(scalar) && scalar.specifiedByURL]).toEqual([
      scalar.name,
      expect.stringMatching(/^https:/),
    ]);
  }
});
