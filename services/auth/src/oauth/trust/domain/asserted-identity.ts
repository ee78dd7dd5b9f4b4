import {
  isText,
  privateKeyAlgorithms,
  readSignedAssertion,
  type SignedAssertion,
} from '../../../clients/index.ts';
import { invalidGrant, type OAuthError } from '../../../platform/index.ts';

export type SigningAlgorithmOfOthers = (typeof privateKeyAlgorithms)[number];

/** A presented authorization grant assertion (RFC 7523 §2.1), parsed but not verified. */
export interface PresentedAssertion extends SignedAssertion<SigningAlgorithmOfOthers> {
  issuer: string;
  subject: string;
}

/** Creates the same error for every invalid assertion: the cause would help a forger. */
export const invalidAssertion = (reason: string): OAuthError =>
  invalidGrant('The assertion is invalid, expired, already used, or not from a trusted issuer.', reason);

const types: ReadonlySet<unknown> = new Set([undefined, 'jwt']);

/**
 * Parses an assertion without verifying it.
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
