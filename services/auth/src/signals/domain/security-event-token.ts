import { type Signer, signJwt } from '../../tenancy/index.ts';
import type { EventContent } from './events.ts';

/** Claims of a token besides its event. */
export interface Envelope {
  issuer: string;
  audience: string;
  /** Id of the delivery, the same at each attempt, so that receivers recognize a repetition. */
  jti: string;
  /** Creation time of the delivery, the same at each attempt. */
  issuedAt: Date;
  /** Value that events of one cause share (RFC 8417 §2.2). */
  txn: string;
  /** Time of the event (`toe`). */
  happenedAt?: Date;
}

/**
 * Returns the claims of a security event token (RFC 8417 §2.2, SSF 1.0 §4.1). It has no `sub`, so that it is not
 * accepted as an ID token, and no `exp`, because the event stays true.
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

/** Algorithm that every receiver supports (CAEP Interoperability Profile 1.0 §2.6). */
export const securityEventAlgorithm = 'RS256';

/** Signs the token with the explicit type of RFC 8417 §2.3. */
export const signSecurityEvent = (event: EventContent, envelope: Envelope, signer: Signer): string =>
  signJwt('secevent+jwt', securityEventClaims(event, envelope), signer);

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);
