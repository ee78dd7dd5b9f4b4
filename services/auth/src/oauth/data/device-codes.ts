import {
  keyStem,
  keyValidation,
  type Redis,
  readValid,
  type SealedPurpose,
  type SealedValues,
  ServiceUnavailable,
  uuidv7,
} from '@ostiary/service';
import type { AskingDevice, GrantContent } from '../../access/index.ts';
import type { Client } from '../../clients/index.ts';
import { randomSecret } from '../../tenancy/index.ts';
import { DigestNames, type SealedStoreOptions } from '../../tenancy/keys/data/sealed-store.ts';
import {
  type DeviceAnswer,
  type DeviceCodes,
  type DevicePoll,
  type DeviceRequest,
  type IssuedDeviceCodes,
  newUserCode,
  readUserCode,
  type TooManyDevices,
  type WaitingDevice,
} from '../domain/device-authorization.ts';

/*
 * The scripts only decide which call is first. The owner of a device, its permissions and its expiry are read from
 * sealed values: the request of the device, the answer, and the device of a user code. The grant of a device whose
 * state is restored after its redemption exists already (`GrantStore.open`).
 */

const now = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * Handles one poll (RFC 8628 §3.4). Compares and, once approved, consumes in one step: of parallel polls exactly one
 * gets `consumed`. Uses the clock of Redis. A consumed code stays as a tombstone that detects a second use.
 * ARGV: client id, tombstone seconds, tolerated milliseconds, the client's epoch, '1' to leave the code and the interval unchanged
 */
const pollScript = `${keyValidation}${now}
only(KEYS[1], 'hash')
local d = redis.call('HMGET', KEYS[1], 'client', 'state', 'expires', 'interval', 'next', 'content', 'epoch')
if not d[1] then return {'unknown'} end
if d[1] ~= ARGV[1] then return {'client'} end
if d[7] ~= ARGV[4] then return {'unknown'} end
if not (tonumber(d[3]) and tonumber(d[4]) and tonumber(d[5])) then return {'unknown'} end
if d[2] == 'consumed' then return {'replayed', d[6]} end
if d[2] == 'denied' then return {'denied'} end
if now >= tonumber(d[3]) then return {'expired'} end
if ARGV[5] == '1' then return {d[2] == 'approved' and 'consumed' or 'pending', d[6]} end
if d[2] == 'approved' then
  redis.call('HSET', KEYS[1], 'state', 'consumed')
  redis.call('EXPIRE', KEYS[1], ARGV[2])
  return {'consumed', d[6]}
end
local interval, outcome = tonumber(d[4]), 'pending'
if now < tonumber(d[5]) then
  interval, outcome = interval + 5, 'slow_down'
end
redis.call('HSET', KEYS[1], 'interval', interval, 'next', string.format('%.0f', now + interval * 1000 - ARGV[3]))
return {outcome}
`;

/**
 * Answers a waiting device, only once. Returns its client, or false if the device does not wait.
 * ARGV: state, content
 */
const answerScript = `${keyValidation}${now}
only(KEYS[1], 'hash')
local d = redis.call('HMGET', KEYS[1], 'state', 'expires', 'client')
if d[1] ~= 'pending' or now >= (tonumber(d[2]) or 0) then return false end
redis.call('HSET', KEYS[1], 'state', ARGV[1], 'content', ARGV[2])
return d[3]
`;

/**
 * Reserves a slot for a waiting device of a client. Counts in the same step, so that parallel requests stay within
 * the maximum. Returns 0, or the milliseconds until the oldest slot expires. The slot of a device that is not stored
 * afterwards expires with the lifetime.
 * KEYS: the client's waiting devices by their expiry
 * ARGV: lifetime seconds, the device's id, maximum number of waiting devices
 */
const placeScript = `${keyValidation}${now}
only(KEYS[1], 'zset')
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
-- None waits for longer than it lives.
redis.call('ZREMRANGEBYSCORE', KEYS[1], string.format('(%.0f', now + ARGV[1] * 1000), '+inf')
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then
  return math.max(1, tonumber(redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]) - now)
end
redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[1] * 1000), ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[1])
return 0
`;

/**
 * Stores a device. A separate script, because the client's list of devices may be on another node of a cluster.
 * ARGV: client id, request, interval, lifetime seconds, seconds it is kept, the client's epoch
 */
const issueScript = `${now}
redis.call('HSET', KEYS[1], 'client', ARGV[1], 'state', 'pending', 'request', ARGV[2], 'interval', ARGV[3], 'next', '0', 'epoch', ARGV[6],
  'expires', string.format('%.0f', now + ARGV[4] * 1000))
redis.call('EXPIRE', KEYS[1], ARGV[5])
return 0
`;

/** Returns the request of the device if it waits for an answer. */
const findScript = `${keyValidation}${now}
only(KEYS[1], 'hash')
local d = redis.call('HMGET', KEYS[1], 'state', 'expires', 'request')
if d[1] ~= 'pending' or now >= (tonumber(d[2]) or 0) then return false end
return d[3]
`;

interface DeviceCommands {
  pollDeviceCode(key: string, ...args: string[]): Promise<[string, string?]>;
  answerDevice(key: string, ...args: string[]): Promise<string | null>;
  placeDevice(waiting: string, ...args: string[]): Promise<number>;
  issueDeviceCode(key: string, ...args: string[]): Promise<number>;
  findDevice(key: string): Promise<string | null>;
}

/** Interval between two polls before any `slow_down`, in seconds. */
const pollInterval = 5;
/** Tolerance for a poll whose network delay is shorter than that of the previous poll, in milliseconds. */
const toleratedMs = 500;
/** Period after the expiry of a code in which a poll gets `expired` instead of `unknown`, in seconds. */
const rememberedSeconds = 600;

/** Maximum clock difference between two processes, in seconds. */
const clockSkewSeconds = 60;

/**
 * Sealed answer. `redeemableUntil` (Unix seconds) limits redemption independently of the lifetime of the tombstone.
 */
type SealedGrant = GrantContent & { redeemableUntil: number };

/**
 * Stores sealed device and user codes in Redis under keyed digests of the codes. Access to Redis permits neither
 * redemption nor approval.
 */
export class RedisDeviceCodes implements DeviceCodes {
  readonly #redis: Redis & DeviceCommands;
  readonly #prefix: string;
  readonly #values: SealedValues;
  readonly #devices: DigestNames;
  readonly #userCodes: DigestNames;
  readonly #clock: () => number;
  readonly #lifetime: number;
  readonly #maxWaiting: number;
  readonly #tombstoneSeconds: number;

  constructor(
    o: SealedStoreOptions & {
      /** Milliseconds. */
      clock: () => number;
      /** Seconds. */
      lifetime: number;
      /** Maximum number of devices of one client that wait for an answer. */
      maxWaiting: number;
      /** Period in which a second use is detected as reuse, in seconds. */
      tombstoneSeconds: number;
    },
  ) {
    this.#redis = o.redis as Redis & DeviceCommands;
    this.#prefix = o.prefix;
    this.#values = o.values;
    this.#devices = new DigestNames(o, 'device_code');
    this.#userCodes = new DigestNames(o, 'user_code');
    this.#clock = o.clock;
    this.#lifetime = o.lifetime;
    this.#maxWaiting = o.maxWaiting;
    this.#tombstoneSeconds = o.tombstoneSeconds;
    o.redis.defineCommand('pollDeviceCode', { numberOfKeys: 1, lua: pollScript });
    o.redis.defineCommand('answerDevice', { numberOfKeys: 1, lua: answerScript });
    o.redis.defineCommand('placeDevice', { numberOfKeys: 1, lua: placeScript });
    o.redis.defineCommand('issueDeviceCode', { numberOfKeys: 1, lua: issueScript });
    o.redis.defineCommand('findDevice', { numberOfKeys: 1, lua: findScript });
  }

  async issue(request: DeviceRequest): Promise<IssuedDeviceCodes | TooManyDevices> {
    const { tenant } = request;
    const deviceCode = randomSecret('odc_');
    const key = this.#devices.current(tenant, deviceCode);
    const id = this.#idOf(key);
    return this.#available(async () => {
      const [userCode, waitMs] = await Promise.all([
        this.#reserveUserCode(tenant, id),
        this.#redis.placeDevice(
          this.#waitingKey(tenant, request.clientId),
          String(this.#lifetime),
          id,
          String(this.#maxWaiting),
        ),
      ]);
      if (waitMs > 0) {
        await this.#redis.del(this.#userCodes.current(tenant, userCode));
        return { waitMs };
      }
      const waiting: WaitingDevice = { ...request, id, userCode };
      await this.#redis.issueDeviceCode(
        key,
        request.clientId,
        this.#seal('device_code', tenant, `${key}:request`, waiting, this.#lifetime),
        String(pollInterval),
        String(this.#lifetime),
        String(this.#lifetime + rememberedSeconds),
        String(request.clientEpoch),
      );
      return { deviceCode, userCode, expiresIn: this.#lifetime, interval: pollInterval };
    });
  }

  poll(tenant: string, client: Client, deviceCode: string): Promise<DevicePoll> {
    return this.#outcomeOf(tenant, client, deviceCode, false);
  }

  async peek(tenant: string, client: Client, deviceCode: string): Promise<GrantContent | undefined> {
    const found = await this.#outcomeOf(tenant, client, deviceCode, true);
    return found.outcome === 'consumed' ? found.content : undefined;
  }

  async #outcomeOf(tenant: string, client: Client, deviceCode: string, kept: boolean): Promise<DevicePoll> {
    for (const key of this.#devices.all(tenant, deviceCode)) {
      const [outcome, sealed] = await this.#available(() =>
        this.#redis.pollDeviceCode(
          key,
          client.clientId,
          String(this.#tombstoneSeconds),
          String(toleratedMs),
          String(client.epoch),
          kept ? '1' : '0',
        ),
      );
      if (outcome === 'consumed' || outcome === 'replayed')
        return this.#confirmed(outcome, tenant, client, key, sealed ?? '');
      if (outcome !== 'unknown') return { outcome } as DevicePoll;
    }
    return { outcome: 'unknown' };
  }

  async find(tenant: string, userCode: string): Promise<WaitingDevice | undefined> {
    const code = readUserCode(userCode);
    if (code === undefined) return undefined;
    return this.#available(async () => {
      for (const name of this.#userCodes.all(tenant, code)) {
        const sealed = await readValid(this.#redis.get(name));
        if (sealed === null) continue;
        const id = this.#open<{ id: string }>('user_code', tenant, name, sealed)?.id;
        const key = id === undefined ? undefined : keyStem(this.#prefix, 'device_code') + id;
        const request = key === undefined ? null : await this.#redis.findDevice(key);
        if (request === null) return undefined;
        return this.#open<WaitingDevice>('device_code', tenant, `${key}:request`, request);
      }
      return undefined;
    });
  }

  async approve(device: AskingDevice, content: Omit<GrantContent, 'grantId'>): Promise<DeviceAnswer> {
    const granted: SealedGrant = {
      ...content,
      grantId: uuidv7(),
      redeemableUntil: Math.ceil(this.#clock() / 1000) + this.#lifetime,
    };
    return this.#answer(content.tenant, device, 'approved', granted);
  }

  async deny(tenant: string, device: AskingDevice): Promise<DeviceAnswer> {
    return this.#answer(tenant, device, 'denied');
  }

  /** Returns the outcome of the script if the sealed answer confirms it. */
  #confirmed(
    outcome: 'consumed' | 'replayed',
    tenant: string,
    client: Client,
    key: string,
    sealed: string,
  ): DevicePoll {
    const opened = this.#open<SealedGrant>('device_code', tenant, `${key}:answer`, sealed);
    if (opened === undefined) return { outcome: 'unknown' };
    const { redeemableUntil, ...content } = opened;
    if (content.tenant !== tenant || content.clientEpoch !== client.epoch) return { outcome: 'unknown' };
    if (content.clientId !== client.clientId) return { outcome: 'client' };
    const isOver = this.#clock() / 1000 > redeemableUntil + clockSkewSeconds;
    return outcome === 'consumed' && isOver ? { outcome: 'expired' } : { outcome, content };
  }

  async #answer(
    tenant: string,
    device: AskingDevice,
    state: 'approved' | 'denied',
    granted?: SealedGrant,
  ): Promise<DeviceAnswer> {
    const key = keyStem(this.#prefix, 'device_code') + device.id;
    const kept = this.#lifetime + rememberedSeconds + this.#tombstoneSeconds;
    const content = granted ? this.#seal('device_code', tenant, `${key}:answer`, granted, kept) : '';
    return this.#available(async () => {
      const clientId = await this.#redis.answerDevice(key, state, content);
      // A user code that stays after a failed deletion leads to a device that no longer waits.
      for (const name of this.#userCodes.all(tenant, device.userCode))
        await this.#redis.del(name).catch(() => 0);
      if (clientId === null) return 'too_late';
      // After a failure the device is counted until it expires.
      await this.#redis.zrem(this.#waitingKey(tenant, clientId), device.id).catch(() => 0);
      return 'recorded';
    });
  }

  /** Reserves a user code that no other waiting device of the tenant has. */
  async #reserveUserCode(tenant: string, id: string): Promise<string> {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const userCode = newUserCode();
      const name = this.#userCodes.current(tenant, userCode);
      const sealed = this.#seal('user_code', tenant, name, { id }, this.#lifetime);
      if ((await this.#redis.set(name, sealed, 'EX', this.#lifetime, 'NX')) === 'OK') return userCode;
    }
    throw new Error('no free user code');
  }

  #seal(purpose: SealedPurpose, tenant: string, key: string, content: object, seconds: number): string {
    return this.#values.seal({ purpose, tenant, key }, JSON.stringify(content), seconds);
  }

  #open<T>(purpose: SealedPurpose, tenant: string, key: string, sealed: string): T | undefined {
    const opened = this.#values.open({ purpose, tenant, key }, sealed);
    return opened === undefined ? undefined : (JSON.parse(opened) as T);
  }

  #idOf(key: string): string {
    return key.slice(keyStem(this.#prefix, 'device_code').length);
  }

  #waitingKey(tenant: string, clientId: string): string {
    return `${keyStem(this.#prefix, 'devices_waiting')}${tenant}:${clientId}`;
  }

  async #available<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw new ServiceUnavailable('redis', { cause: error });
    }
  }
}
