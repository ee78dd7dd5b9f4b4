import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordSkip } from '@ostiary/service/testing';
import { beginningWithTrust } from '../support/engines/begins.ts';
import {
  type Certificates,
  issueCertificates,
  opensslPath,
  tlsParameters,
} from '../support/engines/certificates.ts';
import {
  addressesFor,
  freeRedisPort,
  RedisProcess,
  redisServerPath,
  users,
} from '../support/engines/redis-process.ts';

if (!redisServerPath || !opensslPath)
  recordSkip('redis-server or openssl is missing (apt: redis-server openssl)');
const describeWithRedis = redisServerPath && opensslPath ? describe : describe.skip;

describeWithRedis('A single Redis server with TLS', () => {
  let folder: string;
  let tls: Certificates;
  let server: RedisProcess;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ostiary-redis-tls-'));
    tls = await issueCertificates(join(folder, 'tls'));
    await writeFile(join(folder, 'users.acl'), `${users().join('\n')}\n`);
    server = new RedisProcess(await freeRedisPort(), folder, ['--aclfile', 'users.acl', '--save', ''], {
      tls,
    });
    await server.start();
  });

  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('A process starts at a rediss address with the authority and name of the certificate, and does not start with others.', async () => {
    const env = addressesFor('rediss', `${server.host}?${tlsParameters(tls)}`);
    const { accepted, refusals } = await beginningWithTrust({ env, tls });
    expect(accepted).toBe('');
    expect(refusals).toHaveLength(4);
    for (const refusal of refusals)
      expect(refusal).toMatch(/REDIS_URL points to a server whose certificate is not trusted \([A-Z_]+\)/);
  });
});
