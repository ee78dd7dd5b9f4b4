import { keyValidation, type Redis, type Signatures } from '@ostiary/service';
import { type DomainEvent, type EventType, eventTypes } from './contracts.ts';

/** What subscribers of the graph can be told about. */
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
 * What every gateway is told when something has happened: who and what, never its content. Who subscribes gets what
 * they may read of it from the services themselves.
 */
export interface LiveEvent {
  /** UUIDv7; the same however often it is sent. */
  id: string;
  tenant: string;
  type: LiveEventType;
  /** Id of the user or group; of the log entry for provisioning.activity and sign_in.attempted. */
  subject: string;
  /** RFC 3339. */
  occurredAt: string;
  /** Version of the user or group that the change led to. */
  version?: number;
  /** session.revoked: sessionId. sign_in.attempted: outcome, and reason and userId if there are. provisioning.activity: source, status, and resourceType and resourceId if there are. */
  data?: Record<string, string | number>;
}

/** The stream all gateways read. Its hash tag keeps it, its counter and its marks on one node of a cluster. */
export const liveStream = (prefix: string): string => `{${prefix}}:live`;

/** How much of the past the stream keeps, for subscribers who come back. */
export const liveRetention = { entries: 10_000, ms: 3_600_000 } as const;

/** For how long an event that is sent twice is recognised before it reaches the stream, in ms. */
const recognisedMs = 120_000;
const publishAtOnce = 100;
/** By how much the clock of the Redis before this one may have been ahead, in ms. */
const clockSlackMs = 600_000;

// Every entry counts one up (`n`), so that a reader notices when something is missing, and a stream that begins anew says
// so in its first entry (`start`): what was in the old one is gone, and with it where anybody had got to. So does one that
// takes no more, or none that anybody could read: because it is of another type, or its ids lie in the future.
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
 * Puts events into the stream, at once or not at all for each hundred. What was sent a moment ago and is sent again
 * because the answer got lost doesn't come twice.
 * @throws the error of Redis; send the same events again then
 */
export async function publishLive(
  redis: Redis,
  o: { prefix: string; signatures: Signatures },
  events: readonly LiveEvent[],
): Promise<void> {
  const stream = liveStream(o.prefix);
  for (let first = 0; first < events.length; first += publishAtOnce) {
    const some = events.slice(first, first + publishAtOnce);
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
 * Says in the stream that it may have lost something if this isn't the server it was written on: one that has been
 * restarted, or that took over, may lack what its predecessor had already confirmed. To be called on every connection.
 * @param runId of the server, from `INFO server`
 */
export async function markLiveStart(redis: Redis, prefix: string, runId: string): Promise<void> {
  const stream = liveStream(prefix);
  const keys = [stream, `${stream}:n`, `${stream}:run`];
  await redis.eval(startScript, keys.length, ...keys, liveRetention.entries, runId);
}

/** What one entry of the stream says. */
export type LiveEntry = { n: number } & ({ event: LiveEvent } | { start: true });

/**
 * Reads an entry's fields; undefined when they aren't ours. That the stream begins anew isn't signed: it only makes subscribers
 * ask again.
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

/** What subscribers, and those who serve them, hear of an event of the directory; undefined when it is none of theirs. */
export function liveEventOf(
  event: Pick<DomainEvent, 'id' | 'tenant' | 'subject' | 'version' | 'occurredAt'> & {
    type: string;
    /** Of the tenant that the event is about. */
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
