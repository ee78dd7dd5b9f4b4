import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { protectionNames } from '@ostiary/access';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';
import { ask } from './answers.ts';
import { type Conversation, conversations, deviceRequestsPerMinute, type Ways } from './conversations.ts';
import { Ingress } from './ingress.ts';
import { type Attack, attacks } from './protections.ts';
import { perimeterWorld } from './world.ts';

// Includes the timeout of slow clients.
const page = readFileSync(
  fileURLToPath(new URL('../../docs/guides/route-at-the-ingress.md', import.meta.url)),
  'utf8',
);

let own: OwnSystem;
let ingress: Ingress;
/** Adds `X-Forwarded-For` and no other header. */
let plainIngress: Ingress;
let ways: Ways;
/** Conversations that were started early. */
const begun = new Map<Conversation, ReturnType<Conversation['hold']>>();

beforeAll(async () => {
  own = await ownSystem({ of: { auth: { DEVICE_REQUESTS_PER_MINUTE: String(deviceRequestsPerMinute) } } });
  const { host } = new URL(own.demo.origin);
  ingress = await Ingress.start(own.system.urls, host);
  plainIngress = await Ingress.start(own.system.urls, host, { addsAddressOnly: true });
  const world = await perimeterWorld(own.demo);
  const gateway = Number(new URL(own.system.urls.gateway).port);
  ways = { own, world, host, gateway, ingress: ingress.port };
  for (const conversation of Object.values(conversations).flat()) {
    if (!conversation.waits) continue;
    const held = conversation.hold(ways);
    // The failure is reported by the conversation's own test.
    held.catch(() => undefined);
    begun.set(conversation, held);
  }
});
afterAll(async () => {
  await ingress?.stop();
  await plainIngress?.stop();
  await own?.stop();
});

async function launch(attack: Attack): Promise<void> {
  const { what, status, inOwnWords, asWithoutHeaders, says = {} } = attack;
  const [through, past, plain] = await Promise.all([
    ask(ways.gateway, ways.host, attack),
    ask(ways.ingress, ways.host, attack),
    ask(plainIngress.port, ways.host, attack),
  ]);
  expect([what, through.status, past.status, plain.status]).toEqual([what, status, status, status]);
  expect([what, through.besides, past.besides, plain.besides]).toEqual([what, [], [], []]);
  if (!inOwnWords) expect([what, past, plain]).toEqual([what, through, through]);
  const { headers: _, ...bare } = attack;
  if (asWithoutHeaders) expect([what, through]).toEqual([what, await ask(ways.gateway, ways.host, bare)]);
  for (const [name, value] of Object.entries(says))
    expect([what, name, through.headers[name]]).toEqual([what, name, value]);
}

describe.each(protectionNames)('The protection "%s"', (name) => {
  const single = attacks[name];
  const several = conversations[name] ?? [];

  test('The protection has attacks.', () => {
    expect((single === undefined ? 0 : 1) + several.length).toBeGreaterThan(0);
  });

  test('The protection has a row in the guide.', () => {
    expect(page).toContain(`| ${name} |`);
  });

  if (single !== undefined) {
    test('The protection is the same through the gateway and through an ingress that routes to the services.', async () => {
      for (const attack of single(ways.world)) await launch(attack);
    });
  }

  for (const conversation of several) {
    test(`The protection is the same on both routes for this: ${conversation.what}.`, async () => {
      const { through, past, expected } = await (begun.get(conversation) ?? conversation.hold(ways));
      expect({ through, past }).toEqual({ through: expected, past: expected });
    });
  }
});

test('The guide and the attacks cover exactly the existing protections.', () => {
  const table = page.slice(page.indexOf('| protection |'));
  const rows = table.split('\n\n', 1)[0]?.split('\n').slice(2) ?? [];
  expect(rows.map((row) => row.split('|')[1]?.trim())).toEqual([...protectionNames]);
  const attacked = new Set<string>([...Object.keys(attacks), ...Object.keys(conversations)]);
  expect([...attacked].sort()).toEqual([...protectionNames].sort());
});
