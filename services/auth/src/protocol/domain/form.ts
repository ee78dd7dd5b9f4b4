import { invalidRequest } from './errors.ts';
import type { Parameters } from './parameters.ts';

/** Parameters that may come more than once (RFC 8707 §2, RFC 8693 §2.1). */
const repeatable: ReadonlySet<string> = new Set(['resource', 'audience']);

/** Characters of one value, at most. */
const longest: Readonly<Record<string, number>> = {
  scope: 4_096,
  token: 16_384,
  client_assertion: 16_384,
  assertion: 16_384,
  subject_token: 16_384,
  actor_token: 16_384,
  id_token_hint: 8_192,
  request: 16_384,
};
const longestOther = 2_048;

/**
 * What holds for every form of this protocol: no parameter twice, none beyond its length (RFC 6749 §3.2).
 * @param parameters undefined when the body could not be decoded
 * @throws OAuthError invalid_request
 */
export function checkForm(parameters: Parameters | undefined): Parameters {
  if (parameters === undefined) throw invalidRequest('The request body is not a well-formed form.');
  for (const [name, values] of parameters) {
    if (values.length > 1 && !repeatable.has(name))
      throw invalidRequest(`${shown(name)} was sent more than once.`);
    const limit = longest[name] ?? longestOther;
    if (values.some((value) => value.length > limit)) throw invalidRequest(`${shown(name)} is too long.`);
  }
  return parameters;
}

/** error_description may only hold printable ASCII (RFC 6749 §5.2). */
const shown = (name: string): string => name.slice(0, 64).replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?');
