import { type Principal, whoActs } from '@ostiary/access';
import type { Actor } from '@ostiary/events';

/** Who a change is recorded under: the person, the app when it acts for itself, or who acts for either of them. */
export const actorOf = (principal: Principal): Actor => whoActs(principal);
