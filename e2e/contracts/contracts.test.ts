import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Revocation, RevocationList, type RevocationPage } from '@ostiary/access';
import { type DomainEvent, eventTypes, openJob, readEvents } from '@ostiary/events';
import { readLiveEntry } from '@ostiary/events/live';
import { createKit, keyRing, openBytes, type Place, SealedValues } from '@ostiary/service';
import { testEventSignatures, testStreamSignatures } from '@ostiary/service/testing';
import { formOf, internalRoutes, lostFrom } from './declarations.ts';
import { contracts } from './inventory.ts';
import type { Recorded } from './record.ts';

const read = <T>(file: string): T =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', file), 'utf8')) as T;

const recorded = read<Recorded>('forms.json');

test('The form of every contract between processes is as recorded (node e2e/contracts/record.ts).', () => {
  expect(Object.fromEntries(contracts.map((contract) => [contract.name, formOf(contract)]))).toEqual(
    recorded.forms,
  );
});

test('The internal routes of processes are as recorded, each with a version.', () => {
  expect(internalRoutes()).toEqual(recorded.routes);
  expect(recorded.routes.length).toBeGreaterThan(40);
});

describe('lostFrom', () => {
  const form = (text: string) => ({ version: 1, declarations: { Thing: text } });
  const before = form("interface Thing { id: string; kind: 'a' | 'b'; name?: string; }");

  test.each([
    ['a field is gone', "interface Thing { id: string; kind: 'a' | 'b'; }"],
    ['a field is of another type', "interface Thing { id: number; kind: 'a' | 'b'; name?: string; }"],
    ['a field must be there', "interface Thing { id: string; kind: 'a' | 'b'; name?: string; age: number; }"],
    ['a declaration has another name', "interface Other { id: string; kind: 'a' | 'b'; name?: string; }"],
  ])('The form loses a guarantee of the previous release when %s.', (_how, text) => {
    expect(lostFrom(before, form(text))).not.toEqual([]);
  });

  test('A required field may be added to a declaration that is sent only as Partial.', () => {
    const added = "interface Thing { id: string; kind: 'a' | 'b'; name?: string; age: number; }";
    const of = (text: string, settings: string) => ({
      version: 1,
      declarations: { Thing: text, Settings: settings },
    });
    const thing = before.declarations.Thing;
    const partial = 'type Settings = Partial<Thing>;';
    expect(lostFrom(of(thing, partial), of(added, partial))).toEqual([]);
    const both = 'type Settings = Partial<Thing> & { whole: Thing };';
    expect(lostFrom(of(thing, both), of(added, both))).not.toEqual([]);
  });

  test('Adding an optional field does not break a contract.', () => {
    const text = "interface Thing { id: string; kind: 'a' | 'b'; name?: string; age?: number; }";
    expect(lostFrom(before, form(text))).toEqual([]);
  });
});

interface Samples {
  events: DomainEvent[];
  job: unknown;
  revocationPage: RevocationPage;
  revocationEntry: string[];
  liveEntry: string[];
  sealedColumn: string;
  sealedColumnOfNamedKey: string;
  sealedValue: string;
}

/** Samples that this release wrote, with the keys of the tests. */
describe.each(['0.2.0'])('data that release %s sent or stored', (release) => {
  const samples = read<Samples>(`${release}.json`);
  const [key, second] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];

  test('Events of each type are read as sent, including fields that a later release adds.', () => {
    expect(samples.events.map(({ type }) => type)).toEqual(eventTypes);
    expect(readEvents({ events: samples.events })).toEqual(samples.events);
    const [first] = samples.events;
    const later = [{ ...first, added: 'later', payload: { ...first?.payload, added: 'later' } }];
    expect(readEvents({ events: later, added: 'later' })).toEqual(later);
    expect(readEvents({ events: [{ ...first, type: 'device.lost' }] })).toHaveLength(1);
  });

  test('A job is verified only by its consumer.', () => {
    expect(openJob(testEventSignatures, 'auth', samples.job)).toEqual(samples.events);
    expect(openJob(testEventSignatures, 'provisioning', samples.job)).toBeUndefined();
  });

  test('Every kind of revocation takes effect, also next to a kind of a later release.', () => {
    const list = new RevocationList();
    const unknown = { ...samples.revocationPage.entries[0], kind: 'device' } as unknown as Revocation;
    list.apply([unknown, ...samples.revocationPage.entries]);
    expect(list.size).toBe(samples.revocationPage.entries.length + 1);
    const keyOf = (kind: string) =>
      samples.revocationPage.entries.find((one) => one.kind === kind)?.key ?? '';
    const token = {
      tenant: 'demo',
      kind: 'user',
      subject: keyOf('subject'),
      jti: 'other',
      clientId: 'other',
    };
    expect(list.revoked({ ...token, subjectEpoch: 1 } as never)).toBe(true);
    expect(list.revoked({ ...token, subjectEpoch: 2 } as never)).toBe(false);
    for (const [kind, claim] of [
      ['session', 'sessionId'],
      ['grant', 'grantId'],
      ['jti', 'jti'],
      ['key', 'keyId'],
    ])
      expect(list.revoked({ ...token, subjectEpoch: 2, [claim ?? '']: keyOf(kind ?? '') } as never)).toBe(
        true,
      );
  });

  test('An entry of the revocation stream is authentic, and an altered one is not.', () => {
    const [field, value, , mac] = samples.revocationEntry;
    const stream = '{ostiary}:revocations';
    expect(testStreamSignatures.verifies('revocations', stream, `${field}=${value}`, mac)).toBe(true);
    expect(testStreamSignatures.verifies('revocations', stream, `${field}=[]`, mac)).toBe(false);
  });

  test('An entry of the live stream is readable.', () => {
    const o = { prefix: 'ostiary', signatures: testStreamSignatures };
    expect(readLiveEntry(samples.liveEntry, o)).toMatchObject({ n: 7, event: { type: 'session.revoked' } });
    expect(readLiveEntry([...samples.liveEntry, 'added', 'later'], o)).toMatchObject({ n: 7 });
  });

  test('Sealed columns open with and without a key id, and only in their place.', () => {
    const open = (sealed: string, place: string) =>
      openBytes(keyRing(key, second), Buffer.from(sealed, 'base64'), place).toString();
    expect(open(samples.sealedColumn, 'keys/demo/1')).toBe('a signing key');
    expect(open(samples.sealedColumnOfNamedKey, 'keys/demo/1')).toBe('a signing key');
    expect(() => open(samples.sealedColumn, 'keys/rival/1')).toThrow();
  });

  test('A sealed value in Redis opens only in its place.', () => {
    const { log, metrics } = createKit({ name: 'test', logLevel: 'silent' });
    const clock = () => Date.UTC(2026, 10, 23);
    const values = new SealedValues({ ring: keyRing(key), clock, log, metrics });
    const place = { purpose: 'code' as Place['purpose'], tenant: 'demo', key: 'k' };
    expect(values.open(place, samples.sealedValue)).toBe('a code');
    expect(values.open({ ...place, tenant: 'rival' }, samples.sealedValue)).toBeUndefined();
  });
});
