import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { HttpPeer } from '@ostiary/service';
import { RemoteKeys } from '../src/index.ts';
import { TestIssuer } from './issuer.ts';

const issuer = new TestIssuer();
let peer: HttpPeer;

beforeAll(async () => {
  peer = new HttpPeer({ name: 'auth', origin: await issuer.start([]), connections: 8 });
});

afterAll(async () => {
  await peer.close();
  await issuer.stop();
});

test('The keys of ten thousand tenants, requested one after the other, are fetched once.', async () => {
  const keys = new RemoteKeys(peer, () => 0);
  const tenants = Array.from({ length: 10_000 }, (_, n) => `tenant-${n}`);
  const all = async () => {
    for (let start = 0; start < tenants.length; start += 500)
      await Promise.allSettled(tenants.slice(start, start + 500).map((tenant) => keys.keys(tenant, false)));
  };
  await all();
  expect(issuer.calls).toHaveLength(tenants.length);
  await all();
  expect(issuer.calls).toHaveLength(tenants.length);
});
