import { type Signer, signJwt } from '../../keys/index.ts';
import type { EventContent } from './events.ts';

/** What surrounds an event in its token. */
export interface Envelope {
  issuer: string;
  audience: string;
  /** The delivery's id: stays the same however often it is sent, so that receivers know a repetition. */
  jti: string;
  /** When the delivery was made, not when it is sent: a repetition says the same. */
  issuedAt: Date;
  /** What events of one cause have in common (RFC 8417 §2.2). */
  txn: string;
  /** When it happened (`toe`). */
  happenedAt?: Date;
}

/**
 * The claims of a security event token (RFC 8417 §2.2, SSF 1.0 §4.1): no `sub`, so that it isn't taken for an ID token, and no
 * `exp`, for what happened stays true.
 */
export const securityEventClaims = (event: EventContent, envelope: Envelope): Record<string, unknown> => ({
  iss: envelope.issuer,
  jti: envelope.jti,
  iat: seconds(envelope.issuedAt),
  aud: envelope.audience,
  txn: envelope.txn,
  ...(envelope.happenedAt ? { toe: seconds(envelope.happenedAt) } : {}),
  sub_id: event.subId,
  events: { [event.uri]: event.payload },
});

/** Every receiver understands this one (CAEP Interoperability Profile 1.0 §2.6). */
export const securityEventAlgorithm = 'RS256';

/** The signed token, of the explicit type of RFC 8417 §2.3. */
export const signSecurityEvent = (event: EventContent, envelope: Envelope, signer: Signer): string =>
  signJwt('secevent+jwt', securityEventClaims(event, envelope), signer);

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);
