import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@ostiary/service/testing';
import { type Certificates, issueCertificates, tlsParameters } from './certificates.ts';
import { addressesFor, administrator, freeRedisPort, RedisProcess, users } from './redis-process.ts';

/** Name under which the Sentinels monitor the primary. */
const master = 'tests';
/** Password of the Sentinels, also among each other. */
export const sentinelPassword = 'a sentinel of tests';

/** One primary, two replicas and three Sentinels, on loopback. */
export class RedisSentinels {
  readonly servers: readonly RedisProcess[];
  readonly sentinels: readonly RedisProcess[];
  readonly tls: Certificates | undefined;
  readonly #folder: string;

  private constructor(
    folder: string,
    servers: RedisProcess[],
    sentinels: RedisProcess[],
    tls: Certificates | undefined,
  ) {
    this.#folder = folder;
    this.tls = tls;
    this.servers = servers;
    this.sentinels = sentinels;
  }

  /**
   * @param o.downAfterMs milliseconds without an answer until a primary counts as down @param o.overTls whether all
   * connections use TLS
   */
  static async start({ downAfterMs = 1_500, overTls = false } = {}): Promise<RedisSentinels> {
    const folder = await mkdtemp(join(tmpdir(), 'ostiary-sentinel-'));
    const tls = overTls ? await issueCertificates(join(folder, 'tls')) : undefined;
    const own = async (name: string) => {
      await mkdir(join(folder, name));
      return join(folder, name);
    };
    const servers: RedisProcess[] = [];
    for (let n = 0; n < 3; n += 1) {
      const home = await own(`server-${n}`);
      await writeFile(join(home, 'users.acl'), `${users().join('\n')}\n`, { mode: 0o600 });
      const settings = ['--aclfile', 'users.acl', '--masterauth', administrator];
      const replica = servers[0] === undefined ? [] : ['--replicaof', `127.0.0.1 ${servers[0].port}`];
      const server = new RedisProcess(
        await freeRedisPort(),
        home,
        [...settings, ...immediateReplica, ...replica],
        {
          tls,
        },
      );
      servers.push(server);
      await server.start();
    }
    const sentinels: RedisProcess[] = [];
    for (let n = 0; n < 3; n += 1) {
      const home = await own(`sentinel-${n}`);
      await writeFile(join(home, 'sentinel.conf'), sentinelSettings(servers[0]?.port, downAfterMs), {
        mode: 0o600,
      });
      const sentinel = new RedisProcess(await freeRedisPort(), home, ['sentinel.conf', '--sentinel'], {
        password: sentinelPassword,
        tls,
      });
      sentinels.push(sentinel);
    }
    const group = new RedisSentinels(folder, servers, sentinels, tls);
    await Promise.all(sentinels.map((sentinel) => sentinel.start()));
    await group.#settled();
    return group;
  }

  /** Part of a REDIS_URL after the user. */
  get address(): string {
    const hosts = this.sentinels.map(({ host }) => host).join(',');
    return `${hosts}/${master}?sentinel_password=${encodeURIComponent(sentinelPassword)}${this.tls ? `&${tlsParameters(this.tls)}` : ''}`;
  }

  get #scheme(): string {
    return this.tls ? 'rediss+sentinel' : 'redis+sentinel';
  }

  /** URL of the administrator. */
  get url(): string {
    return `${this.#scheme}://:${encodeURIComponent(administrator)}@${this.address}`;
  }

  /** REDIS_URL of each process. */
  get env(): Record<string, string> {
    return addressesFor(this.#scheme, this.address);
  }

  /** Returns the primary that most Sentinels report. */
  async primary(): Promise<RedisProcess> {
    const named = await Promise.all(
      this.sentinels.map(async ({ admin }) => {
        const answer = await admin.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', master).catch(() => undefined);
        return Array.isArray(answer) ? Number(answer[1]) : undefined;
      }),
    );
    const [most] = named.toSorted((a, b) => count(named, b) - count(named, a));
    const server = this.servers.find(({ port }) => port === most);
    if (!server) throw new Error('the Sentinels name no primary');
    return server;
  }

  /** Waits until the Sentinels have elected another primary that accepts writes. */
  async failedOver(from: RedisProcess): Promise<RedisProcess> {
    const { server } = await eventually(
      async () => {
        const current = await this.primary();
        return { server: current, isNew: current !== from, role: await roleOf(current) };
      },
      ({ isNew, role }) => isNew && role === 'master',
    );
    return server;
  }

  /**
   * Stops replication to both replicas: later writes are lost with the primary. Existing connections stay; a primary
   * that is restarted accepts replicas again.
   */
  async cutReplication(): Promise<void> {
    const { admin } = await this.primary();
    await admin.call('ACL', 'SETUSER', 'default', 'resetpass', '>nobody-knows');
    await admin.call('CLIENT', 'KILL', 'TYPE', 'replica');
    await eventually(async () => /connected_slaves:0/.test(await admin.info('replication')));
  }

  /** Waits until every other server replicates from the primary. */
  async replicated(): Promise<void> {
    const { admin } = await this.primary();
    await eventually(
      () => admin.info('replication'),
      (info) => info.match(/state=online/g)?.length === 2,
    );
  }

  async stop(): Promise<void> {
    await Promise.all([...this.sentinels, ...this.servers].map((one) => one.stop()));
    await rm(this.#folder, { recursive: true, force: true });
  }

  /**
   * Waits until the replicas follow and the Sentinels know each other and the replicas; before that, there is no
   * failover.
   */
  async #settled(): Promise<void> {
    const isKnown = async ({ admin }: RedisProcess): Promise<boolean> => {
      const fields = (await admin.call('SENTINEL', 'MASTER', master)) as string[] | Record<string, string>;
      const at = Array.isArray(fields)
        ? (name: string) => fields[fields.indexOf(name) + 1]
        : (name: string) => fields[name];
      return at('num-slaves') === '2' && at('num-other-sentinels') === '2';
    };
    const follows = async ({ admin }: RedisProcess): Promise<boolean> =>
      /master_link_status:up/.test(await admin.info('replication'));
    await eventually(
      () => Promise.all([...this.sentinels.map(isKnown), ...this.servers.slice(1).map(follows)]),
      (all) => all.every(Boolean),
    );
  }
}

const count = <T>(list: readonly T[], one: T): number => list.filter((other) => other === one).length;

const roleOf = async ({ admin }: RedisProcess): Promise<string | undefined> =>
  /role:(\w+)/.exec(await admin.info('replication').catch(() => ''))?.[1];

/** Settings for an immediate replica without persistence. */
const immediateReplica = ['--repl-diskless-sync-delay', '0', '--save', ''];

const sentinelSettings = (port: number | undefined, downAfterMs: number): string =>
  [
    `sentinel monitor ${master} 127.0.0.1 ${port} 2`,
    `sentinel auth-pass ${master} "${administrator}"`,
    `sentinel down-after-milliseconds ${master} ${downAfterMs}`,
    `sentinel failover-timeout ${master} 5000`,
    `sentinel parallel-syncs ${master} 2`,
    `requirepass "${sentinelPassword}"`,
    `sentinel sentinel-pass "${sentinelPassword}"`,
    '',
  ].join('\n');
