import type { DueDelivery, Receiver } from './delivery.ts';
import { variantsOf } from './event-types.ts';
import {
  eventsDelivered,
  pollMethod,
  pushMethod,
  type ReceiverSupplied,
  type Stream,
} from './stream-configuration.ts';
import type { SubjectFormat } from './subjects.ts';

/** What a stream's row keeps beside what all receivers have. */
interface Settings {
  eventsRequested: readonly string[];
  description?: string | undefined;
  format: SubjectFormat;
  /** Which events tell of a type of fact: one delivery each. */
  variants: Record<string, readonly string[]>;
  /** An administrator paused or disabled it: only one lets it go on. */
  stopped?: boolean | undefined;
}

/** Whether an administrator stopped it. */
export const isStopped = ({ settings }: Pick<Receiver, 'settings'>): boolean => settings.stopped === true;

/** The settings with an administrator's decision. */
export const withStop = (settings: Receiver['settings'], stopped: boolean): Receiver['settings'] => ({
  ...settings,
  stopped: stopped || undefined,
});

/**
 * Whether a stream still asks for what it was to be told: that may have waited, or be replayed, while its receiver changed
 * `events_requested`, and relies on getting what is in `events_delivered` only (SSF 1.0 §8.1.1). News of the stream itself is always told.
 */
export const asksFor = (
  { settings }: Pick<Receiver, 'settings'>,
  { fact, variant }: Pick<DueDelivery, 'fact' | 'variant'>,
): boolean =>
  fact === null ||
  (variant !== null && (settings as unknown as Settings).variants[fact.type]?.includes(variant) === true);

/** Why a message that isn't asked for any more is given up. */
export const unasked = 'The stream no longer requests this event.';

/** A receiver's row as the stream it is. */
export function streamOf(receiver: Receiver): Stream {
  const settings = receiver.settings as unknown as Settings;
  return {
    id: receiver.id,
    tenant: receiver.tenant,
    clientId: receiver.clientId ?? '',
    status: receiver.status,
    reason: receiver.statusReason ?? undefined,
    method: receiver.endpoint === null ? pollMethod : pushMethod,
    endpointUrl: receiver.endpoint ?? undefined,
    eventsRequested: settings.eventsRequested,
    description: settings.description,
    format: settings.format,
    failingSince: receiver.failingSince,
    version: receiver.version,
    createdAt: receiver.createdAt,
    updatedAt: receiver.updatedAt,
  };
}

/** What of a stream the security log tells: not what its address asks for, which often is a key. */
export const loggedOf = ({
  id,
  tenant,
  failingSince,
  version,
  createdAt,
  updatedAt,
  ...shown
}: Stream): object => {
  void [id, tenant, failingSince, version, createdAt, updatedAt];
  return { ...shown, endpointUrl: shown.endpointUrl?.replace(/\?.*$/, '?…') };
};

/** How a configuration is kept; its secrets are sealed by the caller. */
export function rowOf(
  supplied: Omit<ReceiverSupplied, 'delivery'> & { endpointUrl: string | undefined },
): Pick<Receiver, 'name' | 'endpoint' | 'factTypes'> & { settings: Record<string, unknown> } {
  const variants = variantsOf(eventsDelivered(supplied.eventsRequested));
  const settings: Settings = {
    eventsRequested: supplied.eventsRequested,
    description: supplied.description,
    format: supplied.format,
    variants,
  };
  return {
    name: supplied.description ?? '',
    endpoint: supplied.endpointUrl ?? null,
    factTypes: Object.keys(variants),
    settings: { ...settings },
  };
}
