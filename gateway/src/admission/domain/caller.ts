import type { Principal } from '@ostiary/access';
import { networkOf } from '@ostiary/service';

const networkCaller = 'network ';

/**
 * Whose budget a request is charged to: an app acting for itself, a person in an app, or, without a token, the network
 * it comes from.
 */
export function callerOf(principal: Principal | undefined, address: string): string {
  if (principal) return `${principal.tenant} ${principal.clientId} ${principal.subject}`;
  return `${networkCaller}${networkOf(address)}`;
}

/** Whether a caller is a network: without a token nothing more is known. */
export const isNetwork = (caller: string): boolean => caller.startsWith(networkCaller);
