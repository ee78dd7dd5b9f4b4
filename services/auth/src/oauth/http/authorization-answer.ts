import type { ReturnAddress } from '../../access/index.ts';
import { redirectTo } from '../../clients/index.ts';
import type { AuthorizationAnswer } from '../../platform/pages/http/page.ts';

/** Returns the authorization response in the requested mode, without undefined parameters. */
export function answerTo(
  { redirectUri, responseMode }: ReturnAddress,
  parameters: Readonly<Record<string, string | undefined>>,
): AuthorizationAnswer {
  if (responseMode !== 'form_post') return redirectTo(redirectUri, parameters);
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return { action: redirectUri, fields: Object.fromEntries(given) };
}
