import { ServiceUnavailable, uuidv7 } from '@ostiary/service';
import type { Redis } from 'ioredis';
import {
  type DeviceAnswer,
  type DeviceAuthorizations,
  type DeviceCodes,
  type DevicePoll,
  type DeviceRequest,
  type IssuedDeviceCodes,
  newUserCode,
  readUserCode,
  type TooManyDevices,
  type WaitingDevice,
} from '../domain/device-authorization.ts';
import type { GrantContent } from '../domain/grants.ts';
import type { Client } from '../domain/ports.ts';
import { deriveKey, keyedDigest, randomSecret } from '../domain/secret.ts';

const now = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * One poll (RFC 8628 §3.4): compares and, once allowed, consumes in one step, so that of any number of parallel polls
 * one gets 'consumed'. Time is Redis' own. A consumed code stays as a tombstone that a second use runs into.
 * ARGV: client id, tombstone seconds, tolerated milliseconds, the client's epoch
 */
const pollScript = `${now}
local d = redis.call('HMGET', KEYS[1], 'client', 'state', 'expires', 'interval', 'next', 'content', 'epoch')
if not d[1] then return {'unknown'} end
if d[1] ~= ARGV[1] then return {'client'} end
if d[7] ~= ARGV[4] then return {'unknown'} end
if d[2] == 'consumed' then return {'replayed', d[6]} end
if d[2] == 'denied' then return {'denied'} end
if now >= tonumber(d[3]) then return {'expired'} end
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

/** ARGV: state, content. Only a waiting device can be answered, and only once. Gives its client if it was. */
const answerScript = `${now}
local d = redis.call('HMGET', KEYS[1], 'state', 'expires', 'client')
if d[1] ~= 'pending' or now >= tonumber(d[2]) then return false end
redis.call('HSET', KEYS[1], 'state', ARGV[1], 'content', ARGV[2])
return d[3]
`;

/**
 * Enters a device, unless as many of its client's wait already: counted in the same step, so that parallel requests don't
 * get past the bound. Gives 0, or the milliseconds until the oldest has expired.
 * KEYS: the device, the client's waiting devices by their expiry
 * ARGV: client id, request, interval, lifetime seconds, seconds it is kept, the device's id, how many may wait, the client's
 * epoch
 */
const issueScript = `${now}
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', string.format('%.0f', now))
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[7]) then
  return math.max(1, tonumber(redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]) - now)
end
redis.call('ZADD', KEYS[2], string.format('%.0f', now + ARGV[4] * 1000), ARGV[6])
redis.call('EXPIRE', KEYS[2], ARGV[4])
redis.call('HSET', KEYS[1], 'client', ARGV[1], 'state', 'pending', 'request', ARGV[2], 'interval', ARGV[3], 'next', '0', 'epoch', ARGV[8],
  'expires', string.format('%.0f', now + ARGV[4] * 1000))
redis.call('EXPIRE', KEYS[1], ARGV[5])
return 0
`;

/** The waiting device's request, if it still waits. */
const findScript = `${now}
local d = redis.call('HMGET', KEYS[1], 'state', 'expires', 'request')
if d[1] ~= 'pending' or now >= tonumber(d[2]) then return false end
return d[3]
`;

interface DeviceCommands {
  pollDeviceCode(key: string, ...args: string[]): Promise<[string, string?]>;
  answerDevice(key: string, ...args: string[]): Promise<string | null>;
  issueDeviceCode(key: string, waiting: string, ...args: string[]): Promise<number>;
  findDevice(key: string): Promise<string | null>;
}

/** Seconds between two polls, before any slow_down. */
const pollInterval = 5;
/** A poll may have been quicker on its way than the one before. */
const toleratedMs = 500;
/** A device that was asleep still learns that its code expired, and doesn't take it for a wrong one. */
const rememberedSeconds = 600;

/** Device and user codes in Redis, under keyed digests of the codes: who reads Redis can neither redeem nor approve. */
export class RedisDeviceCodes implements DeviceCodes, DeviceAuthorizations {
  readonly #redis: Redis & DeviceCommands;
  readonly #prefix: string;
  readonly #key: Buffer;
  readonly #lifetime: number;
  readonly #mostWaiting: number;
  readonly #tombstoneSeconds: number;

  constructor(o: {
    redis: Redis;
    prefix: string;
    encryptionKey: Buffer;
    /** Seconds. */
    lifetime: number;
    /** Devices of one client that may wait for an answer at the same time. */
    mostWaiting: number;
    /** How long a second use is still recognised as one. */
    tombstoneSeconds: number;
  }) {
    this.#redis = o.redis as Redis & DeviceCommands;
    this.#prefix = o.prefix;
    this.#key = deriveKey(o.encryptionKey, 'device-code');
    this.#lifetime = o.lifetime;
    this.#mostWaiting = o.mostWaiting;
    this.#tombstoneSeconds = o.tombstoneSeconds;
    o.redis.defineCommand('pollDeviceCode', { numberOfKeys: 1, lua: pollScript });
    o.redis.defineCommand('answerDevice', { numberOfKeys: 1, lua: answerScript });
    o.redis.defineCommand('issueDeviceCode', { numberOfKeys: 2, lua: issueScript });
    o.redis.defineCommand('findDevice', { numberOfKeys: 1, lua: findScript });
  }

  async issue(request: DeviceRequest): Promise<IssuedDeviceCodes | TooManyDevices> {
    const deviceCode = randomSecret('odc_');
    const id = this.#digest(request.tenant, deviceCode);
    return this.#available(async () => {
      const userCode = await this.#reserveUserCode(request.tenant, id);
      const waitMs = await this.#redis.issueDeviceCode(
        this.#deviceKey(id),
        this.#waitingKey(request.tenant, request.clientId),
        request.clientId,
        JSON.stringify({ ...request, id, userCode } satisfies WaitingDevice),
        String(pollInterval),
        String(this.#lifetime),
        String(this.#lifetime + rememberedSeconds),
        id,
        String(this.#mostWaiting),
        String(request.clientEpoch),
      );
      if (waitMs > 0) {
        await this.#redis.del(this.#userCodeKey(request.tenant, userCode));
        return { waitMs };
      }
      return { deviceCode, userCode, expiresIn: this.#lifetime, interval: pollInterval };
    });
  }

  async poll(
    tenant: string,
    client: Pick<Client, 'clientId' | 'epoch'>,
    deviceCode: string,
  ): Promise<DevicePoll> {
    const [outcome, content] = await this.#available(() =>
      this.#redis.pollDeviceCode(
        this.#deviceKey(this.#digest(tenant, deviceCode)),
        client.clientId,
        String(this.#tombstoneSeconds),
        String(toleratedMs),
        String(client.epoch),
      ),
    );
    return content === undefined
      ? ({ outcome } as DevicePoll)
      : ({ outcome, content: JSON.parse(content) as GrantContent } as DevicePoll);
  }

  async find(tenant: string, userCode: string): Promise<WaitingDevice | undefined> {
    const code = readUserCode(userCode);
    if (code === undefined) return undefined;
    return this.#available(async () => {
      const id = await this.#redis.get(this.#userCodeKey(tenant, code));
      const request = id === null ? null : await this.#redis.findDevice(this.#deviceKey(id));
      return request === null ? undefined : (JSON.parse(request) as WaitingDevice);
    });
  }

  async approve(
    device: Pick<WaitingDevice, 'id' | 'userCode'>,
    content: Omit<GrantContent, 'grantId'>,
  ): Promise<DeviceAnswer> {
    const granted: GrantContent = { ...content, grantId: uuidv7() };
    return this.#answer(content.tenant, device, 'approved', JSON.stringify(granted));
  }

  async deny(tenant: string, device: Pick<WaitingDevice, 'id' | 'userCode'>): Promise<DeviceAnswer> {
    return this.#answer(tenant, device, 'denied', '');
  }

  async #answer(
    tenant: string,
    device: Pick<WaitingDevice, 'id' | 'userCode'>,
    state: 'approved' | 'denied',
    content: string,
  ): Promise<DeviceAnswer> {
    return this.#available(async () => {
      const clientId = await this.#redis.answerDevice(this.#deviceKey(device.id), state, content);
      // Whoever types it from now on finds nothing; should this fail, they find a device that no longer waits.
      await this.#redis.del(this.#userCodeKey(tenant, device.userCode)).catch(() => 0);
      if (clientId === null) return 'too_late';
      // It no longer waits; should this fail, it is counted until it has expired.
      await this.#redis.zrem(this.#waitingKey(tenant, clientId), device.id).catch(() => 0);
      return 'recorded';
    });
  }

  /** A user code that no other device of the tenant has at the moment. */
  async #reserveUserCode(tenant: string, id: string): Promise<string> {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const userCode = newUserCode();
      const key = this.#userCodeKey(tenant, userCode);
      if ((await this.#redis.set(key, id, 'EX', this.#lifetime, 'NX')) === 'OK') return userCode;
    }
    throw new Error('no free user code');
  }

  #digest(tenant: string, code: string): string {
    return keyedDigest(this.#key, `${tenant}\0${code}`).toString('base64url');
  }

  #deviceKey(id: string): string {
    return `${this.#prefix}:auth:device_code:${id}`;
  }

  #waitingKey(tenant: string, clientId: string): string {
    return `${this.#prefix}:auth:devices_waiting:${tenant}:${clientId}`;
  }

  #userCodeKey(tenant: string, userCode: string): string {
    return `${this.#prefix}:auth:user_code:${this.#digest(tenant, userCode)}`;
  }

  async #available<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw new ServiceUnavailable('redis', { cause: error });
    }
  }
}
