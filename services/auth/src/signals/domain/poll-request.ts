import { isUuid } from '@ostiary/service';
import { invalidRequest } from '../../platform/index.ts';

/** A poll request: limits, acknowledgements and errors (RFC 8936 §2.2). */
export interface PollRequest {
  /** Maximum number of tokens in the response; 0 to acknowledge only. */
  maxEvents: number;
  /** False: the response may wait until there is a token (long polling). */
  returnImmediately: boolean;
  /** Acknowledged `jti` values. */
  ack: readonly string[];
  /** `jti` values that the receiver rejected, with the reason. */
  errors: readonly { jti: string; reason: string }[];
}

/** Maximum number of tokens in one response. */
export const maxPollEvents = 100;
/** Maximum number of acknowledgements in one request. */
const maxAcknowledged = 1_000;

type Fields = Record<string, unknown>;

/** @throws OAuthError invalid_request */
export function readPollRequest(body: Fields): PollRequest {
  return {
    maxEvents: readMaxEvents(body.maxEvents),
    returnImmediately: readFlag(body.returnImmediately),
    ack: readAcknowledged(body.ack),
    errors: readErrors(body.setErrs),
  };
}

function readMaxEvents(value: unknown): number {
  if (value === undefined) return maxPollEvents;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
    throw invalidRequest('maxEvents must be a non-negative integer.');
  }
  return Math.min(value, maxPollEvents);
}

function readFlag(value: unknown): boolean {
  if (value !== undefined && typeof value !== 'boolean') {
    throw invalidRequest('returnImmediately must be true or false.');
  }
  return value === true;
}

function readAcknowledged(value: unknown): string[] {
  if (value === undefined) return [];
  if (
    !Array.isArray(value) ||
    value.length > maxAcknowledged ||
    !value.every((jti) => typeof jti === 'string')
  ) {
    throw invalidRequest(`ack must be a list of at most ${maxAcknowledged} jti values.`);
  }
  // A value that is not a UUID is unknown, and unknown ids are ignored.
  return [...new Set(value as string[])].filter(isUuid);
}

function readErrors(value: unknown): { jti: string; reason: string }[] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest('setErrs must be an object of jti values.');
  }
  const entries = Object.entries(value);
  if (entries.length > maxAcknowledged) {
    throw invalidRequest(`setErrs must have at most ${maxAcknowledged} members.`);
  }
  return entries.map(([jti, error]) => ({ jti, reason: reasonOf(error) })).filter(({ jti }) => isUuid(jti));
}

/**
 * Returns `err` and `description` of an error (RFC 8935 §2.4) as one text.
 * @throws OAuthError invalid_request
 */
function reasonOf(error: unknown): string {
  const reason = receiverError(error);
  if (reason === undefined) throw invalidRequest('Each member of setErrs must be an object with err.');
  return reason;
}

/**
 * Returns the receiver's error as `err: description`, at most 500 characters; undefined when it is not an error object.
 */
export function receiverError(error: unknown): string | undefined {
  const { err, description } = (error ?? {}) as Fields;
  if (typeof err !== 'string' || err === '') return undefined;
  const text = typeof description === 'string' && description !== '' ? `${err}: ${description}` : err;
  return text
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, 500)
    .toWellFormed();
}
