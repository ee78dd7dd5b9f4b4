import { eventually } from '@ostiary/service/testing';
import pg from 'pg';
import { unique } from '../support/demo.ts';
import type { OwnSystem } from '../support/own-system.ts';
import { ScimClient } from '../support/scim.ts';
import { signIn } from '../support/sign-in.ts';
import { audit } from './audit.ts';

/** Consistent system with users in every state that the audit examines. */
export interface Audited {
  db: pg.Client;
  scim: ScimClient;
  /** Ids of an active, an offboarded, a deleted and a reactivated user. */
  people: { stays: string; left: string; deleted: string; back: string };
}

export const quick = { settleMs: 0, waitingSeconds: 120, batch: 3 };

export async function makeAudited(own: OwnSystem): Promise<Audited> {
  const tenant = own.demo.tenants.demo;
  const scim = new ScimClient(tenant, tenant.clients.scim.token);
  const db = new pg.Client({ connectionString: own.system.databaseUrl });
  await db.connect();
  // Receiver without deliveries so far, so that its pending messages can be examined.
  await db.query(
    `INSERT INTO auth.receivers (tenant, id, kind, name, endpoint, status, fact_types, created_at, updated_at)
     VALUES ('demo', gen_random_uuid(), 'webhook', 'audited', 'https://receiver.example/', 'paused',
       '{user.deactivated,session.revoked,user.doors_closed}', now() - interval '1 hour', now() - interval '1 hour')`,
  );
  const newUser = () => ({ userName: unique('audited'), password: unique('correct horse battery') });
  const employ = async (user = newUser()) => {
    const { id } = await scim.createUser({ ...user, externalId: user.userName });
    await signIn(own.demo, tenant, user);
    return id;
  };
  const returning = newUser();
  const people = {
    stays: await employ(),
    left: await employ(),
    deleted: await employ(),
    back: await employ(returning),
  };
  const activate = (id: string, value: boolean) =>
    scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value }]);
  await activate(people.left, false);
  await activate(people.back, false);
  await activate(people.back, true);
  // Signs in again after the reactivation.
  await eventually(
    () => signIn(own.demo, tenant, returning).catch(() => undefined),
    (signedIn) => signedIn !== undefined,
  );
  await scim.call('DELETE', `/Users/${people.deleted}`);
  await eventually(
    () => audit(own.system.databaseUrl, quick),
    ({ ok }) => ok,
  );
  return { db, scim, people };
}
