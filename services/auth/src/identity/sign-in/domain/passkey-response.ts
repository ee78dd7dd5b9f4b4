/** Maximum length of a browser's response, in characters. */
const maxResponse = 16_384;

const known: ReadonlySet<string> = new Set([
  'usb',
  'nfc',
  'ble',
  'smart-card',
  'hybrid',
  'internal',
  'cable',
]);

/** Returns the transports of the standard. Other values are dropped, because the browser receives the list again. */
export const transportsOf = (transports: readonly string[] | undefined): string[] =>
  (transports ?? []).filter((transport) => known.has(transport));

/** Parses the JSON of a browser's credential (WebAuthn §5.1) and checks its shape. */
export function readResponse(
  text: string,
): (Record<string, unknown> & { id: string; response: { clientDataJSON: string } }) | undefined {
  if (text.length > maxResponse) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, response } = value as { id?: unknown; response?: unknown };
  if (typeof id !== 'string' || !/^[A-Za-z0-9_-]{1,1400}$/.test(id)) return undefined;
  if (typeof response !== 'object' || response === null) return undefined;
  const { clientDataJSON, transports } = response as { clientDataJSON?: unknown; transports?: unknown };
  if (typeof clientDataJSON !== 'string') return undefined;
  if (transports !== undefined && !(Array.isArray(transports) && transports.every(isString)))
    return undefined;
  return value as Record<string, unknown> & { id: string; response: { clientDataJSON: string } };
}

const isString = (value: unknown): value is string => typeof value === 'string';

/** Returns the challenge of a verified response. */
export function challengeOf(response: { response: { clientDataJSON: string } }): string {
  const data = JSON.parse(Buffer.from(response.response.clientDataJSON, 'base64url').toString()) as {
    challenge: string;
  };
  return data.challenge;
}
