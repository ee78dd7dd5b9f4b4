import type { FastifyReply } from 'fastify';
import { redirectTo } from '../../clients/index.ts';
import { formTargetOf, sendOn, sendPage } from '../../pages/http/index.ts';
import type { ReturnAddress } from '../domain/authorize-request.ts';
import { formPostPage } from './pages/form-post.ts';

/** How a browser leaves: to an address, or with a form that a page of ours posts (OAuth 2.0 Form Post Response Mode). */
export type AuthorizationAnswer = string | { action: string; fields: Record<string, string> };

/** An answer in the mode that the client asked for; members that are undefined are left out. */
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

/** Sends the browser on with an answer. */
export const sendAnswer = (reply: FastifyReply, answer: AuthorizationAnswer): FastifyReply =>
  typeof answer === 'string'
    ? sendOn(reply, answer)
    : sendPage(reply, 200, formPostPage(answer.action, answer.fields), formTargetOf(answer.action));
