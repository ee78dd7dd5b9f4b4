import type { GrantContent } from '../../access/index.ts';
import { checkResources } from '../../access/index.ts';
import { invalidGrant, OAuthError } from '../../platform/index.ts';
import { attributesBeforeUse } from './access-tokens/attributes-before-use.ts';
import { resourcesOfTokenRequest } from './access-tokens/target.ts';
import type { DeviceCodes } from './device-authorization.ts';
import { type GrantOpeningDependencies, openAndIssue } from './grant-opening.ts';
import { type GrantHandler, required, type TokenRequest } from './token-request.ts';

export interface DeviceGrantDependencies extends GrantOpeningDependencies {
  deviceCodes: DeviceCodes;
}

/** One answer for every invalid code, because a distinction only helps an attacker. */
const description = 'The device code is invalid, already used, or was issued to another client.';

/** grant_type=urn:ietf:params:oauth:grant-type:device_code (RFC 8628 §3.4). */
export const deviceGrant =
  (deps: DeviceGrantDependencies): GrantHandler =>
  async (request) => {
    const { parameters, client, issuer, tenant } = request;
    const deviceCode = required(parameters, 'device_code');
    const asked = parameters.get('resource');
    if (asked) resourcesOfTokenRequest(asked, client, issuer);

    const known = await attributesBeforeUse(deps, request, async () => {
      const content = await deps.deviceCodes.peek(tenant, client, deviceCode);
      return content && { ...content, resources: asked ?? content.resources };
    });
    const approved = await poll(deps, request, deviceCode);
    const granted = approved.resources.length === 0 ? [issuer] : approved.resources;
    const resources = asked ? checkResources(asked, granted) : granted;
    return openAndIssue(
      deps,
      request,
      { ...approved, resources: granted },
      { resources, description, known },
    );
  };

async function poll(
  deps: DeviceGrantDependencies,
  request: TokenRequest,
  deviceCode: string,
): Promise<GrantContent> {
  const { tenant, client } = request;
  const polled = await deps.deviceCodes.poll(tenant, client, deviceCode);
  switch (polled.outcome) {
    case 'consumed':
      return polled.content;
    case 'pending':
      throw new OAuthError('authorization_pending', 'The user has not completed the authorization yet.');
    case 'slow_down':
      throw new OAuthError('slow_down', 'Increase the polling interval by 5 seconds.');
    case 'expired':
      throw new OAuthError('expired_token', 'The device code has expired. Request a new one.');
    case 'denied':
      throw new OAuthError('access_denied', 'The user denied the request.');
    case 'replayed':
      // Two parties hold the code, and the server cannot distinguish the device from the attacker.
      await deps.grants.killReplayed(tenant, { grantId: polled.content.grantId, content: polled.content });
      throw invalidGrant(description, polled.outcome);
    default:
      throw invalidGrant(description, polled.outcome);
  }
}
