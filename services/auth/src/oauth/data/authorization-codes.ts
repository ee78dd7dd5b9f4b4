import {
  keyValidation,
  type Redis,
  type SealedValues,
  ServiceUnavailable,
  TurnPipeline,
  uuidv7,
} from '@ostiary/service';
import type {
  AuthorizedRequest,
  CodeContent,
  CodeStore,
  Redemption,
  RedemptionOutcome,
} from '../../access/index.ts';
import { randomSecret } from '../../tenancy/index.ts';
import { DigestNames, type SealedStoreOptions } from '../../tenancy/keys/data/sealed-store.ts';

/**
 * Compares and consumes a code in one step: of parallel redemptions exactly one gets `consumed`. A redemption that
 * does not match leaves the code unconsumed, because otherwise any client could invalidate it. A consumed code stays
 * as a tombstone that detects a second redemption by the same client. A client without authentication must also
 * present the verifier, because otherwise a leaked code alone would suffice to end the grant.
 *
 * Value: state (`I`ssued or `C`onsumed), the compared fields as JSON, a line break, the sealed content. The compared
 * fields only reject callers; the sealed content decides (`#confirmed`).
 * ARGV: client id, redirect URI or '', challenge, '1' if the client authenticated, tombstone seconds, thumbprint of
 * the proven key or '', '1' to leave the code unconsumed
 */
const redeemScript = `${keyValidation}
only(KEYS[1], 'string')
local value = redis.call('GET', KEYS[1])
if not value then return {'unknown'} end
local line = string.find(value, '\\n', 1, true)
if not line then return {'unknown'} end
local state, sealed = string.sub(value, 1, 1), string.sub(value, line + 1)
local read, code = pcall(cjson.decode, string.sub(value, 2, line - 1))
if not read or type(code) ~= 'table' then return {'unknown'} end
if code.clientId ~= ARGV[1] then return {'client'} end
if state == 'C' then
  if ARGV[4] == '1' or code.codeChallenge == ARGV[3] then return {'replayed', sealed} end
  return {'unknown'}
end
if ARGV[2] == '' then
  if code.redirectUriSent then return {'redirect_uri'} end
elseif code.redirectUri ~= ARGV[2] then return {'redirect_uri'} end
if code.codeChallenge ~= ARGV[3] then return {'code_verifier'} end
if code.dpopJkt and code.dpopJkt ~= ARGV[6] then return {'dpop_jkt'} end
if ARGV[7] == '1' then return {'consumed', sealed} end
redis.call('SET', KEYS[1], 'C' .. string.sub(value, 2), 'EX', ARGV[5])
return {'consumed', sealed}
`;

type Answer = [outcome: RedemptionOutcome['outcome'], sealed?: string];

interface CodeCommands {
  redeemAuthorizationCode(key: string, ...args: string[]): Promise<Answer>;
}

/**
 * Sealed content. `redeemableUntil` (Unix seconds) limits redemption independently of the lifetime of the tombstone.
 */
type SealedCode = CodeContent & { redeemableUntil: number };

/** Maximum clock difference between two processes, in seconds. */
const clockSkewSeconds = 60;

/**
 * Stores sealed authorization codes in Redis under the keyed digest of the code. Read access to Redis does not permit
 * redemption, and write access only permits deletion. The grant of a code that is restored after its redemption
 * exists already (`GrantStore.open`).
 */
export class RedisAuthorizationCodes implements CodeStore {
  readonly #redis: Redis & CodeCommands;
  readonly #redemptions: TurnPipeline;
  readonly #values: SealedValues;
  readonly #names: DigestNames;
  readonly #clock: () => number;
  readonly #lifetime: number;
  readonly #tombstoneSeconds: number;

  constructor(
    o: SealedStoreOptions & {
      /** Milliseconds. */
      clock: () => number;
      /** Seconds. */
      lifetime: number;
      /** Period in which a second use is detected as reuse, in seconds. */
      tombstoneSeconds: number;
    },
  ) {
    this.#redis = o.redis as Redis & CodeCommands;
    this.#redemptions = new TurnPipeline(o.redis);
    this.#values = o.values;
    this.#names = new DigestNames(o, 'authorization_code');
    this.#clock = o.clock;
    this.#lifetime = o.lifetime;
    this.#tombstoneSeconds = Math.max(o.tombstoneSeconds, o.lifetime);
    o.redis.defineCommand('redeemAuthorizationCode', { numberOfKeys: 1, lua: redeemScript });
  }

  async issue(request: AuthorizedRequest, maxSeconds = this.#lifetime): Promise<string> {
    const code = randomSecret('oac_');
    const { clientId, redirectUri, redirectUriSent, codeChallenge, dpopJkt } = request;
    const seconds = Math.min(this.#lifetime, maxSeconds);
    const content: SealedCode = {
      ...request,
      grantId: uuidv7(),
      redeemableUntil: Math.ceil(this.#clock() / 1000) + seconds,
    };
    const name = this.#names.current(request.tenant, code);
    const sealed = this.#values.seal(
      { purpose: 'authorization_code', tenant: request.tenant, key: name },
      JSON.stringify(content),
      seconds + this.#tombstoneSeconds,
    );
    const compared = JSON.stringify({ clientId, redirectUri, redirectUriSent, codeChallenge, dpopJkt });
    await available(() => this.#redis.set(name, `I${compared}\n${sealed}`, 'EX', seconds, 'NX'));
    return code;
  }

  redeem(redemption: Redemption): Promise<RedemptionOutcome> {
    return this.#outcomeOf(redemption, false);
  }

  async peek(redemption: Redemption): Promise<CodeContent | undefined> {
    const found = await this.#outcomeOf(redemption, true);
    return found.outcome === 'consumed' ? found.content : undefined;
  }

  async #outcomeOf(redemption: Redemption, kept: boolean): Promise<RedemptionOutcome> {
    for (const name of this.#names.all(redemption.tenant, redemption.code)) {
      const [outcome, sealed] = await available(() => this.#consume(name, redemption, kept));
      if (outcome === 'consumed' || outcome === 'replayed')
        return this.#confirmed(outcome, redemption, name, sealed ?? '');
      if (outcome !== 'unknown') return { outcome };
    }
    return { outcome: 'unknown' };
  }

  /** Sends the redemptions of one turn of the event loop together. */
  #consume(name: string, redemption: Redemption, kept: boolean): Promise<Answer> {
    return this.#redemptions.send(() =>
      this.#redis.redeemAuthorizationCode(
        name,
        redemption.clientId,
        redemption.redirectUri ?? '',
        redemption.codeChallenge,
        redemption.clientAuthenticated ? '1' : '0',
        String(this.#tombstoneSeconds),
        redemption.dpopJkt ?? '',
        kept ? '1' : '0',
      ),
    );
  }

  /** Returns the outcome of the script if the sealed content confirms it. */
  #confirmed(
    outcome: 'consumed' | 'replayed',
    redemption: Redemption,
    key: string,
    sealed: string,
  ): RedemptionOutcome {
    const { tenant, clientId, redirectUri, codeChallenge, dpopJkt, clientAuthenticated } = redemption;
    const opened = this.#values.open({ purpose: 'authorization_code', tenant, key }, sealed);
    if (opened === undefined) return { outcome: 'unknown' };
    const { redeemableUntil, ...content } = JSON.parse(opened) as SealedCode;
    if (content.tenant !== tenant) return { outcome: 'unknown' };
    if (content.clientId !== clientId) return { outcome: 'client' };
    const isVerified = content.codeChallenge === codeChallenge;
    if (outcome === 'replayed')
      return clientAuthenticated || isVerified ? { outcome, content } : { outcome: 'unknown' };
    if (this.#clock() / 1000 > redeemableUntil + clockSkewSeconds) return { outcome: 'unknown' };
    const isSameAddress =
      redirectUri === undefined || redirectUri === ''
        ? !content.redirectUriSent
        : content.redirectUri === redirectUri;
    if (!isSameAddress) return { outcome: 'redirect_uri' };
    if (!isVerified) return { outcome: 'code_verifier' };
    if (content.dpopJkt !== undefined && content.dpopJkt !== dpopJkt) return { outcome: 'dpop_jkt' };
    return { outcome, content };
  }
}

async function available<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new ServiceUnavailable('redis', { cause: error });
  }
}
