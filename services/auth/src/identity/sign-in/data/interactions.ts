import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { keyStem, keyValidation, type Redis, readValid, type SealedValues } from '@ostiary/service';
import { needingRedis } from '../../../tenancy/keys/data/needing-redis.ts';
import type { Interaction, Interactions } from '../domain/interaction.ts';

/** Lifetime of an interaction, in seconds. */
const interactionSeconds = 1_800;

/** Period in which a repeated form gets the outcome of the first one, in seconds. */
const outcomeSeconds = 30;
const outcomePollMs = 25;
const outcomePatienceMs = 1_500;

const take = `${keyValidation}
only(KEYS[1], 'string')
local interaction = redis.call('GETDEL', KEYS[1])
if interaction then redis.call('SET', KEYS[2], '', 'EX', ARGV[1]) end
return interaction`;

/**
 * Stores sealed interactions in Redis under the digest of their id. Access to Redis permits neither entering nor
 * changing one.
 */
export class RedisInteractions implements Interactions {
  readonly #redis: Redis;
  readonly #prefix: string;
  readonly #values: SealedValues;

  constructor(o: { redis: Redis; prefix: string; values: SealedValues }) {
    this.#redis = o.redis;
    this.#prefix = o.prefix;
    this.#values = o.values;
  }

  async put(tenant: string, id: string, interaction: Interaction): Promise<void> {
    await this.#redis.set(
      this.#key(tenant, id),
      this.#seal(tenant, id, interaction),
      'EX',
      interactionSeconds,
    );
  }

  async find(tenant: string, id: string): Promise<Interaction | undefined> {
    return this.#read(tenant, id, await readValid(this.#redis.get(this.#key(tenant, id))));
  }

  async signIn(tenant: string, id: string, interaction: Interaction): Promise<boolean> {
    const sealed = this.#seal(tenant, id, interaction);
    return (await this.#redis.set(this.#key(tenant, id), sealed, 'KEEPTTL', 'XX')) === 'OK';
  }

  async take(tenant: string, id: string): Promise<Interaction | undefined> {
    const [key, outcome] = [this.#key(tenant, id), this.#outcomeKey(tenant, id)];
    return this.#read(
      tenant,
      id,
      (await this.#redis.eval(take, 2, key, outcome, outcomeSeconds)) as string | null,
    );
  }

  async conclude(tenant: string, id: string, outcome: Buffer): Promise<void> {
    const name = this.#outcomeKey(tenant, id);
    const sealed = this.#values.seal(place(tenant, name), outcome.toString('base64url'), outcomeSeconds);
    await this.#redis.set(name, sealed, 'KEEPTTL', 'XX');
  }

  async outcome(tenant: string, id: string): Promise<Buffer | undefined> {
    const name = this.#outcomeKey(tenant, id);
    for (let waited = 0; waited < outcomePatienceMs; waited += outcomePollMs) {
      const outcome = await readValid(this.#redis.get(name));
      if (outcome === null) return undefined;
      // Empty while the request that consumed it is being answered.
      if (outcome !== '') {
        const opened = this.#values.open(place(tenant, name), outcome);
        return opened === undefined ? undefined : Buffer.from(opened, 'base64url');
      }
      await sleep(outcomePollMs);
    }
    return undefined;
  }

  /** The hash tag keeps both keys of an interaction on one node of a cluster. */
  #key(tenant: string, id: string): string {
    const digest = createHash('sha256').update(`${tenant}\0${id}`).digest('base64url');
    return `${keyStem(this.#prefix, 'interaction')}{${digest}}`;
  }

  #outcomeKey(tenant: string, id: string): string {
    return `${this.#key(tenant, id)}:outcome`;
  }

  #seal(tenant: string, id: string, interaction: Interaction): string {
    const name = place(tenant, this.#key(tenant, id));
    return this.#values.seal(name, JSON.stringify(interaction), interactionSeconds);
  }

  #read(tenant: string, id: string, sealed: string | null): Interaction | undefined {
    const opened =
      sealed === null ? undefined : this.#values.open(place(tenant, this.#key(tenant, id)), sealed);
    return opened === undefined ? undefined : (JSON.parse(opened) as Interaction);
  }
}

const place = (tenant: string, name: string) => ({ purpose: 'interaction', tenant, key: name }) as const;

export const createInteractions = (o: ConstructorParameters<typeof RedisInteractions>[0]): Interactions =>
  needingRedis<Interactions>(new RedisInteractions(o));
