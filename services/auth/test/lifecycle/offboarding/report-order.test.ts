import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DomainEvent, NewEvent, UserDeparture, UserSnapshot } from '@ostiary/events';
import { uuidv7 } from '@ostiary/service';
import fc from 'fast-check';
import { factsOf, listen } from '../../signals/deliveries/facts.ts';
import { rival, startTestService, type TestService, tenant } from '../../support/sign-in/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  for (const one of [tenant, rival]) await listen(service, one);
});
afterAll(() => service.stop());

type Step = 'update' | 'leave' | 'return' | 'delete' | 'purge';

interface History {
  events: DomainEvent[];
  departures: UserDeparture[];
}

const actor = { kind: 'connector', id: 'hr-system' } as const;

/** Produces events of one user as the directory sends them. Steps that a state does not permit are omitted. */
class Story {
  readonly #tenant: string;
  readonly #id = uuidv7();
  readonly history: History = { events: [], departures: [] };
  #version = 0;
  #active = true;
  #deleted = false;
  #purged = false;
  #departure: UserDeparture | undefined;

  constructor(of: string, steps: readonly Step[], createdActive: boolean) {
    this.#tenant = of;
    this.#active = createdActive;
    this.#emit('user.created');
    for (const step of steps) this.#take(step);
    service.directory.tenants.get(of)?.people.set(this.#id, {
      id: this.#id,
      userName: this.#id,
      displayName: 'The user',
      active: this.#active && !this.#deleted,
      version: this.#version,
      ...(this.#departure && { departure: this.#departure }),
    });
  }

  get id(): string {
    return this.#id;
  }

  #take(step: Step): void {
    if (this.#purged) return;
    if (step === 'update' && !this.#deleted) this.#emit('user.updated');
    if (step === 'leave' && this.#active && !this.#deleted) this.#leave('user.deactivated');
    if (step === 'delete' && !this.#deleted) this.#leave('user.deleted');
    if (step === 'purge' && this.#deleted) {
      this.#purged = true;
      this.#emit('user.deleted', { purged: true });
      return;
    }
    // Restores a deleted user, or reactivates an inactive one.
    if (step === 'return' && (this.#deleted || !this.#active)) {
      const ended = this.#departure;
      [this.#active, this.#deleted, this.#departure] = [true, false, undefined];
      this.#emit('user.reactivated', { ended });
    }
  }

  #leave(type: UserDeparture['type']): void {
    const begins = this.#active;
    if (type === 'user.deleted') this.#deleted = true;
    this.#active = false;
    if (begins) {
      this.#departure = {
        version: this.#version + 1,
        type,
        eventId: uuidv7(),
        occurredAt: new Date().toISOString(),
        actor,
      };
      this.history.departures.push(this.#departure);
    }
    this.#emit(type, { id: begins ? this.#departure?.eventId : undefined });
  }

  #emit(
    type: 'user.created' | 'user.updated' | 'user.deactivated' | 'user.reactivated' | 'user.deleted',
    o: { id?: string | undefined; ended?: UserDeparture | undefined; purged?: boolean } = {},
  ): void {
    this.#version += 1;
    const payload: UserSnapshot = {
      id: this.#id,
      userName: this.#id,
      active: this.#active,
      emails: [],
      externalIds: {},
      departure: this.#departure ?? o.ended ?? null,
      changedAt: new Date().toISOString(),
      ...(type === 'user.deleted' && o.purged !== true && { restorableUntil: new Date().toISOString() }),
    };
    const event = {
      id: o.id ?? uuidv7(),
      tenant: this.#tenant,
      type,
      subject: this.#id,
      version: this.#version,
    };
    this.history.events.push({
      ...event,
      actor,
      occurredAt: new Date().toISOString(),
      payload,
    } as DomainEvent);
  }
}

const steps = fc.array(fc.constantFrom<Step>('update', 'leave', 'return', 'delete', 'purge'), {
  maxLength: 6,
});

const reportsOf = async (of: string, id: string) =>
  (
    await service.deps.database.sql.query<{ version: number; trigger: string; event: string; at: string }>(
      `SELECT (changes->'directoryVersion'->>'after')::int AS version, changes->'trigger'->>'after' AS trigger,
              changes->'eventId'->>'after' AS event, changes->'leftAt'->>'after' AS at
         FROM auth.security_log
        WHERE tenant = $1 AND subject_id = $2 AND action = 'user.departed' AND actor_id = 'hr-system' ORDER BY 1`,
      [of, id],
    )
  ).rows;

test('Every offboarding has one report and the same outgoing messages, in every order, number and batching of its events.', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(tenant, rival), steps, fc.boolean()), { minLength: 1, maxLength: 4 }),
      fc.infiniteStream(fc.nat()),
      async (plans, stream) => {
        const random = () => stream.next().value as number;
        const stories = plans.map(([of, taken, active]) => ({ of, story: new Story(of, taken, active) }));
        const events = stories.flatMap(({ story }) => story.history.events);
        await service.directory.hold(events as readonly NewEvent[]);
        // Some events arrive twice.
        const arriving = [...events, ...events.filter(() => random() % 4 === 0)]
          .map((event) => ({ event, at: random() }))
          .sort((a, b) => a.at - b.at)
          .map(({ event }) => event);
        const batches: DomainEvent[][] = [];
        while (arriving.length > 0) {
          const batch = arriving.splice(0, 1 + (random() % 5));
          batches.push([...new Map(batch.map((event) => [event.id, event])).values()]);
        }
        // Some events arrive concurrently.
        while (batches.length > 0)
          await Promise.all(
            batches.splice(0, 1 + (random() % 3)).map((batch) => service.deps.directoryEvents.accept(batch)),
          );
        for (const { of, story } of stories) {
          const { departures } = story.history;
          expect(await reportsOf(of, story.id)).toEqual(
            departures.map(({ version, type, eventId, occurredAt }) => ({
              version,
              trigger: type,
              event: eventId,
              at: occurredAt,
            })),
          );
          const facts = (await factsOf(service, story.id)).map(({ type, data }) => [
            type,
            data.directoryVersion,
          ]);
          expect(facts.sort(byText)).toEqual(
            departures
              .flatMap(({ version }) => [
                ['session.revoked', version],
                ['user.doors_closed', version],
              ])
              .sort(byText),
          );
        }
      },
    ),
    { numRuns: 60 },
  );
});

const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

test('Offboardings are counted once each, by their trigger.', async () => {
  const count = async () =>
    Object.fromEntries(
      ((await service.kit.metrics.getSingleMetric('departures_total')?.get())?.values ?? []).map(
        ({ labels, value }) => [labels.trigger, value],
      ),
    ) as Record<string, number>;
  const before = await count();
  const stories = [
    new Story(tenant, ['leave'], true),
    new Story(tenant, ['leave', 'delete', 'purge'], true),
    new Story(tenant, ['delete'], true),
    new Story(tenant, ['update', 'delete'], false),
  ];
  for (const { history } of stories) {
    await service.directory.hold(history.events as readonly NewEvent[]);
    for (const event of history.events.toReversed()) await service.deps.directoryEvents.accept([event]);
  }
  const after = await count();
  const added = (trigger: string) => (after[trigger] ?? 0) - (before[trigger] ?? 0);
  expect([added('user.deactivated'), added('user.deleted')]).toEqual([2, 1]);
});

test('An offboarding that is found by asking the directory is the one that its event reports.', async () => {
  const story = new Story(tenant, ['leave', 'update'], true);
  expect(await service.deps.subjects.find(tenant, story.id)).toMatchObject({ active: false });
  const [departure] = story.history.departures;
  const expected = [
    {
      version: departure?.version,
      trigger: 'user.deactivated',
      event: departure?.eventId,
      at: departure?.occurredAt,
    },
  ];
  expect(await reportsOf(tenant, story.id)).toEqual(expected);
  await service.directory.hold(story.history.events as readonly NewEvent[]);
  await service.deps.directoryEvents.accept(story.history.events);
  expect(await reportsOf(tenant, story.id)).toEqual(expected);
});

test('A directory of the previous release, which names no offboarding, still gets a report for each deactivation.', async () => {
  const story = new Story(tenant, ['leave', 'return', 'leave', 'delete'], true);
  const events = story.history.events.map(
    ({ payload: { departure: _, ...payload }, ...event }: DomainEvent & { payload: Partial<UserSnapshot> }) =>
      ({ ...event, payload }) as DomainEvent,
  );
  await service.directory.hold(events as readonly NewEvent[]);
  for (const event of events) await service.deps.directoryEvents.accept([event]);
  expect((await reportsOf(tenant, story.id)).map(({ version, trigger }) => [version, trigger])).toEqual([
    [2, 'user.deactivated'],
    [4, 'user.deactivated'],
  ]);
});
