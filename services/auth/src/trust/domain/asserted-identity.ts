import {
  isText,
  privateKeyAlgorithms,
  readSignedAssertion,
  type SignedAssertion,
} from '../../clients/index.ts';
import { invalidGrant, type OAuthError } from '../../protocol/index.ts';

export type SigningAlgorithmOfOthers = (typeof privateKeyAlgorithms)[number];

/** An authorization grant assertion (RFC 7523 §2.1) as it was presented: read, nothing verified yet. */
export interface PresentedAssertion extends SignedAssertion<SigningAlgorithmOfOthers> {
  issuer: string;
  subject: string;
}

/** Everything that can be wrong with an assertion gets one answer: which of them it was only helps a forger. */
export const invalidAssertion = (reason: string): OAuthError =>
  invalidGrant('The assertion is invalid, expired, already used, or not from a trusted issuer.', reason);

const types: ReadonlySet<unknown> = new Set([undefined, 'jwt']);

/**
 * Reads an assertion without trusting it.
 * @throws OAuthError invalid_grant
 */
export function readAssertion(text: string): PresentedAssertion {
  const read = readSignedAssertion(text, {
    types,
    algorithms: privateKeyAlgorithms,
    refuse: invalidAssertion,
  });
  const { iss, sub } = read.claims;
  if (!isText(iss) || !isText(sub)) throw invalidAssertion('no issuer or no subject');
  return { ...read, issuer: iss, subject: sub };
}
