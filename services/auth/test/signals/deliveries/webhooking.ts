import { eventually } from '@ostiary/service/testing';
import { type Asking, type GraphAnswer, startAsking } from '../../support/sign-in/asking.ts';
import { rival, tenant } from '../../support/sign-in/service.ts';
import { TestReceiver } from './receiving.ts';

export const adminScopes =
  'webhooks:read webhooks:write users:read groups:read sessions:read sessions:write audit:read';

const create = `mutation($input: CreateWebhookInput!) { createWebhook(input: $input) {
  webhook { id name endpoint types status version } secret repeated problems { code message path } } }`;

/** Starts the service with its graph, administrators of two tenants, and an external receiver. */
export async function startWebhooking(env: Record<string, string> = {}) {
  const asking: Asking = await startAsking({
    OUTGOING_ALLOW_PRIVATE: 'true',
    DELIVERY_RETRY_FIRST_SECONDS: '1',
    // Longer than pauses of this process, which also runs the receiver.
    DELIVERY_TIMEOUT_SECONDS: '3',
    ...env,
  });
  const receiver = await new TestReceiver().start();
  const admin = await asking.machine(adminScopes);
  const rivalAdmin = await asking.machine(adminScopes, rival);
  const { sql } = asking.service.deps.database;
  return {
    ...asking,
    receiver,
    admin,
    rivalAdmin,
    sql,
    /** Creates a webhook for this path of the receiver. */
    async webhook(
      path: string,
      types: readonly string[] = ['USER_UPDATED'],
      o: { by?: string; endpoint?: string } = {},
    ): Promise<{ id: string; secret: string }> {
      const answer = await asking.ask(
        create,
        { input: { name: `at ${path}`, endpoint: o.endpoint ?? receiver.url(path), types } },
        o.by ?? admin,
      );
      const { webhook, secret } = answer.data.createWebhook;
      return { id: webhook.id, secret };
    },
    create: (input: object, by = admin): Promise<GraphAnswer> => asking.ask(create, { input }, by),
    /** Creates a user whom auth has already projected. */
    async person(userName: string, o: { tenant?: string } = {}): Promise<{ id: string }> {
      const person = await asking.service.person(userName, o);
      await asking.service.deps.subjects.find(o.tenant ?? tenant, person.id);
      return person;
    },
    /** Sends a change of a user as the directory does. */
    change: (id: string, of = tenant) => asking.service.directory.change(of, id, 'user.updated'),
    /** Waits for a number of messages at a path and returns them. */
    async arrived(path: string, count = 1) {
      await eventually(async () => receiver.at(path).length >= count);
      return receiver.at(path);
    },
    delivery: async (id: string): Promise<Record<string, unknown>> =>
      (await sql.query<Record<string, unknown>>('SELECT * FROM auth.deliveries WHERE id = $1', [id]))
        .rows[0] ?? {},
    async stop(): Promise<void> {
      receiver.stop();
      await asking.service.stop();
    },
  };
}

export type Webhooking = Awaited<ReturnType<typeof startWebhooking>>;
