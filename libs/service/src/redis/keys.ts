/** Names of the processes, as in their credentials. */
export const processNames = ['auth', 'directory', 'provisioning', 'gateway'] as const;
export type ProcessName = (typeof processNames)[number];

/**
 * Reason why a value is trusted:
 * - `sealed`: encrypted and authenticated by `SealedValues`;
 * - `signed`: authenticated by its sender (`Signatures`): stream entries by a MAC, jobs by encryption;
 * - otherwise nothing rests on it, for the stated reason. An attacker with write access to Redis can delete
 * such counters and marks, so only the amount of work may depend on them.
 */
export type Trust = 'sealed' | 'signed' | { readonly nothingRestsOnIt: string };

export interface KeyFamily {
  /** Part of the key names after the prefix. */
  readonly stem: string;
  /** Whether all its keys are on one cluster node: the prefix is then a hash tag. */
  readonly tagged?: true;
  readonly trust: Trust;
  /** Processes with read access, and with read and write access. Others have none (`redisRules`). */
  readonly read?: readonly ProcessName[];
  readonly write: readonly ProcessName[];
}

const services = ['auth', 'directory', 'provisioning'] as const;

/**
 * Registry of all key families in Redis. Credentials are generated from it, so a process cannot write any
 * other key.
 */
export const redisKeys = {
  authorization_code: { stem: 'authorization_code:', trust: 'sealed', write: ['auth'] },
  device_code: { stem: 'auth:device_code:', trust: 'sealed', write: ['auth'] },
  user_code: { stem: 'auth:user_code:', trust: 'sealed', write: ['auth'] },
  devices_waiting: {
    stem: 'auth:devices_waiting:',
    trust: {
      nothingRestsOnIt:
        'It bounds how many devices wait, which is memory; who may approve one is in its own value.',
    },
    write: ['auth'],
  },
  pushed_request: { stem: 'auth:pushed_request:', trust: 'sealed', write: ['auth'] },
  interaction: { stem: 'auth:interaction:', trust: 'sealed', write: ['auth'] },
  shown_once: { stem: 'auth:kept:', trust: 'sealed', write: ['auth'] },
  known_network: { stem: 'auth:known-network:', trust: 'sealed', write: ['auth'] },
  attempts: {
    stem: 'auth:attempts:',
    trust: {
      nothingRestsOnIt:
        'Counts by address, client and tenant, against floods. The counts that stand between a guess and an account are in PostgreSQL.',
    },
    write: ['auth'],
  },
  dpop_proof: {
    stem: 'dpop_proof:',
    trust: {
      nothingRestsOnIt:
        'Removing a mark allows a proof to be replayed while its nonce is valid: only by a party that has read it and the token inside TLS, and for the same request. The token is still verified.',
    },
    write: ['auth', 'directory', 'provisioning', 'gateway'],
  },
  dpop_rate: {
    stem: 'dpop-rate:',
    tagged: true,
    trust: { nothingRestsOnIt: 'It bounds how many of those marks a network can leave, which is memory.' },
    write: ['auth', 'directory', 'provisioning', 'gateway'],
  },
  jobs_auth: { stem: 'events-auth:', tagged: true, trust: 'signed', write: ['directory', 'auth'] },
  jobs_provisioning: {
    stem: 'events-provisioning:',
    tagged: true,
    trust: 'signed',
    write: ['directory', 'provisioning'],
  },
  revocations: {
    stem: 'revocations',
    tagged: true,
    trust: 'signed',
    read: ['directory', 'provisioning', 'gateway'],
    write: ['auth'],
  },
  live: { stem: 'live', tagged: true, trust: 'signed', read: ['gateway'], write: services },
  live_order: {
    stem: 'live:',
    tagged: true,
    trust: {
      nothingRestsOnIt:
        'The order of live events, and which of them were sent. Content is read from the owning service with the rights of the subscriber.',
    },
    write: services,
  },
  scim_rate: {
    stem: 'scim-rate:',
    tagged: true,
    trust: { nothingRestsOnIt: 'Resetting it permits more requests; each request is still authorized.' },
    write: ['provisioning'],
  },
  graph_rate: {
    stem: 'graph-rate:',
    tagged: true,
    trust: {
      nothingRestsOnIt: 'Resetting it permits more operations; each operation is still authorized.',
    },
    write: ['gateway'],
  },
  persisted_query: {
    stem: 'graph:apq:',
    trust: {
      nothingRestsOnIt: 'Text by its own SHA-256, which is compared; it says nothing about who asks.',
    },
    write: ['gateway'],
  },
} as const satisfies Record<string, KeyFamily>;

export type KeyFamilyName = keyof typeof redisKeys;

type Trusted<T extends Trust> = {
  [N in KeyFamilyName]: (typeof redisKeys)[N]['trust'] extends T ? N : never;
}[KeyFamilyName];

/** Purposes of sealed values. */
export type SealedPurpose = Trusted<'sealed'>;

/** Returns the start of the key names of a family. @param prefix REDIS_PREFIX */
export function keyStem(prefix: string, family: KeyFamilyName): string {
  const { stem, tagged }: KeyFamily = redisKeys[family];
  return tagged ? `{${prefix}}:${stem}` : `${prefix}:${stem}`;
}

/** Returns the family of a key, by the longest matching stem. */
export function keyFamilyOf(prefix: string, key: string): KeyFamilyName | undefined {
  const fitting = (Object.keys(redisKeys) as KeyFamilyName[]).filter((name) => {
    const stem = keyStem(prefix, name);
    return stem.endsWith(':') ? key.startsWith(stem) : key === stem;
  });
  return fitting.toSorted((a, b) => redisKeys[b].stem.length - redisKeys[a].stem.length)[0];
}
