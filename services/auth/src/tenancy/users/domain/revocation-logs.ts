import { RevocationLog, type RevocationLogOptions } from './revocation-log.ts';

interface Used {
  log: RevocationLog;
  users: number;
  lastUsedAt: number;
}

/** Milliseconds for which an unused log is kept. */
const keptMs = 60_000;

/** The logs of all tenants whose feed is in use. */
export class RevocationLogs {
  readonly #o: Omit<RevocationLogOptions, 'tenant'>;
  readonly #logs = new Map<string, Used>();

  constructor(options: Omit<RevocationLogOptions, 'tenant'>) {
    this.#o = options;
    options.list.onRevoked(({ tenant, kind }) => {
      const used = this.#logs.get(tenant);
      if (!used || kind === 'owner') return;
      if (this.#isDisused(used)) this.#logs.delete(tenant);
      else used.log.noteRevoked();
    });
  }

  /** Runs work with the log of a tenant, which is followed in the meantime. */
  async use<T>(tenant: string, work: (log: RevocationLog) => Promise<T>): Promise<T> {
    const used = this.#logs.get(tenant) ?? this.#create(tenant);
    used.users += 1;
    try {
      return await work(used.log);
    } finally {
      used.users -= 1;
      used.lastUsedAt = this.#o.monotonic();
    }
  }

  #create(tenant: string): Used {
    for (const [other, used] of this.#logs) if (this.#isDisused(used)) this.#logs.delete(other);
    // Registered before its first reading: entries from here on are in the reading, or cause another one.
    const used = { log: new RevocationLog({ ...this.#o, tenant }), users: 0, lastUsedAt: 0 };
    this.#logs.set(tenant, used);
    return used;
  }

  #isDisused({ users, lastUsedAt }: Used): boolean {
    return users === 0 && this.#o.monotonic() - lastUsedAt > keptMs;
  }
}
