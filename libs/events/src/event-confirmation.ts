import type { HttpPeer } from '@ostiary/service';
import { ServiceUnavailable } from '@ostiary/service';
import type { Confirmation } from './consumer.ts';
import type { DomainEvent, UserDeparture } from './contracts.ts';

/** What the directory says of one of its events, and of whom or what it describes as it is now. */
export interface ConfirmedEvent {
  event: DomainEvent;
  /** Of a user: whether they may sign in. Of a tenant: whether it is active. Of anything else, true. */
  active: boolean;
  /** Of an inactive or deleted user: the departure that began the current absence. */
  departure?: UserDeparture | null;
}

/** Ids in one question. */
const askAtOnce = 500;

/**
 * Has those events confirmed by the directory that let somebody in. One that the directory doesn't have is refused. One that
 * is true but over (they have left again, and that news is still on its way) lets nobody in any more.
 * @param grants those of the events that would let somebody in
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
  for (let first = 0; first < ids.length; first += askAtOnce) {
    const { status, body } = await directory.request<{ words?: ConfirmedEvent[] }>({
      method: 'POST',
      path: '/internal/v1/events/confirm',
      body: { ids: ids.slice(first, first + askAtOnce) },
      idempotent: true,
    });
    if (status !== 200 || !Array.isArray(body.words))
      throw new ServiceUnavailable('directory', { cause: `answered ${status}` });
    for (const word of body.words) words.set(word.event.id, word);
  }
  return words;
}

/** The event without the access that it grants. Of a user it names the departure that ended this access, whose event is on its way. */
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
