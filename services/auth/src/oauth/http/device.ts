import { networkOf } from '@ostiary/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AuthorizationRequest } from '../../access/index.ts';
import type { Client } from '../../clients/index.ts';
import {
  clientErrorOf,
  currentSession,
  formOf,
  staysHere,
  tenantOf,
} from '../../identity/sign-in/http/flow.ts';
import { countInTurn, deviceCodeGuesses, parseParameters, queryOf, single } from '../../platform/index.ts';
import { sendAnswer } from '../../platform/pages/http/authorization-answer.ts';
import {
  browserDigest,
  browserOf,
  csrfToken,
  isOwnForm,
  knownBrowser,
} from '../../platform/pages/http/browser.ts';
import { PageError, sendPage } from '../../platform/pages/http/page.ts';
import { words } from '../../platform/pages/http/words.ts';
import type { TenantRecord } from '../../tenancy/index.ts';
import { readUserCode, type WaitingDevice } from '../domain/device-authorization.ts';
import { begin } from './authorize.ts';
import type { AuthorizationDependencies } from './dependencies.ts';
import { finishedPath } from './device-answer.ts';
import { deviceFinishedPage, devicePage, userCodeField } from './pages/device.ts';

const csrfPurpose = (tenant: string): string => `${tenant}/device`;

/**
 * GET and POST /t/{tenant}/device (RFC 8628 §3.3): the page for the user code. A link with the code only fills in the
 * form: the code is not looked up before the form is sent from this page.
 */
export function deviceRoutes(app: FastifyInstance, deps: AuthorizationDependencies): void {
  app.get('/t/:tenant/device', { exposeHeadRoute: false }, async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const parameters = parseParameters(queryOf(request.url));
    if (!parameters) throw new PageError('malformed', 400);
    return showEntry(request, reply, tenant, {
      status: 200,
      userCode: readUserCode(single(parameters, 'user_code') ?? '') ?? '',
    });
  });

  app.post('/t/:tenant/device', async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const form = formOf(request);
    if (!isOwnForm(request, csrfPurpose(tenant.id), single(form, 'csrf')))
      throw new PageError('other_browser', 403);
    const userCode = (single(form, userCodeField) ?? '').slice(0, 64);
    const { device, client, waitSeconds } = await lookUp(deps, request, tenant.id, userCode);
    if (device && client) return ask(deps, request, reply, tenant, client, device);
    if (waitSeconds === 0) {
      return showEntry(request, reply, tenant, { status: 400, userCode, problem: words.device.unknown });
    }
    reply.header('retry-after', waitSeconds);
    return showEntry(request, reply, tenant, {
      status: 429,
      userCode,
      problem: words.signIn.delayed(waitSeconds),
    });
  });

  app.get(`/t/:tenant${finishedPath}`, async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const error = single(parseParameters(queryOf(request.url)) ?? new Map(), 'error');
    return sendPage(reply, 200, deviceFinishedPage(tenant.name, outcomeOf(error)));
  });
}

interface LookUp {
  device?: WaitingDevice;
  client?: Client;
  /** Above 0: not looked up because of too many attempts. */
  waitSeconds: number;
}

/** Counts the attempt before the look-up, so that parallel guesses are counted like serial ones. */
async function lookUp(
  deps: AuthorizationDependencies,
  request: FastifyRequest,
  tenant: string,
  userCode: string,
): Promise<LookUp> {
  const session = await currentSession(deps, request, tenant);
  const who = session?.id ?? browserDigest(knownBrowser(request) ?? '');
  const turn = await countInTurn(deps.attempts, {
    own: [
      { key: `device:address:${tenant}:${networkOf(request.ip)}`, limit: deviceCodeGuesses.address },
      { key: `device:session:${tenant}:${who}`, limit: deviceCodeGuesses.session },
    ],
    shared: [{ key: `device:tenant:${tenant}`, limit: deviceCodeGuesses.tenant }],
  });
  if (turn.waitMs > 0) return { waitSeconds: Math.ceil(turn.waitMs / 1000) };

  const device = await deps.deviceCodes.find(tenant, userCode);
  const client = device && (await deps.clients.find(tenant, device.clientId));
  // A code from before the client was disabled stays invalid when the client is enabled again.
  if (!device || !client || client.disabled || client.epoch !== device.clientEpoch) return { waitSeconds: 0 };
  // Only this attempt is uncounted, because an attacker could use valid codes between guesses.
  await turn.giveBack();
  return { device, client, waitSeconds: 0 };
}

/** Continues with the sign-in and the confirmation of the device, which is always required (RFC 8628 §5.4). */
async function ask(
  deps: AuthorizationDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  tenant: TenantRecord,
  client: Client,
  device: WaitingDevice,
): Promise<FastifyReply> {
  const asked: AuthorizationRequest = {
    clientId: client.clientId,
    redirectUri: `${deps.issuer(tenant.id)}${finishedPath}`,
    redirectUriSent: false,
    scopes: [...device.scopes],
    resources: [...device.resources],
    codeChallenge: '',
    prompts: ['consent'],
    device: { id: device.id, userCode: device.userCode },
  };
  try {
    return await begin(deps, request, reply, { tenant, client, request: asked });
  } catch (error) {
    if (staysHere(error)) throw error;
    return sendAnswer(reply, deps.authorization.refusal(tenant.id, asked, clientErrorOf(request, error)));
  }
}

function showEntry(
  request: FastifyRequest,
  reply: FastifyReply,
  tenant: TenantRecord,
  o: { status: number; userCode: string; problem?: string },
): FastifyReply {
  return sendPage(
    reply,
    o.status,
    devicePage({
      tenantName: tenant.name,
      action: `/t/${tenant.id}/device`,
      csrf: csrfToken(browserOf(request, reply), csrfPurpose(tenant.id)),
      userCode: o.userCode,
      problem: o.problem,
    }),
  );
}

const outcomeOf = (error: string | undefined): 'allowed' | 'denied' | 'expired' | 'failed' => {
  if (error === undefined) return 'allowed';
  if (error === 'access_denied') return 'denied';
  return error === 'expired_token' ? 'expired' : 'failed';
};
