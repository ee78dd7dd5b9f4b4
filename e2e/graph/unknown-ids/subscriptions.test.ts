import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { decodeJwt } from 'jose';
import { unique } from '../../support/demo.ts';
import { graph } from '../../support/graph.ts';
import { connect, type LiveSocket, listen, type Subscriber } from '../../support/live.ts';
import { ScimClient } from '../../support/scim.ts';
import { signIn } from '../../support/sign-in.ts';
import { type Asking, demo, malformed, ours, prepare, rival, unknown } from './ids.ts';
import { nameOf, places, written } from './places.ts';

let foreign: Asking['foreign'];
let tokens: Asking['tokens'];
let own: Asking['own'];

beforeAll(async () => {
  ({ foreign, tokens, own } = await prepare());
});

describe('subscriptions', () => {
  const asked = places.filter((place) => place.root === 'subscription');
  const fields = new Set(asked.map(({ field }) => field.name));
  const rename = (client: ScimClient, path: string) =>
    client.patch(path, [{ op: 'replace', path: 'displayName', value: unique('renamed') }]);

  /** Outcome of each id, by the place in the arguments. */
  type Outcomes = Map<string, { id: string; subscriber: Subscriber }[]>;

  async function overEventStreams(ids: readonly string[]): Promise<{ outcomes: Outcomes; stop: () => void }> {
    const outcomes: Outcomes = new Map();
    for (const place of asked) {
      const opening = ids.map(async (id) => {
        const query = `subscription { ${written(place, id, {})} }`;
        return { id, subscriber: await listen(demo.graphql, tokens.app, { query }) };
      });
      outcomes.set(nameOf(place), await Promise.all(opening));
    }
    return { outcomes, stop: () => stopAll(outcomes) };
  }

  async function overWebSockets(ids: readonly string[]): Promise<{ outcomes: Outcomes; stop: () => void }> {
    const outcomes: Outcomes = new Map();
    const sockets: LiveSocket[] = [];
    const open = async (): Promise<LiveSocket> => {
      const socket = connect(demo.graphql, { authorization: `Bearer ${tokens.app}` });
      sockets.push(socket);
      await socket.acknowledged;
      return socket;
    };
    for (const place of asked) {
      const opened: { id: string; subscriber: Subscriber }[] = [];
      for (let start = 0; start < ids.length; start += 20) {
        const socket = await open();
        for (const id of ids.slice(start, start + 20)) {
          const query = `subscription { ${written(place, id, {})} }`;
          opened.push({ id, subscriber: socket.subscribe({ query }) });
        }
      }
      outcomes.set(nameOf(place), opened);
    }
    return {
      outcomes,
      stop: () => {
        stopAll(outcomes);
        for (const socket of sockets) socket.close();
      },
    };
  }

  const stopAll = (outcomes: Outcomes): void => {
    for (const { subscriber } of [...outcomes.values()].flat()) subscriber.stop();
  };

  /** Causes changes in both tenants until each subscription without ids has received an event. */
  async function everythingHappens(here: string, elsewhere: string): Promise<void> {
    const witnesses = await Promise.all(
      [...fields].map((name) =>
        listen(demo.graphql, tokens.app, { query: `subscription { ${name} { __typename } }` }),
      ),
    );
    const [mine, theirs] = [rival, ours].map((tenant) => new ScimClient(tenant, tenant.clients.scim.token));
    await eventually(
      async () => {
        await rename(theirs as ScimClient, `/Users/${elsewhere}`);
        await rename(mine as ScimClient, `/Users/${here}`);
        await rename(mine as ScimClient, `/Groups/${own.group}`);
        const { tokens: signedIn } = await signIn(demo, rival, rival.users.admin);
        const revoke = 'mutation ($id: ID!) { revokeSession(input: { id: $id }) { problems { message } } }';
        await graph(demo, tokens.app, revoke, { id: decodeJwt(signedIn.access_token).sid });
        return witnesses.filter(({ results }) => results.length === 0).length;
      },
      (silent) => silent === 0,
    );
    for (const witness of witnesses) witness.stop();
  }

  test.each([
    ['server-sent events', overEventStreams],
    ['WebSockets', overWebSockets],
  ] as const)(
    'Over %s, a malformed id and another tenant’s id receive as much as an unknown one.',
    async (_how, by) => {
      expect(fields.size).toBeGreaterThan(3);
      const [mine, theirs] = [rival, ours].map((tenant) => new ScimClient(tenant, tenant.clients.scim.token));
      const { id: here } = await (mine as ScimClient).createUser({ userName: unique('here') });
      const { id: elsewhere } = await (theirs as ScimClient).createUser({ userName: unique('elsewhere') });
      const ids = [unknown, randomUUID(), ...malformed, ...foreign.slice(0, 8), elsewhere];
      const { outcomes, stop } = await by(ids);
      await everythingHappens(here, elsewhere);
      const said: unknown[] = [];
      for (const [place, opened] of outcomes) {
        for (const { id, subscriber } of opened) {
          const end = await Promise.race([subscriber.ended, undefined]);
          // The subscription stays open and receives no event, as for an unknown id.
          if (end !== undefined || subscriber.results.length > 0)
            said.push([place, id, String(end), subscriber.results]);
        }
      }
      stop();
      expect(said).toEqual([]);
    },
  );
});
