import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { inParallel } from '../../authorization/matrix.ts';
import { unique } from '../../support/demo.ts';
import { type GraphAnswer, graph } from '../../support/graph.ts';
import { type Asking, demo, malformed, prepare, unknown, without } from './ids.ts';
import { nameOf, type Others, type Place, places, written } from './places.ts';

let foreign: Asking['foreign'];
let tokens: Asking['tokens'];
let own: Asking['own'];

beforeAll(async () => {
  ({ foreign, tokens, own } = await prepare());
});

/** Ids of objects that the mutation creates. */
const names = new Set(['mutation createTenant(input.id:)', 'mutation createSchema(input.id:)']);

/** A tenant's log contains the requests of its sources, including ids of other tenants. */
const ownWords = new Set(['query provisioningLog(resourceId:)']);

/** Returns the other fields of an input, so that only the id is invalid. */
function othersOf({ field, path }: Place): Others {
  const isMember = path.at(-1) === 'memberIds';
  const last = path.at(-1) ?? '';
  const others: Record<string, Others> = {
    createGroup: { 'input.displayName': JSON.stringify(unique('never')) },
    createTrustedIssuer: {
      'input.name': '"never"',
      'input.issuer': JSON.stringify(`https://${unique('issuer')}.test`),
      'input.jwksUri': '"https://issuer.test/jwks"',
      'input.clientIds': `["${own.client}"]`,
      'input.scopes': '["users:read"]',
      'input.subjectMapping': last === 'source' ? 'EXTERNAL_ID' : 'USER_NAME',
    },
    revokeConnectorToken: last === 'tokenId' ? { 'input.id': `"${own.connector}"` } : {},
    updateClient: last === 'id' ? {} : { 'input.id': `"${own.client}"` },
    updateConnector: last === 'id' ? {} : { 'input.id': `"${own.connector}"` },
    registerClient: { 'input.scopes': '["users:read"]', 'input.grantTypes': '["client_credentials"]' },
    updateTenantPolicy:
      last === 'id'
        ? { 'input.uniqueGroupNames': 'false' }
        : { 'input.ownedCredentialsOnOffboarding': 'HAND_OVER' },
    assignRole: { 'input.role': 'AUDITOR' },
  };
  return { ...(isMember ? { 'input.groupId': `"${own.group}"` } : {}), ...others[field.name] };
}

/** Returns the result of one of several root fields. */
function part({ data, errors }: GraphAnswer, name: string, id: string): string {
  const own = errors.filter(({ path }) => path?.[0] === name);
  return without(
    {
      value: data?.[name],
      errors: own.map(({ message, path, extensions }) => [message, path?.slice(1), extensions?.code]),
    },
    id,
  );
}

async function answersTo(place: Place, token: string, ids: readonly string[]): Promise<string[]> {
  const answers: string[] = [];
  for (let start = 0; start < ids.length; start += 12) {
    const some = ids.slice(start, start + 12);
    const fields = some.map((id, index) => `a${index}: ${written(place, id, othersOf(place))}`);
    // Twelve changes in one operation may exceed the timeout of a subgraph on a busy machine.
    const answer = await eventually(
      () => graph(demo, token, `${place.root} { ${fields.join(' ')} }`),
      ({ errors }) => errors.every(({ extensions }) => extensions?.code !== 'SERVICE_UNAVAILABLE'),
    );
    if (answer.data === undefined || answer.data === null)
      throw new Error(`${fields[0]}: ${JSON.stringify(answer.errors)}`);
    answers.push(...some.map((id, index) => part(answer, `a${index}`, id)));
  }
  return answers;
}

describe('ids in the graph', () => {
  const asked = places.filter((place) => place.root !== 'subscription' && !names.has(nameOf(place)));

  test('Every argument that takes an id returns the same for a malformed, a foreign and an unknown id.', async () => {
    expect(asked.length).toBeGreaterThan(100);
    const differences: unknown[] = [];
    const compare = async (place: Place): Promise<void> => {
      for (const token of new Set([tokens.app, tokens.person])) {
        const ids = [unknown, randomUUID(), ...malformed, ...(ownWords.has(nameOf(place)) ? [] : foreign)];
        const [expected, ...others] = await answersTo(place, token, ids);
        for (const [index, answer] of others.entries()) {
          if (answer !== expected) {
            differences.push([
              nameOf(place),
              token === tokens.app ? 'app' : 'person',
              ids[index + 1],
              answer,
              expected,
            ]);
          }
        }
      }
    };
    await inParallel(
      asked.map((place) => () => compare(place)),
      6,
    );
    expect(differences).toEqual([]);
  });
});
