/** Decoded `application/x-www-form-urlencoded` parameters: every value of every name, in the order sent. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

/** More parameters than this is no request anybody makes. */
const maxParameters = 100;

/**
 * Decodes a query string or form body, strictly: a sequence that isn't valid UTF-8, or a NUL, makes the whole
 * text malformed (undefined) instead of turning into something the sender didn't write. A parameter without a
 * value counts as omitted (RFC 6749 §3.1).
 */
export function parseParameters(text: string): Parameters | undefined {
  // Everything else travels percent-encoded (RFC 6749 Appendix B).
  if (!/^[\x21-\x7e]*$/.test(text)) return undefined;
  const parameters = new Map<string, string[]>();
  const pairs = text === '' ? [] : text.split('&');
  if (pairs.length > maxParameters) return undefined;
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
    if (name === undefined || value === undefined) return undefined;
    if (value === '') continue;
    const values = parameters.get(name);
    if (values) values.push(value);
    else parameters.set(name, [value]);
  }
  return parameters;
}

/** The only value of a parameter; undefined when it is missing, or when it came more than once. */
export function single(parameters: Parameters, name: string): string | undefined {
  const values = parameters.get(name);
  return values?.length === 1 ? values[0] : undefined;
}

/** The raw query string of a request target, without the question mark. */
export function queryOf(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}

/** Writes parameters back as a query string, repeated ones included. */
export function formatParameters(parameters: Parameters): string {
  const text = new URLSearchParams();
  for (const [name, values] of parameters) for (const value of values) text.append(name, value);
  return text.toString();
}

const encoded = /[%+]/;

function decode(text: string): string | undefined {
  try {
    const decoded = encoded.test(text) ? decodeURIComponent(text.replaceAll('+', ' ')) : text;
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** Bytes of the whole query, at most: it must fit a request line behind any proxy. */
export const maxQueryBytes = 12_288;
