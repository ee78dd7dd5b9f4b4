import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EnvironmentError, parseEnv, parseRedisAddress, redisEnv } from '../../src/index.ts';

let folder: string;
let pem: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ostiary-address-'));
  pem = join(folder, 'ca.pem');
  await writeFile(pem, '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n');
});
afterAll(() => rm(folder, { recursive: true }));

describe('REDIS_URL', () => {
  test('A URL of one server has host, port, user, password and database.', () => {
    expect(parseRedisAddress('redis://valkey')).toEqual({
      mode: 'standalone',
      hosts: [{ host: 'valkey', port: 6379 }],
      db: 0,
    });
    expect(parseRedisAddress('redis://some%40one:a%2Fb@[::1]:7000/3')).toEqual({
      mode: 'standalone',
      hosts: [{ host: '::1', port: 7000 }],
      username: 'some@one',
      password: 'a/b',
      db: 3,
    });
    expect(parseRedisAddress('redis://:secret@valkey/')).toMatchObject({ password: 'secret', db: 0 });
  });

  test('A URL of Sentinels has their addresses, the name of the primary, and the credentials for each.', () => {
    const url =
      'redis+sentinel://app:pass@s1,s2:26380/primary/2?sentinel_username=watcher&sentinel_password=a%2Bb+c';
    expect(parseRedisAddress(url)).toEqual({
      mode: 'sentinel',
      hosts: [
        { host: 's1', port: 26379 },
        { host: 's2', port: 26380 },
      ],
      username: 'app',
      password: 'pass',
      master: 'primary',
      db: 2,
      sentinel: { username: 'watcher', password: 'a+b+c' },
    });
  });

  test('A URL of a cluster has some of its nodes.', () => {
    expect(parseRedisAddress('redis+cluster://app:pass@n1:7001,n2:7002')).toEqual({
      mode: 'cluster',
      hosts: [
        { host: 'n1', port: 7001 },
        { host: 'n2', port: 7002 },
      ],
      username: 'app',
      password: 'pass',
    });
  });

  test('For TLS, the files are read, and the server name is kept.', () => {
    const address = parseRedisAddress(`rediss+cluster://n1?ca=${pem}&servername=redis.internal`);
    expect(address.tls).toEqual({
      ca: expect.stringContaining('BEGIN CERTIFICATE'),
      servername: 'redis.internal',
    });
    expect(parseRedisAddress('rediss://n1').tls).toEqual({});
    expect(parseRedisAddress('redis://n1').tls).toBeUndefined();
  });

  test.each([
    ['http://valkey', /^must begin with one of redis:\/\/, rediss:\/\//],
    ['valkey:6379', /^must begin with one of/],
    ['constructor://valkey', /^must begin with one of/],
    ['redis://', /^must name a host/],
    ['redis://one,two', /^must name one host/],
    ['redis://one:70000', /^must name ports between/],
    ['redis://one:secret-port', /^must name a host/],
    ['redis://one/zero', /^must end with the number of a database/],
    ['redis+sentinel://s1,s2', /^must name the primary that the Sentinels watch/],
    ['redis+sentinel://s1,,s2/primary', /^must name a host/],
    ['redis+cluster://n1/1', /^must name no database but 0/],
    ['redis://valkey?ca=/none', /^must begin with rediss:/],
    ['rediss://valkey?ca=/none/secret', /^must name a readable PEM file as ca/],
    ['rediss://valkey?sentinel_password=secret', /^must have no parameters but/],
    ['redis://valkey?family=6', /^must have no parameters but/],
    ['redis://us%er:secret@valkey', /^must have %25 for each %/],
  ])('The URL %s is rejected with a sentence that repeats nothing of it.', (url, sentence) => {
    expect(() => parseEnv(redisEnv, { REDIS_URL: url })).toThrow(EnvironmentError);
    expect(() => parseRedisAddress(url)).toThrow(sentence);
    expect(() => parseRedisAddress(url)).toThrow(expect.not.objectContaining({ message: /secret/ }));
  });

  test('A certificate without its key is rejected, and so is a file without a certificate.', async () => {
    const text = join(folder, 'notes.txt');
    await writeFile(text, 'no certificate');
    expect(() => parseRedisAddress(`rediss://valkey?cert=${pem}`)).toThrow('both cert and key');
    expect(() => parseRedisAddress(`rediss://valkey?ca=${text}`)).toThrow('a readable PEM file');
  });
});
