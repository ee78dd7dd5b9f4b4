import { Secret, TOTP } from 'otpauth';

const period = 30;
/** Accepted steps before and after the current one, for clock differences of phones. */
const tolerance = 1;

const parameters = { algorithm: 'SHA1', digits: 6, period } as const;

/** Returns 20 random bytes, as RFC 4226 §4 (R6) recommends and every authenticator app supports. */
export const newTotpSecret = (): Buffer => Buffer.from(new Secret({ size: 20 }).bytes);

/** Returns a secret for manual input: base32 in groups of four. */
export const typedTotpSecret = (secret: Buffer): string =>
  (secretOf(secret).base32.match(/.{1,4}/g) ?? []).join(' ');

/** Returns the `otpauth:` URI for a QR code. */
export const totpUri = (secret: Buffer, o: { issuer: string; account: string }): string =>
  // Apps split the label at the first colon, so names must not contain one.
  new TOTP({
    ...parameters,
    secret: secretOf(secret),
    issuer: o.issuer.replaceAll(':', ' '),
    label: o.account.replaceAll(':', ' '),
  }).toString();

/**
 * Returns the time step (RFC 6238 §4.2) of a code near the current time. Does not check whether it was used.
 * @param now milliseconds since the epoch
 */
export function totpStep(secret: Buffer, code: string, now: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const totp = new TOTP({ ...parameters, secret: secretOf(secret) });
  const delta = totp.validate({ token: code, timestamp: now, window: tolerance });
  return delta === null ? undefined : Math.floor(now / 1000 / period) + delta;
}

const secretOf = (bytes: Buffer): Secret =>
  new Secret({ buffer: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) });
