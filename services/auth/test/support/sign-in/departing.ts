import type { NewEvent } from '@ostiary/events';
import { client, service } from './one-client.ts';
import { redeem, signInAndAllow, tenant } from './service.ts';

export const scope = 'openid profile offline_access';

export async function signedIn(userName: string) {
  const person = await service.person(userName);
  const browser = service.browser();
  const { body } = await redeem(service, client, await signInAndAllow(browser, client, userName, { scope }));
  return { person, browser, tokens: body };
}

export const epochOf = async (id: string): Promise<number> => {
  const { rows } = await service.deps.database.sql.query<{ epoch: number }>(
    'SELECT epoch FROM auth.subjects WHERE tenant = $1 AND id = $2',
    [tenant, id],
  );
  return rows[0]?.epoch ?? -1;
};

export const isHandled = async (events: readonly NewEvent[]): Promise<boolean> => {
  const ids = events.map((event) => event.id ?? '');
  return (await service.deps.directoryEvents.missing(ids)).length === 0;
};

export const numbered = (event: NewEvent): NewEvent => ({ ...event, id: crypto.randomUUID() });
