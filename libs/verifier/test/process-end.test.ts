import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { audience, clientId, clientSecret, StubIssuer } from './support/stub-issuer.ts';

let issuer: StubIssuer;

beforeAll(async () => {
  issuer = await new StubIssuer().start();
});

afterAll(() => issuer.stop());

test('A program that follows the feed ends when it has no other work.', async () => {
  const program = `
    import { ostiary } from ${JSON.stringify(join(import.meta.dirname, '..', 'src', 'index.ts'))};
    const verify = ostiary(${JSON.stringify({ issuer: issuer.issuer, audience, clientId, clientSecret })});
    await verify.ready();
    const principal = await verify(${JSON.stringify(await issuer.bearer())});
    verify.onRevoked(principal, () => {});
    process.stdout.write(principal.subject);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  expect([code, output]).toEqual([0, 'user-1']);
});
