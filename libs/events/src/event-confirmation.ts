import type { HttpPeer } from '@ostiary/service';
import { ServiceUnavailable } from '@ostiary/service';
import type { Confirmation } from './consumer.ts';
import type { DomainEvent, UserDeparture } from './contracts.ts';

/** One event as the directory has it, with the current state of its subject. */
export interface ConfirmedEvent {
  event: DomainEvent;
  /** Users: whether they may sign in. Tenants: whether active. Others: true. */
  active: boolean;
  /** Inactive or deleted users: the departure that began the current absence. */
  departure?: UserDeparture | null;
}

/** Maximum number of ids per request. */
const askBatchSize = 500;

/**
 * Confirms events that grant access with the directory. Events unknown to it are rejected. An event of access
 * that has ended since (the later event is pending) grants none.
 * @param grants selects the events that would grant access
 */
export function confirmedByDirectory(
  directory: Pick<HttpPeer, 'request'>,
  grants: (events: readonly DomainEvent[]) => Promise<ReadonlySet<string>>,
): (events: readonly DomainEvent[]) => Promise<Confirmation> {
  return async (events) => {
    const asked = await grants(events);
    if (asked.size === 0) return { events, refused: 0 };
    let words: ReadonlyMap<string, ConfirmedEvent>;
    try {
      words = await ask(directory, [...asked]);
    } catch (failure) {
      return { events: events.filter(({ id }) => !asked.has(id)), refused: 0, failure };
    }
    const confirmed = events.flatMap((event) => {
      if (!asked.has(event.id)) return [event];
      const word = words.get(event.id);
      return word ? [word.active ? word.event : closed(word)] : [];
    });
    return { events: confirmed, refused: events.length - confirmed.length };
  };
}

async function ask(
  directory: Pick<HttpPeer, 'request'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ConfirmedEvent>> {
  const words = new Map<string, ConfirmedEvent>();
  for (let first = 0; first < ids.length; first += askBatchSize) {
    const { status, body } = await directory.request<{ words?: ConfirmedEvent[] }>({
      method: 'POST',
      path: '/internal/v1/events/confirm',
      body: { ids: ids.slice(first, first + askBatchSize) },
      idempotent: true,
    });
    if (status !== 200 || !Array.isArray(body.words))
      throw new ServiceUnavailable('directory', { cause: `answered ${status}` });
    for (const word of body.words) words.set(word.event.id, word);
  }
  return words;
}

/**
 * Returns the event without the access that it grants. For a user it names the departure that ended the
 * access, whose event is pending.
 */
function closed({ event, departure }: ConfirmedEvent): DomainEvent {
  if (event.type === 'tenant.created' || event.type === 'tenant.updated')
    return { ...event, payload: { ...event.payload, status: 'suspended' } };
  if (event.type.startsWith('user.'))
    return {
      ...event,
      payload: { ...event.payload, active: false, ...(departure && { departure }) },
    } as DomainEvent;
  return event;
}
