import { uuidv7 } from '@ostiary/service';
import { insertReceiver } from '../../../src/signals/data/receivers.ts';
import { factTypes } from '../../../src/tenancy/events/domain/facts.ts';
import { type TestService, tenant } from '../../support/sign-in/service.ts';

export interface WrittenFact {
  type: string;
  subject: string;
  data: Record<string, unknown>;
  actor: { kind: string; id: string };
  traceparent: string | null;
}

/** Creates a paused receiver of all fact types, so that the facts stay in the table. */
export async function listen(service: TestService, of = tenant): Promise<void> {
  await insertReceiver(
    service.deps.database.sql,
    of,
    {
      id: uuidv7(),
      kind: 'webhook',
      name: 'everything',
      clientId: null,
      endpoint: 'https://receiver.example/',
      status: 'paused',
      factTypes: [...factTypes],
      settings: {},
      secrets: null,
    },
    10,
  );
}

/** Returns the facts about a subject in order of creation, without those that copy directory events. */
export async function factsOf(service: TestService, subjectId: string): Promise<WrittenFact[]> {
  const { rows } = await service.deps.database.sql.query<WrittenFact>(
    `SELECT f.type, f.subject_id AS subject, f.data, f.actor, f.traceparent
       FROM auth.facts f JOIN auth.deliveries d ON d.tenant = f.tenant AND d.fact_id = f.id
      WHERE f.subject_id = $1 AND f.type !~ '^(user\\.(created|updated|deactivated|reactivated|deleted)|group\\.)'
      ORDER BY d.position`,
    [subjectId],
  );
  return rows;
}
