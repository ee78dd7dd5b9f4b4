import { describe, expect, test } from '@jest/globals';
import {
  createKit,
  isUnderCurrent,
  type KeptKeyStore,
  KeptKeys,
  keyRing,
  NotOurs,
  openBytes,
  ServiceUnavailable,
  Signatures,
  sealBytes,
} from '../../src/index.ts';

const [former, next, other] = [1, 2, 3].map((n) => Buffer.alloc(32, n)) as [Buffer, Buffer, Buffer];
const steps = [keyRing(former), keyRing(former, next), keyRing(next, former), keyRing(next)];

describe('sealed messages', () => {
  const place = ['jobs', 'events-auth'] as const;

  test('Sealed messages are read by processes of the previous key step and of the next one.', () => {
    for (const [index, ring] of steps.entries()) {
      const sealed = new Signatures(ring).seal(...place, 'text');
      for (const neighbour of steps.slice(Math.max(0, index - 1), index + 2))
        expect(new Signatures(neighbour).open(...place, sealed)).toBe('text');
    }
  });

  test('Sealed messages reveal nothing, not even equality, and do not open elsewhere, changed or truncated.', () => {
    const signatures = new Signatures(keyRing(former));
    const sealed = signatures.seal(...place, 'alice@example.com');
    expect(signatures.seal(...place, 'alice@example.com')).not.toBe(sealed);
    expect(Buffer.from(sealed.split('.')[1] ?? '', 'base64url').toString('latin1')).not.toContain('alice');
    expect(signatures.open('jobs', 'events-provisioning', sealed)).toBeUndefined();
    expect(new Signatures(keyRing(other)).open(...place, sealed)).toBeUndefined();
    const bytes = Buffer.from(sealed.split('.')[1] ?? '', 'base64url');
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const text = `${sealed.split('.')[0]}.${changed.toString('base64url')}`;
      expect(signatures.open(...place, text)).toBeUndefined();
      expect(
        signatures.open(...place, `${sealed.split('.')[0]}.${bytes.subarray(0, at).toString('base64url')}`),
      ).toBeUndefined();
    }
    for (const nothing of ['', 'x', '.', undefined, {}])
      expect(signatures.open(...place, nothing)).toBeUndefined();
  });
});

describe('sealed bytes', () => {
  test('Sealed bytes are read by processes of the previous key step and of the next one.', () => {
    for (const [index, ring] of steps.entries()) {
      const sealed = sealBytes(ring, Buffer.from('text'), 'place');
      for (const neighbour of steps.slice(Math.max(0, index - 1), index + 2)) {
        expect(openBytes(neighbour, sealed, 'place').toString()).toBe('text');
      }
    }
  });

  test('Sealed bytes show which key they are sealed with while two are valid.', () => {
    const [, announced, switched] = steps as [never, (typeof steps)[0], (typeof steps)[0]];
    const sealed = sealBytes(announced, Buffer.from('text'), 'place');
    expect([isUnderCurrent(announced, sealed), isUnderCurrent(switched, sealed)]).toEqual([true, false]);
  });

  test.each(steps.map((ring, step) => [step, ring] as const))(
    'Sealed bytes do not open changed, elsewhere or with another key (step %s).',
    (_step, ring) => {
      const sealed = sealBytes(ring, Buffer.from('text'), 'place');
      for (let at = 0; at < sealed.length; at += 1) {
        const changed = Buffer.from(sealed);
        changed[at] = (changed[at] ?? 0) ^ 1;
        expect(() => openBytes(ring, changed, 'place')).toThrow(NotOurs);
      }
      for (const length of [0, 1, 5, 28, sealed.length - 1]) {
        expect(() => openBytes(ring, sealed.subarray(0, length), 'place')).toThrow(NotOurs);
      }
      expect(() => openBytes(ring, sealed, 'another place')).toThrow(NotOurs);
      expect(() => openBytes(keyRing(other), sealed, 'place')).toThrow(NotOurs);
    },
  );
});

describe('kept keys', () => {
  function store(): KeptKeyStore & { rows: Map<string, Buffer>; away: boolean } {
    const rows = new Map<string, Buffer>();
    const self = {
      rows,
      away: false,
      async all() {
        if (self.away) throw new ServiceUnavailable('postgresql');
        return [...rows].map(([purpose, sealed]) => ({ purpose, sealed }));
      },
      async add(added: readonly { purpose: string; sealed: Buffer }[]) {
        for (const { purpose, sealed } of added) if (!rows.has(purpose)) rows.set(purpose, sealed);
      },
      async replace(row: { purpose: string; before: Buffer; after: Buffer }) {
        if (rows.get(row.purpose)?.equals(row.before)) rows.set(row.purpose, row.after);
      },
    };
    return self;
  }
  const kit = () => createKit({ name: 'test', logLevel: 'silent' });
  const keys = (of: KeptKeyStore, ring: (typeof steps)[0], o: { of?: typeof ring.current } = {}) =>
    new KeptKeys({
      variable: 'THE_KEY',
      masters: ring,
      ring,
      purposes: ['a', 'b'],
      derive: (master, purpose) => Buffer.concat([master, Buffer.from(purpose)]),
      store: of,
      master: async () => o.of,
      kit: kit(),
    });

  test('Kept keys keep their first value through all steps of a key replacement.', async () => {
    const rows = store();
    for (const ring of steps) {
      const kept = keys(rows, ring);
      await kept.start();
      expect(kept.of('a')()).toEqual(Buffer.concat([former, Buffer.from('a')]));
    }
    await expect(keys(rows, keyRing(former)).start()).rejects.toThrow(
      'THE_KEY is not the key that encrypts this database. Set the previous key as THE_KEY_SECOND',
    );
  });

  test('Keys first kept during a replacement are derived from the key that the database is encrypted with.', async () => {
    const ring = keyRing(next, former);
    const kept = keys(store(), ring, { of: ring.all[1] as typeof ring.current });
    await kept.start();
    expect(kept.of('b')()).toEqual(Buffer.concat([former, Buffer.from('b')]));
  });

  test('A kept key that is deleted is derived again from the current key.', async () => {
    const rows = store();
    await keys(rows, keyRing(former)).start();
    const switched = keys(rows, keyRing(next, former));
    await switched.start();
    rows.rows.delete('a');
    const kept = keys(rows, keyRing(next));
    await kept.start();
    expect(kept.of('a')()).toEqual(Buffer.concat([next, Buffer.from('a')]));
    expect(kept.of('b')()).toEqual(Buffer.concat([former, Buffer.from('b')]));
  });

  test('Kept keys of processes that start concurrently are the same.', async () => {
    const rows = store();
    const both = [keys(rows, keyRing(former, next)), keys(rows, keyRing(next, former))];
    await Promise.all(both.map((each) => each.start()));
    expect(both[0]?.of('a')()).toEqual(both[1]?.of('a')());
  });

  test('Without a database, kept keys are awaited, and operations that need them are unavailable until then.', async () => {
    const rows = store();
    rows.away = true;
    const kept = keys(rows, keyRing(former));
    await kept.start();
    expect(() => kept.of('a')()).toThrow(ServiceUnavailable);
    rows.away = false;
    const end = Date.now() + 10_000;
    const there = () => {
      try {
        return kept.of('a')().length > 0;
      } catch {
        return false;
      }
    };
    while (!there() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(there()).toBe(true);
    await kept.stop();
  });
});
