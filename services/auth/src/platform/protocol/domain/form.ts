import { invalidRequest } from './errors.ts';
import type { Parameters } from './parameters.ts';

/** Parameters that may be repeated (RFC 8707 §2, RFC 8693 §2.1). */
const repeatable: ReadonlySet<string> = new Set(['resource', 'audience']);

/** Maximum length of a value in characters, default 2,048. */
const longest: Readonly<Record<string, number>> = {
  scope: 4_096,
  token: 16_384,
  client_assertion: 16_384,
  assertion: 16_384,
  subject_token: 16_384,
  actor_token: 16_384,
  id_token_hint: 8_192,
  request: 16_384,
  after: 8_192,
};
const maxOtherLength = 2_048;

/**
 * Validates a form: no repeated parameter and none above its maximum length (RFC 6749 §3.2).
 * @param parameters undefined if the body could not be decoded
 * @throws OAuthError invalid_request
 */
export function checkForm(parameters: Parameters | undefined): Parameters {
  if (parameters === undefined) throw invalidRequest('The request body is not a well-formed form.');
  for (const [name, values] of parameters) {
    if (values.length > 1 && !repeatable.has(name))
      throw invalidRequest(`${shown(name)} was sent more than once.`);
    const limit = longest[name] ?? maxOtherLength;
    if (values.some((value) => value.length > limit))
      throw invalidRequest(`${shown(name)} must have at most ${limit} characters.`);
  }
  return parameters;
}

/** error_description contains only printable ASCII (RFC 6749 §5.2). */
const shown = (name: string): string => name.slice(0, 64).replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?');
