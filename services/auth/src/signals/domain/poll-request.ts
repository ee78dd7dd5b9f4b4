import { isUuid } from '@ostiary/service';
import { invalidRequest } from '../../protocol/index.ts';

/** What a receiver asks for when it polls, and what it tells of earlier answers (RFC 8936 §2.2). */
export interface PollRequest {
  /** How many tokens it takes; 0 when it only acknowledges. */
  maxEvents: number;
  /** False: the answer may wait until there is something. */
  returnImmediately: boolean;
  /** What it has taken charge of. */
  ack: readonly string[];
  /** What it can't take, and why. */
  errors: readonly { jti: string; reason: string }[];
}

/** Most tokens in one answer. */
export const mostEvents = 100;
/** Most acknowledgements in one request; more are for the next. */
const mostAcknowledged = 1_000;

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
  if (value === undefined) return mostEvents;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
    throw invalidRequest('maxEvents must be a non-negative integer.');
  }
  return Math.min(value, mostEvents);
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
    value.length > mostAcknowledged ||
    !value.every((jti) => typeof jti === 'string')
  ) {
    throw invalidRequest(`ack must be a list of at most ${mostAcknowledged} jti values.`);
  }
  // One that can't be ours is like one that was acknowledged before: it isn't there.
  return [...new Set(value as string[])].filter(isUuid);
}

function readErrors(value: unknown): { jti: string; reason: string }[] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest('setErrs must be an object of jti values.');
  }
  const entries = Object.entries(value);
  if (entries.length > mostAcknowledged) {
    throw invalidRequest(`setErrs must have at most ${mostAcknowledged} members.`);
  }
  return entries.map(([jti, error]) => ({ jti, reason: reasonOf(error) })).filter(({ jti }) => isUuid(jti));
}

/** `err` and `description` of an error (RFC 8935 §2.4), as one text. @throws OAuthError invalid_request */
function reasonOf(error: unknown): string {
  const reason = receiverError(error);
  if (reason === undefined) throw invalidRequest('Each member of setErrs must be an object with err.');
  return reason;
}

/** What a receiver says is wrong with a token: `err: description`, cut; undefined when it isn't such an object. */
export function receiverError(error: unknown): string | undefined {
  const { err, description } = (error ?? {}) as Fields;
  if (typeof err !== 'string' || err === '') return undefined;
  const text = typeof description === 'string' && description !== '' ? `${err}: ${description}` : err;
  return text
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, 500)
    .toWellFormed();
}
