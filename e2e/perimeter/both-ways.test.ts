import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rawExchange } from '../../libs/service/test/support/raw-exchange.ts';
import { runningDemo } from '../support/demo.ts';
import { type Backend, Ingress } from './ingress.ts';
import { type Attack, protections } from './protections.ts';
import { type PerimeterWorld, perimeterWorld } from './world.ts';

const demo = runningDemo();
const { urls } = JSON.parse(readFileSync(process.env.OSTIARY_E2E_SYSTEM ?? '', 'utf8')) as {
  urls: Record<Backend, string>;
};
const page = readFileSync(
  fileURLToPath(new URL('../../docs/guides/route-at-the-ingress.md', import.meta.url)),
  'utf8',
);

let ingress: Ingress;
let world: PerimeterWorld;
const { host } = new URL(demo.origin);

beforeAll(async () => {
  ingress = await Ingress.start(urls, host);
  world = await perimeterWorld(demo);
});
afterAll(() => ingress.stop());

interface Answer {
  status: number;
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
  const [, id] = /^x-request-id: (.*)$/im.exec(text) ?? [];
  const body = text
    .slice(end + 4)
    .split(id ?? '\0')
    .join('(id)');
  return { status: Number(line.split(' ')[1]), headers, body: withoutChunks(body, text) };
}

const withoutChunks = (body: string, text: string): string =>
  /^transfer-encoding: chunked/im.test(text) ? body.replaceAll(/^[0-9a-f]+\r\n|\r\n/gim, '') : body;

const ask = async (port: number, { line, headers = [], body = '' }: Attack): Promise<Answer> =>
  read(await rawExchange(port, [line, `Host: ${host}`, 'Connection: close', ...headers], body));

describe.each(protections.map((protection) => [protection.name, protection] as const))(
  'The protection "%s"',
  (name, { attacks }) => {
    test('The protection is the same through the gateway and through an ingress that leads to the services.', async () => {
      const gateway = Number(new URL(urls.gateway).port);
      for (const attack of attacks(world)) {
        const [through, past] = await Promise.all([ask(gateway, attack), ask(ingress.port, attack)]);
        expect([attack.what, through.status]).toEqual([attack.what, attack.status]);
        if (attack.inOwnWords) expect([attack.what, past.status]).toEqual([attack.what, attack.status]);
        else expect([attack.what, past]).toEqual([attack.what, through]);
      }
    });

    test('The protection has a row in the guide.', () => {
      expect(page).toContain(`| ${name} |`);
    });
  },
);

test('Every protection of the guide has its attacks.', () => {
  const table = page.slice(page.indexOf('| protection |'));
  const rows = table.split('\n\n', 1)[0]?.split('\n').slice(2) ?? [];
  const named = rows.map((row) => row.split('|')[1]?.trim());
  expect(named).toEqual(protections.map(({ name }) => name));
});
