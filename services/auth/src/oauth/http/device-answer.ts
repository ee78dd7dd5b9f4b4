import type { AskingDevice, AuthorizationRequest } from '../../access/index.ts';
import { type Client, redirectTo } from '../../clients/index.ts';
import type { LiveSession } from '../../identity/index.ts';
import type { Subject } from '../../tenancy/index.ts';
import type { DeviceCodes } from '../domain/device-authorization.ts';

/** Path of the page after the answer to a device. */
export const finishedPath = '/device/finished';

/**
 * Approves the request of a device; its next poll gets tokens.
 * @returns the address to which the browser is redirected
 */
export async function allowDevice(
  devices: DeviceCodes,
  o: {
    tenant: string;
    client: Client;
    request: AuthorizationRequest;
    device: AskingDevice;
    session: LiveSession;
    subject: Subject;
    scopes: readonly string[];
  },
): Promise<string> {
  const { tenant, client, request, session, subject } = o;
  const answer = await devices.approve(o.device, {
    tenant,
    clientId: request.clientId,
    clientEpoch: client.epoch,
    subjectId: subject.id,
    subjectEpoch: session.subjectEpoch,
    withdrawals: subject.withdrawals[request.clientId] ?? 0,
    sessionId: session.id,
    scopes: o.scopes,
    resources: request.resources,
    authTime: Math.floor(session.authTime.getTime() / 1000),
    amr: session.amr,
    ...(session.acr === null ? {} : { acr: session.acr }),
  });
  return redirectTo(request.redirectUri, answer === 'recorded' ? {} : { error: 'expired_token' });
}
