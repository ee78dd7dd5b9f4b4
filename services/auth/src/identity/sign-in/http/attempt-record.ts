import type { FastifyRequest } from 'fastify';
import type { NewSignInAttempt } from '../../sign-in-log/domain/sign-in-attempts.ts';
import type { SignInDependencies } from './dependencies.ts';
import type { OpenInteraction } from './flow.ts';

type Given = Omit<NewSignInAttempt, 'clientId' | 'ipAddress' | 'userAgent' | 'subjectId'> & {
  subjectId?: string | undefined;
  /** Typed user name of an attempt that was not checked. It is looked up and not stored. */
  userName?: string;
};

/** Records an attempt of an interaction in the sign-in log. Never fails. */
export async function recordAttempt(
  deps: SignInDependencies,
  request: FastifyRequest,
  o: { tenant: string; open: OpenInteraction; attempt: Given },
): Promise<void> {
  const { tenant, open, attempt } = o;
  const { userName, ...rest } = attempt;
  const userAgent = request.headers['user-agent'];
  await deps.signInLog.record(
    tenant,
    {
      ...rest,
      ipAddress: request.ip,
      ...(open.interaction.returnTo === undefined && { clientId: open.interaction.request.clientId }),
      ...(userAgent !== undefined && { userAgent }),
    },
    async () =>
      userName === undefined ? undefined : (await deps.subjects.findLocalByUserName(tenant, userName))?.id,
  );
}
