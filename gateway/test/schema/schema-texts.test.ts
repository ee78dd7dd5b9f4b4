import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  buildSchema,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { composeApi } from '../../src/schema/graph/compose.ts';

/**
 * Fields and arguments that are strings because their values cannot be listed, by reason and name. A closed set must be
 * an enum; each entry was reviewed.
 */
const openTexts: Readonly<Record<string, string>> = {
  'words of people': `name displayName description title nickName userType formatted familyName givenName middleName
    honorificPrefix honorificSuffix streetAddress locality region postalCode country organization division department costCenter
    employeeNumber display value text message detail reason statusReason lastError clientName receiverName userName externalId
    locale preferredLanguage timezone userAgent hint removeAttributes attribute bannedPasswordWords`,
  'comparisons with words of people': 'contains startsWith endsWith equals notEquals in filter',
  addresses: `ipAddress address uri url renewalUrl endpoint profileUrl logoUrl logo clientUri logoUri policyUri tosUri jwksUri sectorIdentifierUri
    backchannelLogoutUri requestUris redirectUris postLogoutRedirectUris resources protectedResources issuer issuerUri webOrigins hosts
    redirectHosts`,
  'documents and secrets': 'jwk jwks token secret clientSecret before after',
  opaque:
    'cursor startCursor endCursor idempotencyKey traceId requestId clientId kid directoryVersion actorId',
  'days, colours, paths': 'date day color lightColor darkColor path paths',
};

/**
 * Values that a standard leaves open to extension keep the spelling of the standard. Log entries outlive releases:
 * another release may have written values that this one does not define. Their documented values are compared with the
 * code in e2e/recorded. Listed by coordinate, because other fields with the same name may be closed sets.
 */
const openByStandard: Readonly<Record<string, string>> = {
  'Address.type': 'RFC 7643 §2.4: canonical values only',
  'AddressInput.type': 'RFC 7643 §2.4',
  'ContactInput.type': 'RFC 7643 §2.4',
  'Email.type': 'RFC 7643 §2.4',
  'Entitlement.type': 'RFC 7643 §2.4',
  'InstantMessagingAddress.type': 'RFC 7643 §2.4',
  'LabelledValueInput.type': 'RFC 7643 §2.4',
  'PhoneNumber.type': 'RFC 7643 §2.4',
  'Photo.type': 'RFC 7643 §2.4',
  'ScimRole.type': 'RFC 7643 §2.4',
  'X509Certificate.type': 'RFC 7643 §2.4',
  'SchemaAttribute.canonicalValues': 'the administrator who defines the schema',
  'SchemaAttributeInput.canonicalValues': 'the administrator who defines the schema',
  'SchemaAttribute.referenceTypes': 'RFC 7643 §7: resource types, external, uri',
  'SchemaAttributeInput.referenceTypes': 'RFC 7643 §7',
  'Client.grantTypes': 'RFC 6749 §4.5: extension grants are URIs',
  'ClientFilter.grantType': 'RFC 6749 §4.5',
  'RegisterClientInput.grantTypes': 'RFC 6749 §4.5',
  'UpdateClientInput.grantTypes': 'RFC 6749 §4.5',
  'ClientFilter.scope': 'RFC 6749 §3.3',
  'Client.ownScopes': 'RFC 6749 §3.3',
  'RegisterClientInput.ownScopes': 'RFC 6749 §3.3',
  'UpdateClientInput.ownScopes': 'RFC 6749 §3.3',
  'Api.identifier': 'RFC 8707 §2: resource, an absolute URI',
  'RegisterApiInput.identifier': 'RFC 8707 §2',
  'Delegation.audiences': 'RFC 9068 §2.2: identifiers of APIs',
  'ClaimMapping.expression': 'Common Expression Language',
  'ClaimMappingInput.expression': 'Common Expression Language',
  'ApiRoleSource.role': 'RFC 9068 §2.2.3.1: a value of the API',
  'GroupApiRole.role': 'RFC 9068 §2.2.3.1',
  'ApiRoleFilter.role': 'RFC 9068 §2.2.3.1',
  'AssignApiRoleInput.role': 'RFC 9068 §2.2.3.1',
  'RemoveApiRoleInput.role': 'RFC 9068 §2.2.3.1',
  'AssignGroupApiRoleInput.role': 'RFC 9068 §2.2.3.1',
  'RemoveGroupApiRoleInput.role': 'RFC 9068 §2.2.3.1',
  'ApiScopeDescription.language': 'BCP 47',
  'ApiScopeDescriptionInput.language': 'BCP 47',
  'Session.authenticationClass': 'OpenID Connect Core §2: acr',
  'Session.authenticationMethods': 'RFC 8176: amr, a registry',
  'IssuerSubject.subject': 'OpenID Connect Core §2: sub, whatever its issuer says',
  'BindIssuerSubjectInput.subject': 'OpenID Connect Core §2: sub',
  'SignalStream.events': 'Shared Signals: URIs of event types',
  'ProvisioningLogEntry.method': 'RFC 9110: a registry; a Bulk operation says whatever its sender wrote',
  'ProvisioningLogEntry.scimType': 'RFC 7644 §3.12',
  'ProvisioningLogEntry.actorKind': 'deprecated',
  'Delivery.type': 'as in the message, also of releases to come',
  'DepartureDelivery.factType': 'as in the message',
  'AuditEntry.action': 'a log',
  'AuditEntry.resourceType': 'a log',
  'AuditLogFilter.action': 'a log',
  'AuditLogFilter.resourceType': 'a log',
  'ConnectorLogEntry.action': 'a log',
  'ConnectorLogFilter.action': 'a log',
  'SecurityEvent.action': 'a log',
  'SecurityEvent.resourceType': 'a log',
  'SecurityLogFilter.action': 'a log',
};

/** Scopes belong to the APIs that define them (RFC 6749 §3.3). */
const isScopes = (name: string): boolean => name === 'scopes';

interface Value {
  coordinate: string;
  name: string;
  type: string;
  isEnum: boolean;
}

let schema: GraphQLSchema;
const outputs: Value[] = [];
const inputs: Value[] = [];

beforeAll(async () => {
  schema = buildSchema(await composeApi());
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    const add = (
      to: Value[],
      coordinate: string,
      field: { name: string; type: Parameters<typeof getNamedType>[0] },
    ) => {
      const named = getNamedType(field.type);
      to.push({ coordinate, name: field.name, type: String(named), isEnum: isEnumType(named) });
    };
    if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) add(inputs, `${type.name}.${field.name}`, field);
    } else if (isObjectType(type) || isInterfaceType(type)) {
      for (const field of Object.values(type.getFields())) {
        add(outputs, `${type.name}.${field.name}`, field);
        for (const argument of field.args) {
          add(inputs, `${type.name}.${field.name}(${argument.name})`, argument);
        }
      }
    }
  }
});

describe('strings', () => {
  test('A field is a String only where its possible values cannot be listed, for a reason recorded in this test.', () => {
    const names = new Set(Object.values(openTexts).flatMap((list) => list.split(/\s+/)));
    const unexplained = [...outputs, ...inputs]
      .filter(({ type }) => type === 'String')
      .filter(({ name, coordinate }) => !names.has(name) && !isScopes(name) && !openByStandard[coordinate])
      .map(({ coordinate }) => coordinate);
    expect(unexplained).toEqual([]);
  });

  test('A String field with a recorded reason still exists in the schema.', () => {
    const texts = new Set(
      [...outputs, ...inputs].filter(({ type }) => type === 'String').map(({ coordinate }) => coordinate),
    );
    expect(Object.keys(openByStandard).filter((coordinate) => !texts.has(coordinate))).toEqual([]);
  });
});

test('An enum of an input is the same enum in the output.', () => {
  /** Returns the type that an input or a filter refers to: `Client` for `UpdateClientInput` and `ClientFilter`. */
  const ofInput = (coordinate: string): string =>
    (coordinate.split('.')[0] ?? '')
      .replace(/^(?:Create|Update|Register|Add|Delete|Revoke|Rotate)(?=[A-Z])/, '')
      .replace(/(?:Input|Filter)$/, '');
  const texts = new Map(outputs.map((output) => [output.coordinate, output]));
  const wrong = inputs.flatMap(({ coordinate, name, type, isEnum }) => {
    const output = isEnum ? texts.get(`${ofInput(coordinate)}.${name}`) : undefined;
    return output && output.type !== type && !openByStandard[output.coordinate]
      ? [`${coordinate}: ${type}, ${output.coordinate}: ${output.type}`]
      : [];
  });
  expect(wrong).toEqual([]);
  // Conversely, a filter on an enum field accepts that enum.
  const narrow = inputs.flatMap(({ coordinate, name, type }) => {
    const output = texts.get(`${ofInput(coordinate)}.${name}`);
    return output?.isEnum && output.type !== type ? [`${coordinate}: ${type}, not ${output.type}`] : [];
  });
  expect(narrow).toEqual([]);
});

test('Enum values follow the GraphQL naming convention, each with a description.', () => {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isEnumType(type) || type.name.startsWith('__')) continue;
    for (const value of type.getValues()) {
      expect([type.name, value.name]).toEqual([type.name, expect.stringMatching(/^[A-Z][A-Z0-9_]*$/)]);
      expect([type.name, value.name, value.description ?? '']).toEqual([
        type.name,
        value.name,
        expect.stringMatching(/\S/),
      ]);
    }
  }
});

test('The guide states that a new enum value is not a breaking change, and that clients must expect it.', () => {
  const page = readFileSync(new URL('../../../docs/guides/change-the-schema.md', import.meta.url), 'utf8');
  expect(page).toMatch(/## How the schema grows/);
});
