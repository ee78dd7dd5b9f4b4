import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { recordSkip } from '@ostiary/service/testing';
import { newHome, ostiary } from './command-line.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
if (!hasOpenssl) recordSkip('openssl is missing (apt: openssl)');

const folder = newHome();
const openssl = (...args: string[]): unknown => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/**
 * Runs `ostiary doctor` against a server whose certificate is signed by a private CA. @param trusted whether the CA is
 * in NODE_EXTRA_CA_CERTS
 */
async function behind(
  { days, name }: { days: number; name: string },
  trusted: boolean,
): Promise<{ code: number | null; of(check: string): unknown }> {
  writeFileSync(join(folder, 'extensions'), `subjectAltName=DNS:${name}`);
  openssl('req', ...newKey, '-keyout', 'server.key', '-out', 'server.csr', '-subj', `/CN=${name}`);
  const authority = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
  openssl(
    ...['x509', '-req', '-in', 'server.csr', ...authority, '-days', `${days}`],
    ...['-extfile', 'extensions', '-out', 'server.pem'],
  );
  const [key, cert] = ['server.key', 'server.pem'].map((file) => readFileSync(join(folder, file), 'utf8'));
  const server = createServer({ key, cert }, (_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{"status":"ready","dependencies":{}}');
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  const { code, json } = await ostiary(['doctor', '--server', origin, '--json'], {
    HOME: folder,
    ...(trusted ? { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') } : {}),
  });
  server.closeAllConnections();
  server.close();
  return {
    code,
    of: (check) => (json as { check: string }[]).find((finding) => finding.check === check),
  };
}

(hasOpenssl ? describe : describe.skip)('The certificate checks of ostiary doctor', () => {
  beforeAll(() => {
    openssl(
      ...[
        'req',
        '-x509',
        ...newKey,
        '-keyout',
        'ca.key',
        '-out',
        'ca.pem',
        '-days',
        '300',
        '-subj',
        '/CN=ours',
      ],
    );
  });

  test('A certificate of a private CA is trusted if NODE_EXTRA_CA_CERTS names the CA; otherwise the remedy states how.', async () => {
    const good = { days: 100, name: 'localhost' };
    const { code, of } = await behind(good, true);
    expect([code, of('TLS')]).toMatchObject([
      0,
      { state: 'well', found: expect.stringContaining('99 days') },
    ]);
    const untrusted = await behind(good, false);
    expect([untrusted.code, untrusted.of('server')]).toMatchObject([
      7,
      { state: 'wrong', remedy: expect.stringContaining('NODE_EXTRA_CA_CERTS') },
    ]);
  });

  test.each([
    ['expires in days', { days: 5, name: 'localhost' }, 'TLS', /expires in 4 days/, /Renew/],
    ['has expired', { days: -1, name: 'localhost' }, 'server', /has expired/, /Renew/],
    ['is for another name', { days: 100, name: 'other.example' }, 'server', /another name/, /name/],
  ] as const)(
    'A certificate that %s is reported with a remedy.',
    async (_, certificate, check, found, remedy) => {
      const { code, of } = await behind(certificate, true);
      expect([code, of(check)]).toMatchObject([
        7,
        { state: 'wrong', found: expect.stringMatching(found), remedy: expect.stringMatching(remedy) },
      ]);
    },
  );
});
