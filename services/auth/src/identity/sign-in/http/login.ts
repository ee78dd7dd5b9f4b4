import { isUnavailable, logFailure } from '@ostiary/service';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authenticationOf, parseParameters, queryOf, single } from '../../../platform/index.ts';
import type { Problem } from '../../../platform/pages/http/layout.ts';
import { sendOn } from '../../../platform/pages/http/page.ts';
import { words } from '../../../platform/pages/http/words.ts';
import type { SignInResult } from '../domain/login.ts';
import { recordAttempt } from './attempt-record.ts';
import type { SignInDependencies } from './dependencies.ts';
import { type OpenInteraction, openForm, openInteraction, refuse, tenantOf } from './flow.ts';
import { signInFields } from './pages/sign-in.ts';
import { askSecondFactor } from './second-factor-step.ts';
import { showSignIn } from './show-sign-in.ts';
import { SignInMetrics } from './sign-in-metrics.ts';
import { signedIn } from './signed-in.ts';

/** GET and POST /t/{tenant}/login: the sign-in page of an open interaction. */
export function loginRoutes(app: FastifyInstance, deps: SignInDependencies): void {
  const signIns = new SignInMetrics(deps.kit.metrics);
  signIns.watch(app);

  app.get('/t/:tenant/login', async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const parameters = parseParameters(queryOf(request.url)) ?? new Map();
    // A bookmark of the page has no interaction; the account page creates one.
    if (parameters.size === 0) return sendOn(reply, `/t/${tenant.id}/account`);
    const open = await openInteraction(deps, request, tenant.id, parameters);
    return showSignIn(deps, request, reply, tenant, open, {
      status: 200,
      userName: open.interaction.request.loginHint,
    });
  });

  app.post('/t/:tenant/login', async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const { form, ...open } = await openForm(deps, request, tenant.id);
    if (single(form, 'action') === 'cancel') {
      return refuse(deps, request, reply, tenant, open, 'The user cancelled the sign-in.');
    }

    const userName = single(form, 'username') ?? '';
    const password = single(form, 'password') ?? '';
    const missing = missingFields(userName, password);
    if (missing.length > 0) {
      return showSignIn(deps, request, reply, tenant, open, { status: 400, userName, problems: missing });
    }
    const result = await attempt(deps, request, { tenant: tenant.id, userName, password });
    if (result.outcome !== 'accepted') {
      if (result.outcome !== 'unavailable') signIns.looked(tenant.id, result.outcome);
      if (result.outcome === 'delayed') reply.header('retry-after', result.retryAfterSeconds);
      await recordRefusal(deps, request, { tenant: tenant.id, open, result, userName });
      const refusal = refusals[result.outcome](result);
      return showSignIn(deps, request, reply, tenant, open, { ...refusal, userName });
    }
    const { subject, proof, carriedRoles } = result;
    const proven = {
      tenant,
      open,
      subject,
      proof,
      authentication: authenticationOf(['pwd']),
      carriedRoles,
      factors: ['password'],
    } as const;
    const isOn =
      (await askSecondFactor(deps, reply, { tenant, open, subject, proof })) ||
      (await signedIn(deps, request, reply, proven));
    signIns.looked(tenant.id, isOn ? 'accepted' : 'refused');
    if (isOn) return reply;
    return showSignIn(deps, request, reply, tenant, open, { ...refusals.refused(), userName });
  });
}

async function recordRefusal(
  deps: SignInDependencies,
  request: FastifyRequest,
  o: {
    tenant: string;
    open: OpenInteraction;
    result: Exclude<Attempted, { outcome: 'accepted' }>;
    userName: string;
  },
): Promise<void> {
  const { tenant, open, result, userName } = o;
  if (result.outcome === 'unavailable') return;
  const attempt =
    result.outcome === 'refused'
      ? ({ outcome: 'failed', ...result.refusal } as const)
      : ({ outcome: 'delayed', reason: 'too_many_attempts', userName } as const);
  await recordAttempt(deps, request, { tenant, open, attempt: { ...attempt, factors: ['password'] } });
}

type Attempted = SignInResult | { outcome: 'unavailable' };

/** Returns the outcome of an attempt, with `unavailable` as one: the user stays on the page. */
async function attempt(
  deps: SignInDependencies,
  request: FastifyRequest,
  o: { tenant: string; userName: string; password: string },
): Promise<Attempted> {
  try {
    return await deps.login.signIn({ ...o, address: request.ip });
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    logFailure(request, error, 503);
    return { outcome: 'unavailable' };
  }
}

const refusals = {
  refused: () => ({
    status: 401,
    problems: [{ message: words.signIn.refused }],
  }),
  delayed: (result: Attempted) => ({
    status: 429,
    problems: [
      { message: words.signIn.delayed(result.outcome === 'delayed' ? result.retryAfterSeconds : 1) },
    ],
  }),
  unavailable: () => ({ status: 503, problems: [{ message: words.signIn.unavailable }] }),
} satisfies Record<string, (result: Attempted) => { status: number; problems: Problem[] }>;

function missingFields(userName: string, password: string): Problem[] {
  const problems: Problem[] = [];
  if (userName.trim() === '')
    problems.push({ message: words.signIn.missingUserName, field: signInFields.userName });
  if (password === '') problems.push({ message: words.signIn.missingPassword, field: signInFields.password });
  return problems;
}
