import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { protectionNames } from '@ostiary/access';
import { rawExchange } from '../../libs/service/test/support/raw-exchange.ts';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';
import { conversations, deviceRequestsPerMinute, type Ways } from './conversations.ts';
import { Ingress } from './ingress.ts';
import { type Attack, attacks } from './protections.ts';
import { perimeterWorld } from './world.ts';

// A slow client is waited for.
jest.setTimeout(180_000);

const page = readFileSync(
  fileURLToPath(new URL('../../docs/guides/route-at-the-ingress.md', import.meta.url)),
  'utf8',
);

let own: OwnSystem;
let ingress: Ingress;
let ways: Ways;

beforeAll(async () => {
  own = await ownSystem({ of: { auth: { DEVICE_REQUESTS_PER_MINUTE: String(deviceRequestsPerMinute) } } });
  const { host } = new URL(own.demo.origin);
  ingress = await Ingress.start(own.system.urls, host);
  const world = await perimeterWorld(own.demo);
  const gateway = Number(new URL(own.system.urls.gateway).port);
  ways = { own, world, host, gateway, ingress: ingress.port };
});
afterAll(async () => {
  await ingress?.stop();
  await own?.stop();
});

interface Answer {
  status: number;
  /** How many answers came: what was hidden in a request must have none. */
  answers: number;
  headers: Record<string, string>;
  body: string;
}

/** What each hop says for itself, and what no two answers have in common. */
const notCompared = new Set([
  'connection',
  'date',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'x-request-id',
  'dpop-nonce',
]);

function read(text: string): Answer {
  const end = text.indexOf('\r\n\r\n');
  const [line = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers: Record<string, string> = {};
  for (const one of lines) {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(one) ?? [];
    if (!notCompared.has(name.toLowerCase()))
      headers[name.toLowerCase()] =
        name.toLowerCase() === 'ratelimit' ? value.replaceAll(/\d+/g, 'n') : value;
  }
  const answers = text.match(/HTTP\/1\.1 \d{3} /g)?.length ?? 0;
  const [, id] = /^x-request-id: (.*)$/im.exec(text) ?? [];
  const body = text
    .slice(end + 4)
    .split(id ?? '\0')
    .join('(id)');
  return { status: Number(line.split(' ')[1] ?? 0), headers, body: withoutChunks(body, text), answers };
}

const withoutChunks = (body: string, text: string): string =>
  /^transfer-encoding: chunked/im.test(text) ? body.replaceAll(/^[0-9a-f]+\r\n|\r\n/gim, '') : body;

const ask = async (port: number, { line, headers = [], body = '' }: Attack): Promise<Answer> => {
  const close = headers.some((header) => header.startsWith('Connection:')) ? [] : ['Connection: close'];
  return read(await rawExchange(port, [line, `Host: ${ways.host}`, ...close, ...headers], body));
};

async function launch(attack: Attack): Promise<void> {
  const { what, status, inOwnWords, asWithoutHeaders, says = {} } = attack;
  const [through, past] = await Promise.all([ask(ways.gateway, attack), ask(ways.ingress, attack)]);
  expect([what, through.status, past.status]).toEqual([what, status, status]);
  expect([what, through.answers, past.answers]).toEqual([what, Math.sign(status), Math.sign(status)]);
  if (!inOwnWords) expect([what, past]).toEqual([what, through]);
  const { headers: _, ...bare } = attack;
  if (asWithoutHeaders) expect([what, through]).toEqual([what, await ask(ways.gateway, bare)]);
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
    test('The protection is the same through the gateway and through an ingress that leads to the services.', async () => {
      for (const attack of single(ways.world)) await launch(attack);
    });
  }

  for (const { what, hold } of several) {
    test(`The protection is the same both ways for this: ${what}.`, async () => {
      const { through, past, expected } = await hold(ways);
      expect({ through, past }).toEqual({ through: expected, past: expected });
    });
  }
});

test('The guide and the attacks are about the protections that there are, and about no other.', () => {
  const table = page.slice(page.indexOf('| protection |'));
  const rows = table.split('\n\n', 1)[0]?.split('\n').slice(2) ?? [];
  expect(rows.map((row) => row.split('|')[1]?.trim())).toEqual([...protectionNames]);
  const attacked = new Set<string>([...Object.keys(attacks), ...Object.keys(conversations)]);
  expect([...attacked].sort()).toEqual([...protectionNames].sort());
});
