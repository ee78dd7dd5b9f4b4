import { describe, expect, test } from '@jest/globals';
import {
  type Attention,
  type AttentionKind,
  attentionOf,
  type Findings,
} from '../../console/src/overview/attention.ts';
import {
  coversEveryone,
  type DepartureEvent,
  type Offboarded,
  offboardedOf,
  openAccessPathsOf,
} from '../../console/src/overview/offboarded.ts';

const now = Date.parse('2026-06-15T12:00:00.000Z');
const minute = 60_000;
const day = 24 * 60 * minute;
const at = (difference: number): string => new Date(now + difference).toISOString();

type Part<Name extends keyof Findings> = NonNullable<Findings[Name]>;
const edgesOf = <Node>(...nodes: Node[]) => ({ edges: nodes.map((node) => ({ node })) });
const none = { totalCount: 0, totalCountIsExact: true };

const receivers = (o: Partial<Part<'receivers'>> = {}): Part<'receivers'> => ({
  webhooks: edgesOf(),
  signalStreams: edgesOf(),
  dead: none,
  pending: { ...none, edges: [] },
  ...o,
});
const expiring = (o: Partial<Part<'expiring'>> = {}): Part<'expiring'> => ({
  apiKeys: { totalCount: 0, edges: [] },
  personalAccessTokens: { totalCount: 0 },
  serviceAccounts: { totalCount: 0, edges: [] },
  ...o,
});
type Source = Part<'sources'>['edges'][number]['node'];
const source = (o: Partial<Source> = {}): Source => ({
  id: 's1',
  name: 'Entra',
  status: 'ACTIVE',
  createdAt: at(-30 * day),
  clientId: null,
  owner: { __typename: 'User' },
  tokens: [{ id: 't1', expiresAt: null, lastUsedAt: at(-minute) }],
  ...o,
});
const sources = (...nodes: Source[]): Part<'sources'> => ({ totalCount: nodes.length, ...edgesOf(...nodes) });

const offboarded = (o: Partial<Offboarded> = {}): Offboarded => ({
  userId: 'u1',
  name: 'Alice',
  isBack: false,
  closedAt: at(-minute),
  closedInMs: 40,
  closedAccessPaths: 3,
  notified: 1,
  waiting: 0,
  open: 0,
  ...o,
});

/** State of a tenant without findings. */
const quiet: Findings = {
  departures: [offboarded()],
  receivers: receivers({
    webhooks: edgesOf({ id: 'w1', name: 'Mail', status: 'ENABLED', failingSince: null }),
    pending: { ...none, edges: edgesOf({ id: 'd1', createdAt: at(-minute), receiverId: 'w1' }).edges },
  }),
  sources: sources(source()),
  failedRequests: { ...none, edges: [] },
  expiring: expiring(),
  ownerless: { clients: { totalCount: 0 }, serviceAccounts: { totalCount: 0 }, apiKeys: { totalCount: 0 } },
  names: { usersSharingNames: { totalCount: 0 }, groupsSharingNames: { totalCount: 0 } },
  policy: {
    requireSecondFactorForAdministrators: true,
    ownedCredentialsOnOffboarding: 'REVOKE',
    version: 1,
  },
  now,
};

const token = (expiresAt: string | null, lastUsedAt: string | null) => ({ id: 't1', expiresAt, lastUsedAt });
const machine = (publicKeys: { id: string; expiresAt: string | null }[], disabled = false) =>
  expiring({
    serviceAccounts: { totalCount: 1, ...edgesOf({ id: 'a1', name: 'Backup', disabled, publicKeys }) },
  });

const cases: [AttentionKind, Partial<Findings>, Partial<Attention>][] = [
  [
    'openDoors',
    {
      departures: [
        offboarded(),
        offboarded({ userId: 'u2', open: 2 }),
        offboarded({ userId: 'u3', open: 1 }),
      ],
    },
    { tone: 'bad', count: 3, path: 'users/u2' },
  ],
  [
    'failing',
    {
      receivers: receivers({
        webhooks: edgesOf({ id: 'w1', name: 'Mail', status: 'ENABLED', failingSince: at(-day) }),
      }),
    },
    { tone: 'bad', name: 'Mail', at: at(-day), path: 'webhooks/w1' },
  ],
  [
    'receiverOff',
    {
      receivers: receivers({
        signalStreams: edgesOf({ id: 'g1', status: 'PAUSED', failingSince: at(-day), client: null }),
      }),
    },
    { tone: 'warn', name: 'g1', path: 'signals/g1' },
  ],
  [
    'dead',
    { receivers: receivers({ dead: { totalCount: 4, totalCountIsExact: true } }) },
    { tone: 'bad', count: 4, path: 'deliveries', search: { state: 'DEAD' } },
  ],
  [
    'lag',
    {
      receivers: receivers({
        pending: {
          totalCount: 7,
          totalCountIsExact: true,
          ...edgesOf({ id: 'd1', createdAt: at(-6 * minute), receiverId: 'w1' }),
        },
      }),
    },
    { tone: 'warn', count: 7, at: at(-6 * minute), search: { state: 'PENDING' } },
  ],
  ['sourceOff', { sources: sources(source({ status: 'DISABLED' })) }, { tone: 'warn', path: 'sources/s1' }],
  [
    'sourceSilent',
    { sources: sources(source({ tokens: [token(null, at(-5 * day)), token(null, at(-4 * day))] })) },
    { tone: 'warn', at: at(-4 * day) },
  ],
  ['sourceUnused', { sources: sources(source({ tokens: [token(null, null)] })) }, { tone: 'warn' }],
  [
    'tokenExpires',
    { sources: sources(source({ tokens: [token(at(13 * day), at(-minute))] })) },
    { tone: 'warn', at: at(13 * day) },
  ],
  [
    'failedRequests',
    { failedRequests: { totalCount: 2, totalCountIsExact: true, edges: [] } },
    { tone: undefined, count: 2, path: 'logs', search: { logs: 'request', failed: 'yes' } },
  ],
  [
    'keyExpires',
    {
      expiring: machine([
        { id: 'k1', expiresAt: at(20 * day) },
        { id: 'k2', expiresAt: at(3 * day) },
      ]),
    },
    { tone: 'warn', name: 'Backup', at: at(3 * day), path: 'service-accounts/a1' },
  ],
  [
    'apiKeys',
    {
      expiring: expiring({
        apiKeys: {
          totalCount: 1,
          ...edgesOf({ id: 'k1', name: 'Key', expiresAt: at(day), serviceAccountId: 'a1' }),
        },
      }),
    },
    { tone: 'warn', count: 1, path: 'service-accounts/a1' },
  ],
  [
    'personalTokens',
    { expiring: expiring({ personalAccessTokens: { totalCount: 5 } }) },
    { tone: undefined, count: 5, path: 'users' },
  ],
  ['ownerless', { sources: sources(source({ owner: null })) }, { tone: 'warn', name: 'Entra' }],
  [
    'sameUsers',
    { names: { usersSharingNames: { totalCount: 2 }, groupsSharingNames: { totalCount: 0 } } },
    { tone: 'warn', count: 2, path: 'users' },
  ],
  [
    'sameGroups',
    { names: { usersSharingNames: { totalCount: 0 }, groupsSharingNames: { totalCount: 2 } } },
    { tone: undefined, count: 2, path: 'groups' },
  ],
  [
    'noSecondFactor',
    { policy: { ...(quiet.policy as Part<'policy'>), requireSecondFactorForAdministrators: false } },
    { tone: undefined, path: 'tenant' },
  ],
  ['partly', { sources: { totalCount: 101, ...edgesOf(source()) } }, { tone: undefined, count: 100 }],
];

describe('findings on the overview', () => {
  test('A tenant without findings has no entry, and unknown data is no finding.', () => {
    expect(attentionOf(quiet)).toEqual([]);
    const unknown = Object.fromEntries(Object.keys(quiet).map((name) => [name, undefined]));
    expect(attentionOf({ ...(unknown as unknown as Findings), now })).toEqual([]);
  });

  test.each(cases)(
    'The finding %s has its severity, its figure and the page that resolves it.',
    (kind, change, expected) => {
      expect(attentionOf({ ...quiet, ...change })).toEqual([expect.objectContaining({ kind, ...expected })]);
    },
  );

  test('Each object without an owner is a finding of its kind.', () => {
    const count = (totalCount: number) => ({ totalCount });
    const ownerless = { clients: count(1), serviceAccounts: count(2), apiKeys: count(3) };
    expect(
      attentionOf({ ...quiet, ownerless }).map(({ kind, name, count: of, path }) => [kind, name, of, path]),
    ).toEqual([
      ['ownerless', 'clients', 1, 'applications'],
      ['ownerless', 'accounts', 2, 'service-accounts'],
      ['ownerless', 'keys', 3, 'service-accounts'],
    ]);
  });

  test.each<[string, Partial<Findings>]>([
    ['open access of a user who is active again', { departures: [offboarded({ isBack: true, open: 3 })] }],
    [
      'a source that was created recently',
      { sources: sources(source({ createdAt: at(-day), tokens: [token(null, null)] })) },
    ],
    [
      'a source with its own OAuth client',
      { sources: sources(source({ clientId: 'c1', tokens: [token(null, null)] })) },
    ],
    [
      'a token that expires in a month',
      { sources: sources(source({ tokens: [token(at(30 * day), at(-minute))] })) },
    ],
    ['a key of a disabled account', { expiring: machine([{ id: 'k1', expiresAt: at(day) }], true) }],
    ['a key without an expiration time', { expiring: machine([{ id: 'k1', expiresAt: null }]) }],
  ])('No finding is %s.', (_name, change) => {
    expect(attentionOf({ ...quiet, ...change })).toEqual([]);
  });
});

const event = (user: DepartureEvent['user']): DepartureEvent => ({
  id: 'e1',
  occurredAt: at(-minute),
  resourceId: 'u1',
  user,
});
const alice = { id: 'u1', userName: 'alice', displayName: 'Alice', active: false };
const zero = { totalCount: 0 };
type Read = NonNullable<Parameters<typeof offboardedOf>[2]>;
const read = (o: Partial<Read> = {}): Read => ({
  departures: [],
  sessions: zero,
  grants: zero,
  personalAccessTokens: zero,
  apiKeys: zero,
  clients: zero,
  serviceAccounts: { ...zero, edges: [] },
  connectors: { ...zero, edges: [] },
  ...o,
});

describe('figures of recent offboardings', () => {
  test('Open access is the sum of active access of each kind. Disabled accounts and connectors do not count.', () => {
    const account = (id: string, disabled: boolean) => ({ id, disabled });
    const connector = (id: string, status: 'ACTIVE' | 'DISABLED') => ({ id, status });
    const { open } = offboardedOf(
      'u1',
      event(alice),
      read({
        sessions: { totalCount: 1 },
        grants: { totalCount: 2 },
        personalAccessTokens: { totalCount: 3 },
        apiKeys: { totalCount: 4 },
        clients: { totalCount: 5 },
        serviceAccounts: { totalCount: 2, ...edgesOf(account('a1', false), account('a2', true)) },
        connectors: { totalCount: 2, ...edgesOf(connector('c1', 'ACTIVE'), connector('c2', 'DISABLED')) },
      }),
    );
    expect(open).toBe(1 + 2 + 3 + 4 + 5 + 1 + 1);
  });

  test.each([
    'sessions',
    'grants',
    'personalAccessTokens',
    'apiKeys',
    'clients',
    'serviceAccounts',
    'connectors',
  ] as const)('Without %s in the response, open access is unknown and not zero.', (missing) => {
    const list = [offboardedOf('u1', event(alice), read({ [missing]: null }))];
    expect(list[0]?.open).toBeUndefined();
    expect(openAccessPathsOf(list)).toEqual({ count: 0, people: 1, unknown: 1 });
  });

  test('The report supplies the duration, the closed access paths and the deliveries; a deleted user has no name.', () => {
    const report = {
      securityEventId: 'e1',
      userId: 'u1',
      leftAt: at(-90),
      closedAt: at(-50),
      trigger: 'USER_DELETED',
      doors: [
        { name: 'SESSIONS', count: 2 },
        { name: 'SIGN_IN', count: null },
      ],
      deliveries: [
        { deliveryId: 'd1', state: 'DELIVERED' },
        { deliveryId: 'd2', state: 'PENDING' },
      ],
    } as const;
    expect(offboardedOf('u1', event(null), read({ departures: [report as never] }))).toEqual({
      userId: 'u1',
      name: undefined,
      isBack: false,
      closedAt: at(-50),
      closedInMs: 40,
      closedAccessPaths: 2,
      notified: 1,
      waiting: 1,
      open: 0,
    });
    expect(offboardedOf('u1', event({ ...alice, active: true }), undefined)).toMatchObject({
      isBack: true,
      closedAt: at(-minute),
      closedInMs: undefined,
      open: undefined,
    });
  });

  test('The figure covers everyone only if the log is complete and lists each inactive user.', () => {
    const list = [offboarded(), offboarded({ userId: 'u2' }), offboarded({ userId: 'u3', isBack: true })];
    expect(coversEveryone({ list, isComplete: true }, 2)).toBe(true);
    expect(coversEveryone({ list, isComplete: true }, 3)).toBe(false);
    expect(coversEveryone({ list, isComplete: true }, undefined)).toBe(false);
    expect(coversEveryone({ list, isComplete: false }, 2)).toBe(false);
    expect(coversEveryone({ list: undefined, isComplete: true }, 0)).toBe(false);
  });
});
