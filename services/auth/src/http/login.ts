import { Counter, isUnavailable, logFailure } from '@ostiary/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Interaction } from '../data/interactions.ts';
import type { SignInResult } from '../domain/login.ts';
import { parseParameters, queryOf, single } from '../domain/parameters.ts';
import type { Subject, TenantRecord } from '../domain/ports.ts';
import type { PeopleDependencies } from '../people.ts';
import { csrfToken, knownBrowser, setSessionCookie } from './browser.ts';
import {
  clientErrorOf,
  conclude,
  currentSession,
  errorLocation,
  grant,
  type OpenInteraction,
  openForm,
  openInteraction,
  refuse,
  staysHere,
  stepOf,
  takeInteraction,
  tenantOf,
} from './flow.ts';
import { formTargetOf, PageError, sendOn, sendPage } from './page.ts';
import type { Problem } from './pages/layout.ts';
import { signInFields, signInPage } from './pages/sign-in.ts';
import { words } from './pages/words.ts';

/** GET and POST /t/{tenant}/login: the sign-in page of an open interaction. */
export function loginRoutes(app: FastifyInstance, deps: PeopleDependencies): void {
  const signIns = new Counter({
    name: 'auth_sign_ins_total',
    help: 'Sign-in attempts by outcome',
    labelNames: ['outcome'] as const,
    registers: [deps.kit.metrics],
  });

  app.get('/t/:tenant/login', async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const open = await openInteraction(
      deps,
      request,
      tenant.id,
      parseParameters(queryOf(request.url)) ?? new Map(),
    );
    return showSignIn(request, reply, tenant, open, {
      status: 200,
      userName: open.interaction.request.loginHint,
    });
  });

  app.post('/t/:tenant/login', async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const { form, ...open } = await openForm(deps, request, tenant.id);
    if (single(form, 'action') === 'cancel') {
      return refuse(deps, request, reply, tenant, open, 'The person cancelled the sign-in.');
    }

    const userName = single(form, 'username')?.trim() ?? '';
    const password = single(form, 'password') ?? '';
    const missing = missingFields(userName, password);
    if (missing.length > 0) {
      return showSignIn(request, reply, tenant, open, { status: 400, userName, problems: missing });
    }
    const result = await attempt(deps, request, { tenant: tenant.id, userName, password });
    signIns.inc({ outcome: result.outcome });
    if (result.outcome !== 'accepted') {
      if (result.outcome === 'delayed') reply.header('retry-after', result.retryAfterSeconds);
      const refusal = refusals[result.outcome](result);
      return showSignIn(request, reply, tenant, open, { ...refusal, userName });
    }
    return signedIn(deps, request, reply, { tenant, open, subject: result.subject, userName });
  });
}

type Attempted = SignInResult | { outcome: 'unavailable' };

/** The outcome of an attempt, with 'cannot tell' as one: the person stays on the page and tries again. */
async function attempt(
  deps: PeopleDependencies,
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
    problems: [{ message: words.signIn.refused, field: signInFields.userName }],
  }),
  delayed: (result: Attempted) => ({
    status: 429,
    problems: [
      { message: words.signIn.delayed(result.outcome === 'delayed' ? result.retryAfterSeconds : 1) },
    ],
  }),
  unavailable: () => ({ status: 503, problems: [{ message: words.signIn.unavailable }] }),
} satisfies Record<string, (result: Attempted) => { status: number; problems: Problem[] }>;

/** Starts the session under a new cookie, and goes on to whatever the request still needs. */
async function signedIn(
  deps: PeopleDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  o: { tenant: TenantRecord; open: OpenInteraction; subject: Subject; userName: string },
): Promise<FastifyReply> {
  const { tenant, open, subject } = o;
  const previous = await currentSession(deps, request, tenant.id);
  const started = await deps.sessions.start(
    tenant.id,
    { subjectId: subject.id, amr: ['pwd'], userAgent: request.headers['user-agent'], ipAddress: request.ip },
    previous,
  );
  // Deactivated between the password check and now: the same answer as a moment later.
  if (!started) {
    return showSignIn(request, reply, tenant, open, { ...refusals.refused(), userName: o.userName });
  }
  request.log.info({ tenant: tenant.id, subject: subject.id, session: started.id }, 'signed in');
  setSessionCookie(reply, tenant.id, started.cookie, deps.env.SESSION_ABSOLUTE_SECONDS);

  const interaction: Interaction = { ...open.interaction, sessionId: started.id, signedIn: true };
  try {
    const session = await deps.sessions.find(tenant.id, started.cookie);
    const step = await stepOf(deps, {
      tenant: tenant.id,
      client: open.client,
      request: interaction.request,
      session,
      signedIn: true,
    });
    if (step.step === 'grant' && session) {
      await takeInteraction(deps, request, tenant.id, open.id);
      const { subject: person, scopes } = step;
      const location = await grant(deps, {
        tenant: tenant.id,
        request: interaction.request,
        session,
        subject: person,
        scopes,
      });
      return await conclude(deps, request, reply, tenant.id, open.id, location);
    }
    if (!(await deps.interactions.signIn(tenant.id, open.id, interaction)))
      throw new PageError('expired', 400);
    return sendOn(reply, `/t/${tenant.id}/${step.step === 'consent' ? 'consent' : 'login'}?i=${open.id}`);
  } catch (error) {
    if (staysHere(error)) throw error;
    await deps.interactions.take(tenant.id, open.id);
    const location = errorLocation(deps, tenant.id, interaction.request, clientErrorOf(request, error));
    return conclude(deps, request, reply, tenant.id, open.id, location);
  }
}

function missingFields(userName: string, password: string): Problem[] {
  const problems: Problem[] = [];
  if (userName === '') problems.push({ message: words.signIn.missingUserName, field: signInFields.userName });
  if (password === '') problems.push({ message: words.signIn.missingPassword, field: signInFields.password });
  return problems;
}

function showSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  tenant: TenantRecord,
  open: OpenInteraction,
  o: { status: number; userName?: string | undefined; problems?: readonly Problem[] },
): FastifyReply {
  return sendPage(
    reply,
    o.status,
    signInPage({
      tenantName: tenant.name,
      clientName: open.client.name,
      action: `/t/${tenant.id}/login`,
      interaction: open.id,
      csrf: csrfToken(knownBrowser(request) ?? '', `${tenant.id}/${open.id}`),
      userName: o.userName ?? '',
      problems: o.problems ?? [],
    }),
    formTargetOf(open.interaction.request.redirectUri),
  );
}
