import { eventually } from '@ostiary/service/testing';
import { decodeJwt } from 'jose';
import type { DemoTenant, DemoUser } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { type LiveResult, listen, type Subscriber } from '../support/live.ts';
import { groupSchema, ScimClient } from '../support/scim.ts';
import { signIn } from '../support/sign-in.ts';
import { models } from './doors.ts';
import type { Subject } from './observe.ts';
import type { Actor, World } from './world.ts';

/** Result of one subscription of an actor. */
export interface Heard {
  coordinate: string;
  actor: Actor;
  /** `open`, or the error code. */
  opening: string;
  /** Owners of the received events: no user, the actor, or another user of the tenant. */
  of: ReadonlySet<Subject>;
  /** Ids in events of another tenant, or of no change in this test. */
  strange: readonly string[];
}

/** Field of the event with the id of its object, by subscription. */
const about: Readonly<Record<string, string>> = {
  userChanged: 'userId',
  groupChanged: 'groupId',
  sessionRevoked: 'userId',
  signInAttempted: 'userId',
  provisioningActivity: 'resourceId',
};

interface Person extends DemoUser {
  id: string;
}

/** Ids of changed objects, by the subscription that reports them. */
type Happened = ReadonlyMap<string, Set<string>>;

/** Number of rounds of changes: wrong events of the first round have arrived when those of the last have. */
const rounds = 2;

/** Subscribes every actor to everything, then changes users, groups and sources of both tenants. */
export async function hearEverything(world: World): Promise<Heard[]> {
  const fields = [...(models.gateway.objects.get('Subscription')?.fields.keys() ?? [])];
  for (const field of fields)
    if (!(field in about)) throw new Error(`${field}: say in ${import.meta.url} what it is about`);
  const ours = new Map(fields.map((field) => [field, new Set<string>()]));
  const theirs = new Map(fields.map((field) => [field, new Set<string>()]));

  const actors = [...world.actors, world.rivalAdmin];
  const subscriptions = await Promise.all(
    actors.flatMap((actor) =>
      fields.map(async (field) => {
        const query = `subscription { ${field} { ${about[field]} } }`;
        return { actor, field, subscriber: await listen(world.demo.graphql, actor.token, { query }) };
      }),
    ),
  );
  const everything = (field: string, name: string): Subscriber => {
    const found = subscriptions.find((each) => each.field === field && each.actor.name === name);
    if (!found) throw new Error(`${name} doesn't listen to ${field}`);
    return found.subscriber;
  };
  try {
    for (let round = 1; round <= rounds; round += 1) {
      await Promise.all([happenHere(world, ours, round), happenElsewhere(world, theirs, round)]);
      for (const field of fields) {
        await notifiedOf(field, everything(field, 'app:*'), ours, round);
        await notifiedOf(field, everything(field, world.rivalAdmin.name), theirs, 1);
      }
    }
    return await Promise.all(
      subscriptions.map(async ({ actor, field, subscriber }) => {
        const here = [...(ours.get(field) ?? [])];
        // Other tests use the other tenant too: there, only objects of this tenant are wrong.
        const isStrange = (id: string) => (actor === world.rivalAdmin) === here.includes(id);
        const opening = await openingOf(subscriber);
        const notified = heardBy(actor, field, subscriber.results, isStrange);
        return { coordinate: `Subscription.${field}`, actor, opening, ...notified };
      }),
    );
  } finally {
    for (const { subscriber } of subscriptions) subscriber.stop();
  }
}

/** Waits until the subscriber with all scopes has received `times` events about each object. */
async function notifiedOf(
  field: string,
  witness: Subscriber,
  happened: Happened,
  times: number,
): Promise<void> {
  const count = (id: string) => witness.results.filter((result) => idOf(result, field) === id).length;
  await eventually(
    async () => [...(happened.get(field) ?? [])].filter((id) => count(id) < times),
    (missing) => missing.length === 0,
  );
}

const idOf = (result: LiveResult, field: string): string | undefined =>
  result.data?.[field]?.[about[field] ?? ''];

/** Returns `open`, or the error code of a request or stream that was rejected. */
async function openingOf({ ended, results }: Subscriber): Promise<string> {
  const how = await Promise.race([ended, undefined]);
  if (how === undefined) return 'open';
  const status = (how as { response?: { status?: number } }).response?.status;
  if (status === 401) return 'UNAUTHENTICATED';
  return results.at(-1)?.errors?.[0]?.extensions?.code ?? `failed: ${String(how)}`;
}

function heardBy(
  actor: Actor,
  field: string,
  results: readonly LiveResult[],
  isStrange: (id: string) => boolean,
): Pick<Heard, 'of' | 'strange'> {
  const of = new Set<Subject>();
  const strange: string[] = [];
  for (const id of results.map((result) => idOf(result, field))) {
    if (id === undefined) continue;
    if (isStrange(id)) strange.push(id);
    else if (about[field] !== 'userId') of.add('any');
    else of.add(id === actor.id ? 'own' : 'other');
  }
  return { of, strange };
}

/** Renames each user and ends a session of each, renames a group, and acts as a source. */
async function happenHere(world: World, happened: Happened, round: number): Promise<void> {
  const scim = new ScimClient(world.tenant, world.connectorToken);
  const everyScope = world.actors.find(({ name }) => name === 'app:*')?.token ?? '';
  const rename = async (path: string): Promise<void> => {
    const answer = await scim.patch(path, [{ op: 'replace', path: 'displayName', value: `Round ${round}` }]);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  };
  for (const person of Object.values(world.people)) {
    await rename(`/Users/${person.id}`);
    await loseSession(world, world.tenant, person, everyScope);
    for (const field of ['userChanged', 'sessionRevoked', 'signInAttempted', 'provisioningActivity'])
      happened.get(field)?.add(person.id);
  }
  await rename(`/Groups/${world.ids.group}`);
  for (const field of ['groupChanged', 'provisioningActivity']) happened.get(field)?.add(world.ids.group);
}

/** Creates a user and a group in the other tenant, and ends a session of the user. */
async function happenElsewhere(world: World, happened: Happened, round: number): Promise<void> {
  const { rival } = world.demo.tenants;
  const scim = new ScimClient(rival, rival.clients.scim.token);
  const name = `${world.tenant.id}-${round}`;
  const user = { userName: name, password: `seven quiet lanterns over ${name}` };
  const { id } = await scim.createUser(user);
  const group = await scim.call('POST', '/Groups', { schemas: [groupSchema], displayName: name });
  await loseSession(world, rival, { ...user, id }, world.rivalAdmin.token ?? '');
  for (const field of ['userChanged', 'sessionRevoked', 'signInAttempted', 'provisioningActivity'])
    happened.get(field)?.add(id);
  for (const field of ['groupChanged', 'provisioningActivity']) happened.get(field)?.add(group.body.id);
}

async function loseSession(
  world: World,
  tenant: DemoTenant,
  person: Person,
  administrator: string,
): Promise<void> {
  const { tokens } = await signIn(world.demo, tenant, person);
  const revoke =
    'mutation ($id: ID!) { revokeSession(input: { id: $id }) { sessionId problems { message } } }';
  const { data, errors } = await graph(world.demo, administrator, revoke, {
    id: decodeJwt(tokens.access_token).sid,
  });
  if (errors.length > 0 || data.revokeSession.problems.length > 0)
    throw new Error(JSON.stringify({ data, errors }));
}
