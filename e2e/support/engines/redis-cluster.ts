import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@ostiary/service/testing';
import { type Certificates, issueCertificates, tlsParameters } from './certificates.ts';
import { addressesFor, administrator, freeRedisPort, RedisProcess, users } from './redis-process.ts';

const primaries = 3;
const slots = 16_384;

/** A cluster of six nodes on loopback: three primaries, each with a replica. */
export class RedisCluster {
  readonly nodes: readonly RedisProcess[];
  readonly tls: Certificates | undefined;
  readonly #folder: string;

  private constructor(folder: string, nodes: RedisProcess[], tls: Certificates | undefined) {
    this.#folder = folder;
    this.tls = tls;
    this.nodes = nodes;
  }

  /**
   * @param o.nodeTimeoutMs milliseconds without an answer until a node counts as failed @param o.overTls whether all
   * connections use TLS
   */
  static async start({ nodeTimeoutMs = 1_500, overTls = false } = {}): Promise<RedisCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'ostiary-cluster-'));
    const tls = overTls ? await issueCertificates(join(folder, 'tls')) : undefined;
    const nodes: RedisProcess[] = [];
    for (let n = 0; n < 2 * primaries; n += 1) {
      const home = join(folder, `node-${n}`);
      await mkdir(home);
      await writeFile(join(home, 'users.acl'), `${users().join('\n')}\n`, { mode: 0o600 });
      const settings = [
        '--aclfile',
        'users.acl',
        '--masterauth',
        administrator,
        '--repl-diskless-sync-delay',
        '0',
      ];
      const ofCluster = ['--cluster-enabled', 'yes', '--cluster-node-timeout', String(nodeTimeoutMs)];
      nodes.push(
        new RedisProcess(await freeRedisPort(), home, [...settings, '--save', '', ...ofCluster], { tls }),
      );
    }
    const cluster = new RedisCluster(folder, nodes, tls);
    await Promise.all(nodes.map((node) => node.start()));
    await cluster.#form();
    return cluster;
  }

  /** Host part of a REDIS_URL, with some of the nodes. */
  get address(): string {
    const hosts = this.nodes.slice(0, 4).map(({ host }) => host);
    return `${hosts.join(',')}${this.tls ? `?${tlsParameters(this.tls)}` : ''}`;
  }

  get #scheme(): string {
    return this.tls ? 'rediss+cluster' : 'redis+cluster';
  }

  /** URL of the administrator. */
  get url(): string {
    return `${this.#scheme}://:${encodeURIComponent(administrator)}@${this.address}`;
  }

  /** REDIS_URL of each process. */
  get env(): Record<string, string> {
    return addressesFor(this.#scheme, this.address);
  }

  /** Returns the owner of a slot, as the available nodes report it. */
  async ownerOf(slot: number): Promise<RedisProcess> {
    for (const { admin } of this.nodes) {
      const ranges = (await admin.cluster('SLOTS').catch(() => [])) as [number, number, [string, number]][];
      const range = ranges.find(([first, last]) => first <= slot && slot <= last);
      const owner = this.nodes.find(({ port }) => port === range?.[2][1]);
      if (owner && (await isPrimary(owner))) return owner;
    }
    throw new Error(`no node has the slot ${slot}`);
  }

  /** Waits until another node owns the slot. */
  async failedOver(slot: number, from: RedisProcess): Promise<RedisProcess> {
    const owner = await eventually(
      () => this.ownerOf(slot).catch(() => undefined),
      (found) => found !== undefined && found !== from,
    );
    if (owner === undefined) throw new Error(`Slot ${slot} has no owner`);
    return owner;
  }

  /** Moves a slot with its keys, as `redis-cli --cluster reshard` does. @returns the new owner */
  async move(slot: number): Promise<RedisProcess> {
    const from = await this.ownerOf(slot);
    const others = await Promise.all(
      this.nodes.map(async (node) => ((await isPrimary(node)) && node !== from ? [node] : [])),
    );
    const to = others.flat()[0];
    if (!to) throw new Error('there is no other primary');
    const [fromId, toId] = await Promise.all(
      [from, to].map(({ admin }) => admin.cluster('MYID') as Promise<string>),
    );
    await to.admin.cluster('SETSLOT', slot, 'IMPORTING', fromId ?? '');
    await from.admin.cluster('SETSLOT', slot, 'MIGRATING', toId ?? '');
    for (;;) {
      const keys = (await from.admin.cluster('GETKEYSINSLOT', slot, 50)) as string[];
      if (keys.length === 0) break;
      await from.admin.call(
        'MIGRATE',
        '127.0.0.1',
        to.port,
        '',
        0,
        5_000,
        'AUTH',
        administrator,
        'KEYS',
        ...keys,
      );
    }
    // The new owner first, then the former one; the others are notified to avoid a wait.
    const rest = this.nodes.filter((node) => node !== to && node !== from);
    for (const { admin } of [to, from]) await admin.cluster('SETSLOT', slot, 'NODE', toId ?? '');
    for (const node of rest) {
      if (await isPrimary(node)) await node.admin.cluster('SETSLOT', slot, 'NODE', toId ?? '');
    }
    await this.#until(async ({ admin }) => {
      const ranges = (await admin.cluster('SLOTS')) as unknown as [number, number, [string, number]][];
      return ranges.find(([first, last]) => first <= slot && slot <= last)?.[2][1] === to.port;
    });
    return to;
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((one) => one.stop()));
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #form(): Promise<void> {
    const [first, ...others] = this.nodes;
    if (!first) return;
    await Promise.all(this.nodes.map(({ admin }, n) => admin.cluster('SET-CONFIG-EPOCH', n + 1)));
    await Promise.all(
      this.nodes
        .slice(0, primaries)
        .map(({ admin }, n) =>
          admin.cluster(
            'ADDSLOTSRANGE',
            Math.ceil((n * slots) / primaries),
            Math.ceil(((n + 1) * slots) / primaries) - 1,
          ),
        ),
    );
    for (const { port } of others) await first.admin.cluster('MEET', '127.0.0.1', port);
    const ids = await Promise.all(this.nodes.map(({ admin }) => admin.cluster('MYID') as Promise<string>));
    await this.#until(async ({ admin }) => {
      const known = String(await admin.cluster('NODES'));
      return ids.every((id) => known.includes(id)) && !/handshake/.test(known);
    });
    await Promise.all(
      this.nodes.slice(primaries).map(({ admin }, n) => admin.cluster('REPLICATE', ids[n] ?? '')),
    );
    await this.#until(async ({ admin }) => /cluster_state:ok/.test(String(await admin.cluster('INFO'))));
    const replicas = new Set(this.nodes.slice(primaries));
    await this.#until(async (node) => {
      if (!replicas.has(node)) return /connected_slaves:1/.test(await node.admin.info('replication'));
      return /master_link_status:up/.test(await node.admin.info('replication'));
    });
  }

  async #until(isSo: (node: RedisProcess) => Promise<boolean>): Promise<void> {
    await eventually(
      () => Promise.all(this.nodes.map((node) => isSo(node).catch(() => false))),
      (all) => all.every(Boolean),
    );
  }
}

const isPrimary = async ({ admin }: RedisProcess): Promise<boolean> =>
  /role:master/.test(await admin.info('replication').catch(() => ''));
