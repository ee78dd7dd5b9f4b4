import type { FastifyReply } from 'fastify';
import { formPostPage } from './form-post.ts';
import { type AuthorizationAnswer, formTargetOf, sendOn, sendPage } from './page.ts';

export type { AuthorizationAnswer } from './page.ts';

/** Redirects the browser with a response, or sends the page that posts it. */
export const sendAnswer = (reply: FastifyReply, answer: AuthorizationAnswer): FastifyReply =>
  typeof answer === 'string'
    ? sendOn(reply, answer)
    : sendPage(reply, 200, formPostPage(answer.action, answer.fields), formTargetOf(answer.action));
