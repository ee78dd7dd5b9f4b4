import { describe, expect, test } from '@jest/globals';
import type { Changes, Left } from '../departures.ts';
import type { Arrival } from './arrival.ts';
import { asLogout, asSignals, asWebhook, type ChangeType, logout } from './expectations.ts';
import { type DeliveryRow, notifiedTo } from './notified.ts';

/** Record of a user who was offboarded, reactivated and offboarded again, with the modifications of a test. */
const left = (acknowledgedAt: number): Left => ({
  person: { tenant: 'demo', id: 'bob' },
  trigger: 'SCIM PATCH',
  acknowledgedAt,
  attempts: 1,
  closings: [],
  watched: 0,
});

function world(o: {
  arrivals?: (all: Arrival[]) => Arrival[];
  rows?: (all: DeliveryRow[]) => DeliveryRow[];
  changes?: Partial<Changes>;
}) {
  const notified: [string, string | null, string | null][] = [
    ['user.deactivated', '2', null],
    ['session.revoked', null, 'first'],
    ['user.doors_closed', null, 'first'],
    ['user.reactivated', '3', null],
    ['user.deleted', '4', null],
    ['session.revoked', null, 'second'],
    ['user.doors_closed', null, 'second'],
  ];
  const rows = notified.map(
    ([type, version, departure], index): DeliveryRow => ({
      id: `m${index}`,
      receiver: 'r',
      state: 'delivered',
      type,
      subject: 'bob',
      version,
      departure,
      variant: null,
    }),
  );
  const arrivals = rows.map(
    ({ id, type, subject, version }, index): Arrival => ({
      id,
      type,
      tenant: 'demo',
      subject,
      version: version === null ? undefined : Number(version),
      at: 100 + index,
      treatment: 'takes',
      body: id,
    }),
  );
  const types: ChangeType[] = ['user.deactivated', 'user.reactivated', 'user.deleted'];
  return notifiedTo(
    {
      id: 'r',
      name: 'the receiver',
      tenant: 'demo',
      expects: asWebhook,
      forged: [],
      arrivals: o.arrivals?.(arrivals) ?? arrivals,
    },
    [{ tenant: 'demo', id: 'bob', types, unsure: false, ...o.changes }],
    [left(99), left(103)],
    [...(o.rows?.(rows) ?? rows), { ...(rows[0] as DeliveryRow), id: 'x', receiver: 'another' }],
  );
}

const wrong = (o: Parameters<typeof world>[0]) => world(o).wrong;

describe('messages to a receiver', () => {
  test('The record is right when everything arrives, and each departure is complete with the last of its messages.', () => {
    expect(world({})).toEqual({
      name: 'the receiver',
      messages: 7,
      requests: 7,
      failed: 0,
      repeated: 0,
      departures: [
        { acknowledgedAt: 99, notifiedAt: 102 },
        { acknowledgedAt: 103, notifiedAt: 106 },
      ],
      wrong: [],
    });
  });

  test('A message may be attempted and may arrive more than once.', () => {
    const notified = world({
      arrivals: ([first, ...others]) => {
        const one = first as Arrival;
        return [
          { ...one, treatment: 'refuses' },
          { ...one, treatment: 'hangs' },
          one,
          ...others,
          { ...one, at: 900 },
        ];
      },
    });
    expect(notified).toMatchObject({ messages: 7, requests: 10, failed: 2, repeated: 1, wrong: [] });
  });

  test('The record is wrong when a message never arrives, is never accepted, is dead or is still waiting.', () => {
    const lost = world({ arrivals: (all) => all.filter(({ id }) => id !== 'm2') });
    expect(lost.wrong.join()).toMatch(/m2 .* was lost.*bob: was told 1 times of user.doors_closed, it was 2/);
    expect(
      wrong({
        arrivals: (all) => all.map((one) => (one.id === 'm3' ? { ...one, treatment: 'cuts' } : one)),
      }).join(),
    ).toMatch(/m3 .* was lost/);
    for (const state of ['held', 'pending', 'dead'] as const) {
      expect(wrong({ rows: (all) => all.map((one) => (one.id === 'm5' ? { ...one, state } : one)) })).toEqual(
        [`m5 of bob session.revoked second is ${state}`],
      );
    }
  });

  test('The record is wrong when a change that happened was never written as a message.', () => {
    const gone = new Set(['m4', 'm5', 'm6']);
    const left = <T extends { id: string }>(all: T[]) => all.filter(({ id }) => !gone.has(id));
    const notified = world({ arrivals: left, rows: left });
    expect(notified.wrong).toHaveLength(3);
    expect(notified.departures[1]?.notifiedAt).toBeUndefined();
  });

  test('The record is wrong when one fact has two messages or one message has two contents.', () => {
    const again = <T extends { id: string }>(all: T[]) => [...all, { ...(all[6] as T), id: 'm7' }];
    expect(wrong({ arrivals: again, rows: again }).join()).toMatch(
      /two messages of bob user.doors_closed second/,
    );
    expect(
      wrong({ arrivals: (all) => [...all, { ...(all[0] as Arrival), body: 'something else' }] }),
    ).toEqual(['m0 said two things']);
  });

  test('The record is wrong when messages arrive in another order than they were written in.', () => {
    const swapped = wrong({ arrivals: (all) => [all[1], all[0], ...all.slice(2)] as Arrival[] });
    expect(swapped).toEqual([expect.stringMatching(/bob: out of order/)]);
    const back = wrong({
      arrivals: (all) => [...all.slice(0, 3), all[4], all[3], ...all.slice(5)] as Arrival[],
      rows: (all) => [...all.slice(0, 3), all[4], all[3], ...all.slice(5)] as DeliveryRow[],
    });
    expect(back.join()).toMatch(
      /bob: was told user.deactivated, user.deleted, user.reactivated.*versions 2, 4, 3/,
    );
  });

  test('The record is wrong about a user who did not leave, and an unknown departure is not evaluated.', () => {
    expect(wrong({ changes: { id: 'alice' } }).join()).toMatch(/bob has not left/);
    expect(wrong({ changes: { types: [], unsure: true } })).toEqual([]);
  });

  test('A message of another tenant is wrong, and no message about the users of another tenant is missed.', () => {
    const elsewhere = world({
      arrivals: (all) => all.map((one, index) => (index === 0 ? { ...one, tenant: 'rival' } : one)),
    });
    expect(elsewhere.wrong).toEqual(['m0 is of rival, not of demo']);
    const theirs = world({ changes: { tenant: 'rival' } });
    expect(theirs.wrong.join()).toMatch(/bob has not left/);
    expect(world({ changes: { tenant: 'rival' }, arrivals: () => [], rows: () => [] }).wrong).toEqual([]);
  });
});

describe('messages to a receiver of signed tokens', () => {
  const [disabled = '', deactivated = ''] = asSignals.changes['user.deactivated'];
  const [revoked = ''] = asSignals.departure;
  const row = (id: string, type: string, o: Partial<DeliveryRow> = {}): DeliveryRow => ({
    id,
    receiver: 'r',
    state: 'delivered',
    type,
    subject: 'bob',
    version: null,
    departure: null,
    variant: null,
    ...o,
  });
  const arrival = (id: string, type: string, at: number): Arrival => ({
    id,
    type,
    tenant: 'demo',
    subject: 'bob',
    version: undefined,
    at,
    treatment: 'takes',
    body: id,
  });
  const notified = (expects: typeof asSignals, type: ChangeType, arrivals: Arrival[], rows: DeliveryRow[]) =>
    notifiedTo(
      { id: 'r', name: 'it', tenant: 'demo', expects, forged: [], arrivals },
      [{ tenant: 'demo', id: 'bob', types: [type], unsure: false }],
      [
        {
          person: { tenant: 'demo', id: 'bob' },
          trigger: 'SCIM PATCH',
          acknowledgedAt: 1,
          attempts: 1,
          closings: [],
          watched: 0,
        },
      ],
      rows,
    );

  const rows = [
    row('a', 'user.deactivated', { version: '2', variant: disabled }),
    row('b', 'user.deactivated', { version: '2', variant: deactivated }),
    row('c', 'session.revoked', { departure: 'first', variant: revoked }),
  ];
  const all = [arrival('a', disabled, 2), arrival('b', deactivated, 3), arrival('c', revoked, 4)];

  test('As signals, the record is right when each event of each fact arrives, and wrong when one is missing or early.', () => {
    const right = notified(asSignals, 'user.deactivated', all, rows);
    expect(right.wrong).toEqual([]);
    expect(right.departures).toEqual([{ acknowledgedAt: 1, notifiedAt: 4 }]);
    const less = notified(asSignals, 'user.deactivated', all.slice(0, 2), rows);
    expect(less.wrong.join()).toMatch(/c of bob session.revoked first .* was lost.*told 0 times/);
    expect(less.departures[0]?.notifiedAt).toBeUndefined();
    const early = notified(asSignals, 'user.deactivated', all.toReversed(), rows);
    expect(early.wrong.join()).toMatch(/out of order/);
  });

  test('As signals, the record needs no event that a permanent deletion does not state.', () => {
    const [purged = '', deleted = ''] = asSignals.changes['user.deleted'];
    const gone = [
      row('x', 'user.deleted', { version: '2', variant: disabled }),
      row('a', 'user.deleted', { version: '2', variant: purged }),
      row('b', 'user.deleted', { version: '2', variant: deleted }),
      rows[2] as DeliveryRow,
    ];
    const came = [arrival('a', purged, 2), arrival('b', deleted, 3), arrival('c', revoked, 4)];
    expect(notified(asSignals, 'user.deleted', came, gone).wrong).toEqual([]);
    expect(notified(asSignals, 'user.deleted', came.slice(1), gone).wrong.join()).toMatch(
      /a of bob .* was lost/,
    );
  });

  test('As logout tokens, the record is right when one arrives for each departure.', () => {
    const one = [row('l', logout, { departure: 'first' })];
    expect(notified(asLogout, 'user.deactivated', [arrival('l', logout, 2)], one)).toMatchObject({
      wrong: [],
      departures: [{ acknowledgedAt: 1, notifiedAt: 2 }],
    });
    expect(notified(asLogout, 'user.deactivated', [], []).wrong).toEqual([
      'bob: was told 0 times of logout, it was 1 times',
    ]);
  });
});
