import type { FastifyReply } from 'fastify';
import { formPostPage } from './form-post.ts';
import { type AuthorizationAnswer, formTargetOf, sendOn, sendPage } from './page.ts';

export type { AuthorizationAnswer } from './page.ts';

/** Sends the browser on with an answer. */
export const sendAnswer = (reply: FastifyReply, answer: AuthorizationAnswer): FastifyReply =>
  typeof answer === 'string'
    ? sendOn(reply, answer)
    : sendPage(reply, 200, formPostPage(answer.action, answer.fields), formTargetOf(answer.action));
