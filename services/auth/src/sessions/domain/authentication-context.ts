import { twoFactorAcrValues } from '@ostiary/access';

/**
 * How somebody proved who they are, in the words of tokens: authentication methods (`amr`, RFC 8176) and the
 * authentication context class (`acr`, OpenID Connect Core §2) that follows from them.
 */
export interface Authentication {
  amr: readonly string[];
  acr: string;
}

/** The classes, weakest first: each satisfies whoever asks for one before it. */
export const acrValues = ['urn:ostiary:acr:1fa', ...twoFactorAcrValues] as const;
export type Acr = (typeof acrValues)[number];

/** `pwd` a password, `otp` a code of an app or a recovery code, `hwk`/`swk` a passkey on one device or a synced one. */
export type Method = 'pwd' | 'otp' | 'hwk' | 'swk';

/**
 * The authentication behind these methods. A passkey resists phishing (`phr`, OpenID EAP ACR values); `userVerified`: the
 * authenticator made sure of the person itself, by PIN or biometrics, so that the passkey alone is two factors.
 */
export function authenticationOf(
  methods: readonly Method[],
  o: { userVerified?: boolean } = {},
): Authentication {
  const passkey = methods.includes('hwk') || methods.includes('swk');
  const several = methods.length > 1 || o.userVerified === true;
  const acr: Acr = passkey && several ? 'phr' : several ? 'urn:ostiary:acr:2fa' : 'urn:ostiary:acr:1fa';
  return { amr: [...methods, ...(passkey ? ['user'] : []), ...(several ? ['mfa'] : [])], acr };
}

/** Whether a session's class is at least another; an unknown or missing one is the weakest. */
export const satisfiesAcr = (actual: string | null, wanted: Acr): boolean =>
  (acrValues as readonly (string | null)[]).indexOf(actual) >= acrValues.indexOf(wanted);
