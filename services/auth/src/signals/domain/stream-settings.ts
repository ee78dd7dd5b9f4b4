import type { Receiver } from './delivery.ts';
import { variantsOf } from './event-types.ts';
import type { WaitingDelivery } from './poll-store.ts';
import {
  eventsDelivered,
  pollMethod,
  pushMethod,
  type ReceiverSupplied,
  type Stream,
} from './stream-configuration.ts';
import type { SubjectFormat } from './subjects.ts';

/** Settings of a stream in its receiver's row. */
interface Settings {
  eventsRequested: readonly string[];
  description?: string | undefined;
  format: SubjectFormat;
  /** Events by fact type, one delivery each. */
  variants: Record<string, readonly string[]>;
  /** True when an administrator paused or disabled the stream: only an administrator can enable it. */
  stopped?: boolean | undefined;
}

/** Reports whether an administrator stopped the stream. */
export const isStopped = ({ settings }: Receiver): boolean => settings.stopped === true;

/** Returns the settings with an administrator's decision. */
export const withStop = (settings: Receiver['settings'], stopped: boolean): Receiver['settings'] => ({
  ...settings,
  stopped: stopped || undefined,
});

/**
 * Reports whether a stream still requests a message. The receiver may have changed `events_requested` while the message
 * waited or before it is replayed, and gets only events in `events_delivered` (SSF 1.0 §8.1.1). Events about the stream
 * itself are always sent.
 */
export const asksFor = ({ settings }: Receiver, { fact, variant }: WaitingDelivery): boolean =>
  fact === null ||
  (variant !== null && (settings as unknown as Settings).variants[fact.type]?.includes(variant) === true);

/** Reason of dead letters that the stream no longer requests. */
export const unasked = 'The stream no longer requests this event.';

/** Converts a receiver's row to a stream. */
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

/** Returns the members for the security log. The query of the endpoint is masked, because it often contains a key. */
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

/** Converts a configuration to a receiver's row; the caller encrypts the secrets. */
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
