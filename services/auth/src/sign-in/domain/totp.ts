import { Secret, TOTP } from 'otpauth';

const period = 30;
/** Steps before and after the present one that still count: phones' clocks are a little off. */
const tolerance = 1;

const parameters = { algorithm: 'SHA1', digits: 6, period } as const;

/** 20 random bytes, as RFC 4226 §4 (R6) recommends and every authenticator app takes. */
export const newTotpSecret = (): Buffer => Buffer.from(new Secret({ size: 20 }).bytes);

/** How a secret is typed in: base32 in groups of four. */
export const typedTotpSecret = (secret: Buffer): string =>
  (secretOf(secret).base32.match(/.{1,4}/g) ?? []).join(' ');

/** The `otpauth:` URI that authenticator apps read from a QR code. */
export const totpUri = (secret: Buffer, o: { issuer: string; account: string }): string =>
  // Apps split the label at the first colon, so a name may not hold one.
  new TOTP({
    ...parameters,
    secret: secretOf(secret),
    issuer: o.issuer.replaceAll(':', ' '),
    label: o.account.replaceAll(':', ' '),
  }).toString();

/**
 * The time step (RFC 6238 §4.2) a code belongs to, close to now. Whether it was used before is the caller's question.
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
