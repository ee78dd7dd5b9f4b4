import { checkOutgoingUrl, OutgoingFetchError, type OutgoingPolicy } from '@ostiary/service';
import { invalidRequest } from '../../platform/index.ts';
import { type EventType, eventsSupported } from './event-types.ts';
import type { SubjectFormat } from './subjects.ts';

/** Delivery methods (SSF 1.0 §6.1). */
export const pushMethod = 'urn:ietf:rfc:8935';
export const pollMethod = 'urn:ietf:rfc:8936';

/** Scopes of the CAEP Interoperability Profile 1.0 §2.7.3; `ssf.manage` includes `ssf.read`. */
export const readScopes = ['ssf.read', 'ssf.manage'];
export const manageScopes = ['ssf.manage'];

/** Minimum seconds between two verification requests for one stream. */
export const minVerificationInterval = 10;

export type StreamStatus = 'enabled' | 'paused' | 'disabled';
export const streamStatuses: readonly StreamStatus[] = ['enabled', 'paused', 'disabled'];

/** Receiver-supplied configuration of a stream (SSF 1.0 §8.1.1). */
export interface ReceiverSupplied {
  delivery: Delivery;
  /** Requested events, including unsupported ones, which are stored and ignored. */
  eventsRequested: readonly string[];
  description: string | undefined;
  format: SubjectFormat;
}

export type Delivery =
  | {
      method: typeof pushMethod;
      endpointUrl: string;
      /** Sent with every event; encrypted at rest and never returned. */
      authorizationHeader: string | undefined;
    }
  | { method: typeof pollMethod };

/** A stored stream, without its authorization header. */
export interface Stream {
  id: string;
  tenant: string;
  clientId: string;
  status: StreamStatus;
  reason: string | undefined;
  method: typeof pushMethod | typeof pollMethod;
  /** Push endpoint; undefined for polling streams. */
  endpointUrl: string | undefined;
  eventsRequested: readonly string[];
  description: string | undefined;
  format: SubjectFormat;
  /** Time since which pushes fail. */
  failingSince: Date | null;
  /** Incremented with every change. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

type Fields = Record<string, unknown>;

const maxRequestedEvents = 100;
const maxUriLength = 500;
const maxDescriptionLength = 500;
const maxHeaderLength = 4_096;
/** Characters of a URI (RFC 3986 §2). */
const visibleAscii = /^[\x21-\x7e]+$/;

/** Returns the requested events that are supported. */
export const eventsDelivered = (requested: readonly string[]): EventType[] =>
  eventsSupported.filter((uri) => requested.includes(uri));

/** Returns a stream's configuration as receivers see it (SSF 1.0 §8.1.1). */
export function configurationOf(stream: Stream, issuer: string): Fields {
  return {
    stream_id: stream.id,
    iss: issuer,
    aud: stream.clientId,
    delivery: {
      method: stream.method,
      endpoint_url: stream.endpointUrl ?? `${issuer}/ssf/poll/${stream.id}`,
    },
    events_supported: eventsSupported,
    events_requested: stream.eventsRequested,
    events_delivered: eventsDelivered(stream.eventsRequested),
    min_verification_interval: minVerificationInterval,
    format: stream.format,
    ...(stream.description === undefined ? {} : { description: stream.description }),
  };
}

/**
 * Reads the configuration of a new stream, or one that replaces another: omitted members are reset (SSF 1.0 §8.1.1.1,
 * §8.1.1.4).
 * @throws OAuthError invalid_request
 */
export function readConfiguration(body: Fields, policy: OutgoingPolicy): ReceiverSupplied {
  return {
    delivery: body.delivery === undefined ? { method: pollMethod } : readDelivery(body.delivery, policy),
    eventsRequested: body.events_requested === undefined ? [] : readEvents(body.events_requested),
    description: body.description === undefined ? undefined : readDescription(body.description),
    format: body.format === undefined ? 'iss_sub' : readFormat(body.format),
  };
}

/**
 * Reads a change of a configuration: omitted members stay (SSF 1.0 §8.1.1.3).
 * @throws OAuthError invalid_request
 */
export function readChange(body: Fields, policy: OutgoingPolicy): Partial<ReceiverSupplied> {
  return {
    ...(body.delivery === undefined ? {} : { delivery: readDelivery(body.delivery, policy) }),
    ...(body.events_requested === undefined ? {} : { eventsRequested: readEvents(body.events_requested) }),
    ...(body.description === undefined ? {} : { description: readDescription(body.description) }),
    ...(body.format === undefined ? {} : { format: readFormat(body.format) }),
  };
}

const transmitterSupplied = [
  'iss',
  'aud',
  'events_supported',
  'events_delivered',
  'min_verification_interval',
] as const;

/**
 * Rejects changes of transmitter-supplied members; repeating their values is allowed (SSF 1.0 §8.1.1.3). Lists are
 * compared as sets.
 * @throws OAuthError invalid_request
 */
export function checkTransmitterSupplied(body: Fields, current: Fields): void {
  for (const name of transmitterSupplied) {
    if (body[name] !== undefined && !sameValue(body[name], current[name])) {
      throw invalidRequest(`${name} is supplied by the transmitter and cannot be changed.`);
    }
  }
}

function sameValue(given: unknown, expected: unknown): boolean {
  const [some, others] = [new Set([given].flat()), new Set([expected].flat())];
  return some.size === others.size && [...some].every((value) => others.has(value));
}

/**
 * Reads the `stream_id` of a request.
 * @throws OAuthError invalid_request
 */
export function readStreamId(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw invalidRequest('stream_id is required.');
  return value;
}

/**
 * Reads the change of a status request (SSF 1.0 §8.1.2.2).
 * @throws OAuthError invalid_request
 */
export function readStatus(body: Fields): { status: StreamStatus; reason: string | undefined } {
  const { status, reason } = body;
  const known = streamStatuses.find((one) => one === status);
  if (known === undefined) throw invalidRequest(`status must be one of ${streamStatuses.join(', ')}.`);
  return { status: known, reason: reason === undefined ? undefined : readText('reason', reason) };
}

/**
 * Reads the `state` of a verification request (SSF 1.0 §8.1.4.2).
 * @throws OAuthError invalid_request
 */
export function readState(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  // The receiver compares it, so characters that PostgreSQL cannot store are rejected, not removed.
  if (
    typeof value !== 'string' ||
    value.length > 1_024 ||
    value.includes('\u0000') ||
    !value.isWellFormed()
  ) {
    throw invalidRequest('state must be a string of at most 1024 characters.');
  }
  return value;
}

function readDelivery(value: unknown, policy: OutgoingPolicy): Delivery {
  const { method, endpoint_url: url, authorization_header: header } = objectOf('delivery', value);
  if (method === pollMethod) {
    if (header !== undefined)
      throw invalidRequest('authorization_header is supported only for push delivery.');
    return { method };
  }
  if (method !== pushMethod) {
    throw invalidRequest(`delivery.method must be ${pushMethod} (push) or ${pollMethod} (poll).`);
  }
  if (typeof url !== 'string') throw invalidRequest('Push delivery requires delivery.endpoint_url.');
  // The URL is stored as given, and the URL parser drops characters that no URI has (RFC 3986 §2).
  if (!visibleAscii.test(url)) throw invalidRequest('delivery.endpoint_url: The address is not a URL.');
  try {
    checkOutgoingUrl(url, policy);
  } catch (error) {
    if (error instanceof OutgoingFetchError) throw invalidRequest(`delivery.endpoint_url: ${error.message}`);
    throw error;
  }
  return {
    method,
    endpointUrl: url,
    authorizationHeader: header === undefined ? undefined : readHeader(header),
  };
}

function readHeader(value: unknown): string {
  // Field value (RFC 9110 §5.5) without obs-text.
  if (
    typeof value !== 'string' ||
    value.length > maxHeaderLength ||
    !/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value)
  ) {
    throw invalidRequest('delivery.authorization_header must be printable ASCII.');
  }
  return value;
}

function readEvents(value: unknown): string[] {
  const fits =
    Array.isArray(value) &&
    value.length <= maxRequestedEvents &&
    value.every((uri) => typeof uri === 'string' && uri.length <= maxUriLength && visibleAscii.test(uri));
  if (!fits) throw invalidRequest(`events_requested must be a list of at most ${maxRequestedEvents} URIs.`);
  return [...new Set(value as string[])];
}

/** Descriptions that are too long may be truncated (SSF 1.0 §8.1.1). */
const readDescription = (value: unknown): string => readText('description', value);

function readText(name: string, value: unknown): string {
  if (typeof value !== 'string') throw invalidRequest(`${name} must be a string.`);
  return value
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, maxDescriptionLength)
    .toWellFormed();
}

function readFormat(value: unknown): SubjectFormat {
  if (value !== 'iss_sub' && value !== 'email') {
    throw invalidRequest('format must be one of iss_sub, email.');
  }
  return value;
}

function objectOf(name: string, value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest(`${name} must be an object.`);
  }
  return value as Fields;
}
