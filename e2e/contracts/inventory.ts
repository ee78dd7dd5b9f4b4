/**
 * Data that processes of two releases exchange, and the files that declare its form. docs/reference/contracts.md
 * explains each.
 */
export interface Contract {
  name: string;
  /** Increases when a reader of the previous version would misinterpret the data. */
  version: number;
  /** File → the types and constants that define the form. */
  declared: Readonly<Record<string, readonly string[]>>;
}

export const contracts: readonly Contract[] = [
  {
    name: 'events',
    version: 1,
    declared: {
      'libs/events/src/contracts.ts': [
        'Actor',
        'TenantSnapshot',
        'UserSnapshot',
        'GroupSnapshot',
        'EventPayloads',
        'EventOf',
        'envelopeVersion',
      ],
      'libs/events/src/tenant-policy.ts': ['TenantPolicy', 'TenantPolicySettings', 'VersionedTenantPolicy'],
    },
  },
  {
    name: 'jobs',
    version: 1,
    declared: { 'libs/events/src/contracts.ts': ['EventBatch', 'SealedJob', 'eventQueue', 'queuePrefix'] },
  },
  {
    name: 'confirmations',
    version: 1,
    declared: {
      'libs/events/src/event-confirmation.ts': ['ConfirmedEvent'],
      'libs/events/src/undelivered.ts': ['UndeliveredEvents'],
    },
  },
  {
    name: 'revocation feed',
    version: 1,
    declared: {
      'libs/access/src/revocations/revocations.ts': [
        'revocationKinds',
        'Revocation',
        'RevocationPage',
        'revocationStream',
      ],
      'libs/access/src/revocations/follower.ts': ['signedEntry'],
    },
  },
  {
    name: 'live stream',
    version: 1,
    declared: { 'libs/events/src/live.ts': ['LiveEventType', 'LiveEvent', 'LiveEntry', 'liveStream'] },
  },
  {
    name: 'API tokens',
    version: 1,
    declared: { 'libs/access/src/tokens/live-api-tokens.ts': ['LiveApiToken'] },
  },
  {
    name: 'signed and sealed messages',
    version: 1,
    declared: {
      'libs/service/src/keys/signatures.ts': [
        'SignedPurpose',
        'SealedMessagePurpose',
        'algorithm',
        'saltLength',
        'tagLength',
      ],
    },
  },
  {
    name: 'sealed values',
    version: 2,
    declared: {
      'libs/service/src/keys/sealed-bytes.ts': [
        'algorithm',
        'nonceLength',
        'tagLength',
        'idLength',
        'nameless',
        'named',
      ],
    },
  },
  {
    name: 'proof of a process',
    version: 1,
    declared: { 'libs/service/src/http/neighbours.ts': ['neighbourHeader', 'periodMs', 'tolerance'] },
  },
  {
    name: 'vouching between gateway and subgraph',
    version: 1,
    declared: { 'libs/graph/src/server/http.ts': ['possessionHeader'] },
  },
];
