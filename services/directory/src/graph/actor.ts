import type { Principal } from '@ostiary/access';
import type { Actor } from '@ostiary/events';

/** Who a change is recorded under: the person, or the app when it acts for itself. */
export const actorOf = (principal: Principal): Actor =>
  principal.kind === 'user'
    ? { kind: 'user', id: principal.subject }
    : { kind: principal.kind, id: principal.clientId };
