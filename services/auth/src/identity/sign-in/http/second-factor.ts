import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { networkOf } from '@ostiary/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  authenticationOf,
  counted,
  type Parameters,
  parseParameters,
  passkeysOfAddress,
  queryOf,
  single,
} from '../../../platform/index.ts';
import { csrfToken, knownBrowser } from '../../../platform/pages/http/browser.ts';
import type { Problem } from '../../../platform/pages/http/layout.ts';
import { formTargetOf, sendOn, sendPage } from '../../../platform/pages/http/page.ts';
import { words } from '../../../platform/pages/http/words.ts';
import type { TenantRecord } from '../../../tenancy/index.ts';
import { carriedByAll } from '../../../tenancy/index.ts';
import type { SignInProof } from '../../sessions/domain/sessions.ts';
import type { PendingSignIn } from '../domain/interaction.ts';
import { readRecoveryCode } from '../domain/recovery-codes.ts';
import type { CodeResult } from '../domain/second-factors.ts';
import { recordAttempt } from './attempt-record.ts';
import type { SignInDependencies } from './dependencies.ts';
import { type OpenInteraction, openForm, openInteraction, refuse, tenantOf } from './flow.ts';
import { codeField, secondFactorPage } from './pages/second-factor.ts';
import { pendingSignIn, type WaitingSignIn } from './second-factor-step.ts';
import { showSignIn, signInBinding } from './show-sign-in.ts';
import { signedIn } from './signed-in.ts';

/** Delay before the check for a repeated form, in milliseconds. */
const secondClickMs = 400;

/**
 * GET and POST /t/{tenant}/login/verify: the second factor after the password.
 * POST /t/{tenant}/login/passkey: a passkey in place of both.
 */
export function secondFactorRoutes(app: FastifyInstance, deps: SignInDependencies): void {
  app.get('/t/:tenant/login/verify', { exposeHeadRoute: false }, async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const parameters: Parameters = parseParameters(queryOf(request.url)) ?? new Map();
    const open = await openInteraction(deps, request, tenant.id, parameters);
    const pending = await pendingSignIn(deps, tenant.id, open);
    if (!pending) return sendOn(reply, `/t/${tenant.id}/login?i=${open.id}`);
    return showVerify(deps, request, reply, tenant, open, pending, { status: 200, problems: [] });
  });

  app.post('/t/:tenant/login/verify', async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const { form, ...open } = await openForm(deps, request, tenant.id);
    if (single(form, 'action') === 'cancel') {
      return refuse(deps, request, reply, tenant, open, 'The user cancelled the sign-in.');
    }
    const pending = await pendingSignIn(deps, tenant.id, open);
    if (!pending) return sendOn(reply, `/t/${tenant.id}/login?i=${open.id}`);
    const credential = single(form, 'credential');
    return credential === undefined
      ? verifyCode(deps, request, reply, tenant, open, pending, single(form, codeField)?.trim() ?? '')
      : verifyPasskey(deps, request, reply, tenant, open, pending, credential);
  });

  app.post('/t/:tenant/login/passkey', async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const { form, ...open } = await openForm(deps, request, tenant.id);
    const key = `passkey:${digest(networkOf(request.ip))}`;
    const wait = await counted(deps.attempts.begin(key, passkeysOfAddress));
    if (wait > 0) {
      const seconds = Math.ceil(wait / 1000);
      const attempt = { outcome: 'delayed', reason: 'too_many_attempts', factors: ['passkey'] } as const;
      await recordAttempt(deps, request, { tenant: tenant.id, open, attempt });
      reply.header('retry-after', seconds);
      return showSignIn(deps, request, reply, tenant, open, {
        status: 429,
        problems: [{ message: words.signIn.delayed(seconds) }],
      });
    }
    const factors = ['passkey'] as const;
    const proof = await deps.passkeys.authenticate(tenant.id, single(form, 'credential') ?? '', {
      binding: signInBinding(open.id),
    });
    if (proof) {
      const { subjectId, subjectEpoch, ...signIn } = proof;
      const subject = { id: subjectId };
      await counted(deps.attempts.succeed(key, 'this'));
      const proven = { tenant, open, subject, ...signIn, factors, proof: { subjectEpoch } };
      if (await signedIn(deps, request, reply, proven)) return reply;
    } else {
      const attempt = { outcome: 'failed', reason: 'passkey_rejected', factors } as const;
      await recordAttempt(deps, request, { tenant: tenant.id, open, attempt });
    }
    return showSignIn(deps, request, reply, tenant, open, {
      status: 401,
      problems: [{ message: words.passkey.refused }],
    });
  });
}

/** The password must still be in force when the session starts. */
const proofOf = ({ subjectEpoch, password }: PendingSignIn): SignInProof => ({ subjectEpoch, password });

const verifyBinding = (interaction: string): string => `verify/${interaction}`;

async function verifyCode(
  deps: SignInDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  tenant: TenantRecord,
  open: OpenInteraction,
  pending: WaitingSignIn,
  code: string,
): Promise<FastifyReply> {
  if (code === '') {
    const problems = [{ message: words.secondFactor.missing, field: codeField }];
    return showVerify(deps, request, reply, tenant, open, pending, { status: 400, problems });
  }
  const result = await deps.secondFactors.check(tenant.id, pending.subjectId, code);
  if (result.outcome === 'accepted') {
    if (result.by === 'recovery-code') {
      request.log.info(
        { event: 'recovery_code.used', tenant: tenant.id, subject: pending.subjectId },
        'Recovery code used',
      );
    }
    const authentication = authenticationOf(['pwd', 'otp']);
    const subject = { id: pending.subjectId };
    const factors = ['password', result.by === 'totp' ? 'one_time_code' : 'recovery_code'] as const;
    const carriedRoles = carriedByAll([pending.carriedRoles, result.carriedRoles]);
    const proven = { tenant, open, subject, authentication, carriedRoles, factors, proof: proofOf(pending) };
    if (await signedIn(deps, request, reply, proven)) return reply;
    return sendOn(reply, `/t/${tenant.id}/login?i=${open.id}`);
  }
  if (result.outcome === 'used') {
    // A repeated form arrives while the first is processed: it gets the same redirect if the first succeeds.
    await sleep(secondClickMs);
    const again = await openInteraction(deps, request, tenant.id, new Map([['i', [open.id]]]));
    if (again.interaction.sessionId !== undefined) {
      return sendOn(reply, `/t/${tenant.id}/consent?i=${open.id}`);
    }
  }
  await recordAttempt(deps, request, {
    tenant: tenant.id,
    open,
    attempt: {
      subjectId: pending.subjectId,
      factors: ['password', readRecoveryCode(code) === undefined ? 'one_time_code' : 'recovery_code'],
      ...codeRefusals[result.outcome],
    },
  });
  if (result.outcome === 'delayed') reply.header('retry-after', result.retryAfterSeconds);
  return showVerify(deps, request, reply, tenant, open, pending, refusalOf(result));
}

const codeRefusals = {
  refused: { outcome: 'failed', reason: 'wrong_code' },
  used: { outcome: 'failed', reason: 'used_code' },
  delayed: { outcome: 'delayed', reason: 'too_many_attempts' },
} as const;

function refusalOf(result: Exclude<CodeResult, { outcome: 'accepted' }>): {
  status: number;
  problems: Problem[];
} {
  if (result.outcome === 'delayed') {
    return { status: 429, problems: [{ message: words.signIn.delayed(result.retryAfterSeconds) }] };
  }
  const message = words.secondFactor[result.outcome];
  return { status: 401, problems: [{ message, field: codeField }] };
}

async function verifyPasskey(
  deps: SignInDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  tenant: TenantRecord,
  open: OpenInteraction,
  pending: WaitingSignIn,
  credential: string,
): Promise<FastifyReply> {
  const proof = await deps.passkeys.authenticate(tenant.id, credential, {
    binding: verifyBinding(open.id),
    password: pending,
  });
  if (!proof) {
    const attempt = {
      outcome: 'failed',
      reason: 'passkey_rejected',
      subjectId: pending.subjectId,
      factors: ['password', 'passkey'],
    } as const;
    await recordAttempt(deps, request, { tenant: tenant.id, open, attempt });
    return showVerify(deps, request, reply, tenant, open, pending, {
      status: 401,
      problems: [{ message: words.secondFactor.passkeyRefused }],
    });
  }
  const { authentication, carriedRoles } = proof;
  const subject = { id: pending.subjectId };
  const factors = ['password', 'passkey'] as const;
  const proven = { tenant, open, subject, authentication, carriedRoles, factors, proof: proofOf(pending) };
  if (await signedIn(deps, request, reply, proven)) return reply;
  return sendOn(reply, `/t/${tenant.id}/login?i=${open.id}`);
}

async function showVerify(
  deps: SignInDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  tenant: TenantRecord,
  open: OpenInteraction,
  pending: WaitingSignIn,
  o: { status: number; problems: readonly Problem[] },
): Promise<FastifyReply> {
  const { subjectId } = pending;
  const [factors, subject] = await Promise.all([
    deps.secondFactors.count(tenant.id, subjectId),
    deps.subjects.find(tenant.id, subjectId),
  ]);
  const passkeyOptions =
    deps.passkeys.available && factors.passkeys > 0
      ? await deps.passkeys.requestOptions(tenant.id, { binding: verifyBinding(open.id), subjectId })
      : undefined;
  return sendPage(
    reply,
    o.status,
    secondFactorPage({
      tenantName: tenant.name,
      userName: subject?.profile.displayName ?? subject?.profile.userName ?? '',
      action: `/t/${tenant.id}/login/verify`,
      fields: { i: open.id, csrf: csrfToken(knownBrowser(request) ?? '', `${tenant.id}/${open.id}`) },
      totp: factors.totp,
      passkeyOptions,
      problems: o.problems,
    }),
    formTargetOf(open.interaction.request.redirectUri),
  );
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');
