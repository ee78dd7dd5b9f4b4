import type { Principal } from '@ostiary/access';
import { networkOf } from '@ostiary/service';

const networkCaller = 'network ';

/**
 * Returns the owner of the budget to which a request is charged: a client acting for itself, a user of a client, or,
 * without a token, the network of the address.
 */
export function callerOf(principal: Principal | undefined, address: string): string {
  if (principal) return `${principal.tenant} ${principal.clientId} ${principal.subject}`;
  return `${networkCaller}${networkOf(address)}`;
}

export const isNetwork = (caller: string): boolean => caller.startsWith(networkCaller);
