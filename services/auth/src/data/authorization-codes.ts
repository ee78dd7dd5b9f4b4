import { ServiceUnavailable, uuidv7 } from '@ostiary/service';
import type { Redis } from 'ioredis';
import type { CodeContent, CodeStore, Redemption, RedemptionOutcome } from '../domain/authorization-code.ts';
import type { AuthorizedRequest } from '../domain/ports.ts';
import { deriveKey, keyedDigest, randomSecret } from '../domain/secret.ts';

/**
 * Compare and consume in one step: of any number of parallel redemptions one gets 'consumed'. A redemption that
 * doesn't match leaves the code alone, or anybody could burn it. What stays behind is a tombstone, which a second
 * redemption by the same client runs into; one without client authentication must also show the verifier, or the
 * code alone, once leaked, would be enough to end somebody's grant.
 *
 * Value: state ('I'ssued or 'C'onsumed) followed by JSON.
 * ARGV: client id, redirect URI or '', challenge, '1' if the client authenticated, tombstone seconds,
 * thumbprint of the proven key or ''
 */
const redeemScript = `
local value = redis.call('GET', KEYS[1])
if not value then return {'unknown'} end
local state, json = string.sub(value, 1, 1), string.sub(value, 2)
local code = cjson.decode(json)
if code.clientId ~= ARGV[1] then return {'client'} end
if state == 'C' then
  if ARGV[4] == '1' or code.codeChallenge == ARGV[3] then return {'replayed', json} end
  return {'unknown'}
end
if ARGV[2] == '' then
  if code.redirectUriSent then return {'redirect_uri'} end
elseif code.redirectUri ~= ARGV[2] then return {'redirect_uri'} end
if code.codeChallenge ~= ARGV[3] then return {'code_verifier'} end
if code.dpopJkt and code.dpopJkt ~= ARGV[6] then return {'dpop_jkt'} end
redis.call('SET', KEYS[1], 'C' .. json, 'EX', ARGV[5])
return {'consumed', json}
`;

interface CodeCommands {
  redeemAuthorizationCode(key: string, ...args: string[]): Promise<[string, string?]>;
}

/** Authorization codes in Redis, under the keyed digest of the code: who reads Redis can't redeem. */
export class RedisAuthorizationCodes implements CodeStore {
  readonly #redis: Redis;
  readonly #prefix: string;
  readonly #key: Buffer;
  readonly #lifetime: number;
  readonly #tombstoneSeconds: number;

  constructor(o: {
    redis: Redis;
    prefix: string;
    encryptionKey: Buffer;
    /** Seconds. */
    lifetime: number;
    /** How long a second use is still recognised as one. */
    tombstoneSeconds: number;
  }) {
    this.#redis = o.redis;
    this.#prefix = o.prefix;
    this.#key = deriveKey(o.encryptionKey, 'authorization-code');
    this.#lifetime = o.lifetime;
    this.#tombstoneSeconds = Math.max(o.tombstoneSeconds, o.lifetime);
    this.#redis.defineCommand('redeemAuthorizationCode', { numberOfKeys: 1, lua: redeemScript });
  }

  async issue(request: AuthorizedRequest, longestSeconds = this.#lifetime): Promise<string> {
    const code = randomSecret('oac_');
    const content: CodeContent = { ...request, grantId: uuidv7() };
    await this.#available(() =>
      this.#redis.set(
        this.#name(request.tenant, code),
        `I${JSON.stringify(content)}`,
        'EX',
        Math.min(this.#lifetime, longestSeconds),
        'NX',
      ),
    );
    return code;
  }

  async redeem(redemption: Redemption): Promise<RedemptionOutcome> {
    const [outcome, json] = await this.#available(() =>
      (this.#redis as unknown as CodeCommands).redeemAuthorizationCode(
        this.#name(redemption.tenant, redemption.code),
        redemption.clientId,
        redemption.redirectUri ?? '',
        redemption.codeChallenge,
        redemption.clientAuthenticated ? '1' : '0',
        String(this.#tombstoneSeconds),
        redemption.dpopJkt ?? '',
      ),
    );
    return json === undefined
      ? ({ outcome } as RedemptionOutcome)
      : ({ outcome, content: JSON.parse(json) as CodeContent } as RedemptionOutcome);
  }

  #name(tenant: string, code: string): string {
    const digest = keyedDigest(this.#key, `${tenant}\0${code}`).toString('base64url');
    return `${this.#prefix}:authorization_code:${digest}`;
  }

  async #available<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw new ServiceUnavailable('redis', { cause: error });
    }
  }
}
