import { keyValidation, type Redis, type Signatures } from '@ostiary/service';
import { type DomainEvent, type EventType, eventTypes } from './contracts.ts';

/** Types of events for subscribers of the graph. */
export type LiveEventType =
  | Exclude<EventType, 'tenant.created' | 'tenant.updated'>
  | 'tenant.suspended'
  | 'session.revoked'
  | 'sign_in.attempted'
  | 'provisioning.activity';

export const liveEventTypes: readonly LiveEventType[] = [
  ...eventTypes.filter((type) => type !== 'tenant.created' && type !== 'tenant.updated'),
  'tenant.suspended',
  'session.revoked',
  'sign_in.attempted',
  'provisioning.activity',
];

/**
 * An event for every gateway: the object and type of a change, never its content. Subscribers read the
 * content from the services, as far as permitted.
 */
export interface LiveEvent {
  /** UUIDv7, equal for repeated sending. */
  id: string;
  tenant: string;
  type: LiveEventType;
  /** Id of the user or group; of the log entry for provisioning.activity and sign_in.attempted. */
  subject: string;
  /** RFC 3339. */
  occurredAt: string;
  /** Version of the user or group after the change. */
  version?: number;
  /**
   * session.revoked: sessionId. sign_in.attempted: outcome, and reason and userId if known.
   * provisioning.activity: source, status, and resourceType and resourceId if known.
   */
  data?: Record<string, string | number>;
}

/**
 * Returns the stream that all gateways read. Its hash tag keeps it, its counter and its marks on one node of
 * a cluster.
 */
export const liveStream = (prefix: string): string => `{${prefix}}:live`;

/** Retention of the stream, for subscribers that reconnect. */
export const liveRetention = { entries: 10_000, ms: 3_600_000 } as const;

/** Time in ms for which a repeated event is recognised before it reaches the stream. */
const recognisedMs = 120_000;
const publishBatchSize = 100;
/** Maximum lead in ms of the previous Redis server's clock. */
const clockSlackMs = 600_000;

// Every entry increments `n`, so that readers detect gaps. A recreated stream starts with a `start` entry:
// earlier positions are meaningless. The stream is recreated if it cannot be written or read: it has another
// type, or its ids are in the future.
const addEntries = `${keyValidation}
only(KEYS[1], 'stream')
local now = redis.call('TIME')
local latest = now[1] * 1000 + ${clockSlackMs}
local function add(...)
  local id = redis.pcall('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', 'n', upwards(KEYS[2]), ...)
  if type(id) == 'string' then
    if tonumber(string.match(id, '^%d+')) <= latest then return end
  elseif not string.find(id.err, 'exhausted', 1, true) then
    error(id)
  end
  redis.call('UNLINK', KEYS[1])
  redis.call('XADD', KEYS[1], '*', 'n', upwards(KEYS[2]), 'start', 'full')
  redis.call('XADD', KEYS[1], '*', 'n', upwards(KEYS[2]), ...)
end
`;

const publishScript = `${addEntries}
if redis.call('EXISTS', KEYS[1]) == 0 then add('start', 'empty') end
redis.call('XTRIM', KEYS[1], 'MINID', '~', string.format('%.0f', now[1] * 1000 - ARGV[2]))
local added = 0
for i = 3, #KEYS do
  if redis.call('SET', KEYS[i], '1', 'NX', 'PX', ARGV[3]) then
    add('event', ARGV[2 * i - 2], 'mac', ARGV[2 * i - 1])
    added = added + 1
  end
end
return added`;

const startScript = `${addEntries}
only(KEYS[3], 'string')
if redis.call('GET', KEYS[3]) == ARGV[2] and redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('SET', KEYS[3], ARGV[2])
add('start', ARGV[2])
return 1`;

/**
 * Adds events to the stream, each hundred atomically. Events sent again because the response was lost are not
 * added twice.
 * @throws the error of Redis; then send the same events again
 */
export async function publishLive(
  redis: Redis,
  o: { prefix: string; signatures: Signatures },
  events: readonly LiveEvent[],
): Promise<void> {
  const stream = liveStream(o.prefix);
  for (let first = 0; first < events.length; first += publishBatchSize) {
    const some = events.slice(first, first + publishBatchSize);
    const keys = [stream, `${stream}:n`, ...some.map(({ id }) => `${stream}:seen:${id}`)];
    await redis.eval(
      publishScript,
      keys.length,
      ...keys,
      liveRetention.entries,
      liveRetention.ms,
      recognisedMs,
      ...some.flatMap((event) => {
        const text = JSON.stringify(event);
        return [text, o.signatures.sign('live', stream, text)];
      }),
    );
  }
}

/**
 * Marks a possible gap in the stream if this is another server than the last writer's: one that restarted or
 * took over may lack confirmed entries. Call it on every connection.
 * @param runId run id of the server, from `INFO server`
 */
export async function markLiveStart(redis: Redis, prefix: string, runId: string): Promise<void> {
  const stream = liveStream(prefix);
  const keys = [stream, `${stream}:n`, `${stream}:run`];
  await redis.eval(startScript, keys.length, ...keys, liveRetention.entries, runId);
}

/** Content of one stream entry. */
export type LiveEntry = { n: number } & ({ event: LiveEvent } | { start: true });

/**
 * Parses the fields of an entry; undefined if they are not signed. A `start` mark is unsigned, because it
 * only makes subscribers read again.
 */
export function readLiveEntry(
  fields: readonly string[],
  o: { prefix: string; signatures: Signatures },
): LiveEntry | undefined {
  const values = new Map<string, string>();
  for (let index = 0; index + 1 < fields.length; index += 2)
    values.set(fields[index] ?? '', fields[index + 1] ?? '');
  const n = Number(values.get('n'));
  if (!Number.isSafeInteger(n)) return undefined;
  if (values.has('start')) return { n, start: true };
  const text = values.get('event') ?? '';
  if (!o.signatures.verifies('live', liveStream(o.prefix), text, values.get('mac'))) return undefined;
  try {
    return { n, event: JSON.parse(text) as LiveEvent };
  } catch {
    return undefined;
  }
}

/** Returns the event for subscribers of a directory event; undefined if there is none. */
export function liveEventOf(
  event: Pick<DomainEvent, 'id' | 'tenant' | 'subject' | 'version' | 'occurredAt'> & {
    type: string;
    /** Status of the event's tenant. */
    status?: string | undefined;
  },
): LiveEvent | undefined {
  const type = liveTypeOf(event);
  if (type === undefined) return undefined;
  const { id, tenant, subject, occurredAt, version } = event;
  return { id, tenant, type, subject, occurredAt, version };
}

function liveTypeOf({
  type,
  status,
}: {
  type: string;
  status?: string | undefined;
}): LiveEventType | undefined {
  if (type === 'tenant.created' || type === 'tenant.updated') {
    return status === 'suspended' ? 'tenant.suspended' : undefined;
  }
  return type as LiveEventType;
}
