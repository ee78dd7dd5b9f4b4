/** Decoded `application/x-www-form-urlencoded` parameters: every value of every name, in the order sent. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

/** Maximum number of parameters. */
const maxParameters = 100;

/**
 * Decodes a query string or form body strictly: a sequence that is not valid UTF-8, or a NUL, makes the whole text
 * malformed (undefined) instead of changing its content. A parameter without a value is omitted (RFC 6749 §3.1).
 */
export function parseParameters(text: string): Parameters | undefined {
  // Other characters are percent-encoded (RFC 6749 Appendix B).
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

/** Returns the only value of a parameter; undefined if it is missing or repeated. */
export function single(parameters: Parameters, name: string): string | undefined {
  const values = parameters.get(name);
  return values?.length === 1 ? values[0] : undefined;
}

/** Returns the raw query string of a request target, without the question mark. */
export function queryOf(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}

/** Encodes parameters as a query string, including repeated ones. */
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

/** Maximum length of a query in bytes. It must fit the request line limits of proxies. */
export const maxQueryBytes = 12_288;
