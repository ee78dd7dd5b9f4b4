import { twoFactorAcrValues } from '@ostiary/access';

/**
 * Authentication in the terms of tokens: methods (`amr`, RFC 8176) and the resulting authentication context class
 * (`acr`, OpenID Connect Core §2).
 */
export interface Authentication {
  amr: readonly string[];
  acr: string;
}

/** Classes in increasing strength. Each satisfies a request for a previous one. */
export const acrValues = ['urn:ostiary:acr:1fa', ...twoFactorAcrValues] as const;
export type Acr = (typeof acrValues)[number];

/** `pwd` password, `otp` code of an app or recovery code, `hwk`/`swk` passkey on one device or synced. */
export type Method = 'pwd' | 'otp' | 'hwk' | 'swk';

/**
 * Returns the authentication by these methods. A passkey resists phishing (`phr`, OpenID EAP ACR values).
 * `userVerified`: the authenticator verified the user by PIN or biometrics, so that the passkey alone is two factors.
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

/** Reports whether the class of a session is at least the wanted one. An unknown or missing class is the weakest. */
export const satisfiesAcr = (actual: string | null, wanted: Acr): boolean =>
  (acrValues as readonly (string | null)[]).indexOf(actual) >= acrValues.indexOf(wanted);
