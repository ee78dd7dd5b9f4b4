import { AccessError } from '@ostiary/access';
import { type JsonObject, ScimError } from '@ostiary/scim';
import { isUnavailable } from '@ostiary/service';
import pLimit from 'p-limit';
import type { Caller } from '../../access/index.ts';
import { type Projection, type ScimResource, versionOf, withMeta } from '../../protocol/index.ts';
import type { Resources } from '../../resources/index.ts';
import { failed, type Outcome, type ShownOutcome, undecided } from './outcome.ts';
import type { Step } from './plan.ts';
import { resolveReferences } from './references.ts';
import type { BulkOperation } from './request.ts';

/** Where outcomes are kept, so that a Bulk which is sent again goes on where it stopped. */
export interface Journal {
  /** What earlier runs decided, by position. */
  readonly outcomes: ReadonlyMap<number, Outcome>;
  /** Whether there may be other runs of the same Bulk, and whether there were any before this one. */
  readonly shared: boolean;
  readonly resumed: boolean;
  /** The id of what the operation at this position makes, the same in every run. */
  idAt(position: number): string;
  /** Keeps an outcome; doesn't wait. */
  record(position: number, outcome: Outcome): void;
}

export interface BulkRun {
  resources: Resources;
  journal: Journal;
  failOnErrors?: number;
  /** What to show of each resource; nothing when undefined. */
  shown?: Projection;
  /**
   * Asked before each operation, which is judged by what the caller may do then, as if it were a request of its own; undefined when
   * there is no more time, or they aren't admitted any more.
   */
  admitted: () => Promise<Caller | undefined>;
  /** Called with what isn't the client's fault. */
  onFailure: (error: unknown) => void;
}

/** Operations under way at once; and those beside them that have taken effect and only wait for their answers. */
const parallel = 8;
const waiting = 16;
/** So many unanswered operations in a row are enough to know that the others wouldn't be answered either. */
const patience = 3;
/** The least there is to know: no members are loaded for it. */
const headersOnly: Projection = { attributes: ['id', 'meta'] };

/**
 * Carries out a planned Bulk. Steps that have nothing to do with each other are done at the same time, unless the
 * number of errors decides how far it goes.
 * @returns the outcomes by position; those of steps that were not reached are missing
 */
export async function runBulk(steps: readonly Step[], run: BulkRun): Promise<Map<number, ShownOutcome>> {
  const worker = new BulkWorker(run);
  if (run.failOnErrors === undefined)
    await Promise.all(schedule(steps, (step, onTakenEffect) => worker.carryOut(step, onTakenEffect)));
  else {
    const errors = new Set<number>();
    for (const step of steps) {
      if (errors.size >= run.failOnErrors) break;
      if (failed(await worker.carryOut(step))) errors.add(step.position);
    }
  }
  return worker.outcomes;
}

type CarryOut = (step: Step, onTakenEffect: () => void) => Promise<unknown>;

/** Starts every step as soon as those are done that it has to wait for. */
function schedule(steps: readonly Step[], carryOut: CarryOut): Promise<unknown>[] {
  const lastWith = new Map<string, Promise<unknown>>();
  const runs = new Map<
    string,
    { name: string | undefined; members: Promise<unknown>[]; before: Promise<unknown> }
  >();
  const turns = new Turns(carryOut);
  return steps.map((step) => {
    const type = step.task instanceof ScimError ? 'none' : step.task.type;
    const after = (): Promise<unknown>[] =>
      [...step.keys, ...step.needs.map((bulkId) => `bulk:${bulkId}`)].flatMap(
        (key) => lastWith.get(key) ?? [],
      );
    if (step.part === 'second') {
      // It changes nothing but a reference of its own resource: it waits for what it names, and for no run.
      const done = Promise.all(after()).then(() => turns.take(step));
      for (const key of step.keys) lastWith.set(key, done);
      return done;
    }
    let run = runs.get(type);
    if (!run || run.name === undefined || run.name !== step.run) {
      run = { name: step.run, members: [], before: Promise.all(run?.members ?? []) };
      runs.set(type, run);
    }
    const done = Promise.all([run.before, ...after()]).then(() => turns.take(step));
    run.members.push(done);
    for (const key of step.keys) lastWith.set(key, done);
    return done;
  });
}

/** Lets a few steps be carried out at once, in the order in which their turn comes. */
class Turns {
  readonly #carryOut: CarryOut;
  readonly #limit = pLimit(parallel);
  #waiting = 0;

  constructor(carryOut: CarryOut) {
    this.#carryOut = carryOut;
  }

  /**
   * Carries a step out when its turn comes. The turn is over when the step is, or has taken effect: of departures, each of which is
   * answered when its doors have closed, the next are begun meanwhile.
   */
  async take(step: Step): Promise<unknown> {
    let outcome: Promise<unknown> | undefined;
    await this.#limit(
      () =>
        new Promise<void>((isOver) => {
          let waits = false;
          outcome = this.#carryOut(step, () => {
            if (waits || this.#waiting >= waiting) return;
            waits = true;
            this.#waiting += 1;
            isOver();
          }).finally(() => {
            if (waits) this.#waiting -= 1;
            isOver();
          });
        }),
    );
    return outcome;
  }
}

class BulkWorker {
  readonly outcomes = new Map<number, ShownOutcome>();
  readonly #run: BulkRun;
  /** The outcomes of creations, by bulkId. */
  readonly #made = new Map<string, Outcome>();
  #unanswered = 0;
  /** As it was when it was last admitted. */
  #caller: Caller | undefined;

  constructor(run: BulkRun) {
    this.#run = run;
  }

  /** @param onTakenEffect called when it has taken effect and only its answer waits */
  async carryOut(step: Step, onTakenEffect?: () => void): Promise<Outcome> {
    const decided = this.#run.journal.outcomes.get(step.position);
    const outcome: ShownOutcome = decided ?? (await this.#attempt(step, onTakenEffect));
    const { bulkId } = step.entry;
    if (bulkId !== undefined && step.part !== 'second') this.#made.set(bulkId, outcome);
    if (step.part === 'first' && !decided && !failed(outcome)) {
      // Should it never come to the second part, this is what there is to say.
      this.outcomes.set(step.position, { ...outcome, ...incomplete(notAttempted()) });
      return outcome;
    }
    this.outcomes.set(step.position, outcome);
    if (!decided && !undecided(outcome)) {
      const { resource: _, ...kept } = outcome;
      this.#run.journal.record(step.position, kept);
    }
    return outcome;
  }

  async #attempt(step: Step, onTakenEffect?: () => void): Promise<ShownOutcome> {
    if (step.task instanceof ScimError) return refusal(step.task);
    const id = this.#targetId(step.task);
    const known = step.part === 'second' ? this.outcomes.get(step.position) : id === undefined ? {} : { id };
    const refused = step.part === 'second' ? incomplete : refusal;
    // Where the first part failed, that is the outcome.
    if (step.part === 'second' && id === undefined) return this.outcomes.get(step.position) as ShownOutcome;
    // What wasn't answered often isn't asked any more, but for what ends a user's access: it needs less to be there than the rest.
    const isLost = this.#unanswered >= patience;
    if (isLost && !this.#endsAccess(step.task)) return { ...known, ...refused(notAttempted()) };
    try {
      const caller = await this.#run.admitted();
      if (!caller) return { ...known, ...refused(notAttempted()) };
      this.#caller = caller;
      if (!caller.scopes.has('scim:write'))
        throw ScimError.forbidden('This identity source has read-only access.');
      const outcome = await this.#perform(step, step.task, caller, onTakenEffect);
      // That it was answered says nothing of the rest.
      if (!isLost) this.#unanswered = 0;
      return outcome;
    } catch (error) {
      return { ...known, ...refused(this.#scimError(error, isLost)) };
    }
  }

  #endsAccess(task: BulkOperation): boolean {
    return this.#caller !== undefined && this.#run.resources.endsAccess(this.#caller, task);
  }

  #scimError(error: unknown, isLost: boolean): ScimError {
    if (error instanceof ScimError) {
      if (error.status < 500 && !isLost) this.#unanswered = 0;
      return error;
    }
    // What the operation takes of the caller, beyond what the Bulk took.
    if (error instanceof AccessError) return new ScimError(error.statusCode, error.description);
    const unavailable = isUnavailable(error);
    if (unavailable) this.#unanswered += 1;
    this.#run.onFailure(error);
    return unavailable ? ScimError.unavailable() : ScimError.internal();
  }

  async #perform(
    step: Step,
    task: BulkOperation,
    caller: Caller,
    onTakenEffect?: () => void,
  ): Promise<ShownOutcome> {
    this.#requireMade(step.needs);
    const { resources, shown } = this.#run;
    const { type } = task;
    const data = resolveReferences(task.data ?? {}, (bulkId) => this.#idOf(bulkId));
    if (task.method === 'POST') return this.#create(step, task, data, caller);
    const id = this.#targetId(task) as string;
    const projection = shown ? withMeta(shown) : headersOnly;
    if (task.method === 'DELETE') {
      await this.#remove(task, id, caller, onTakenEffect);
      return { status: 204, id };
    }
    const options = { ifMatch: task.ifMatch, projection, onTakenEffect };
    const resource =
      task.method === 'PUT'
        ? await resources.replace(caller, type, id, data, options)
        : await resources.patch(caller, type, id, data, options);
    return this.#success(step.part === 'second' ? 201 : 200, resource);
  }

  async #create(step: Step, task: BulkOperation, data: JsonObject, caller: Caller): Promise<ShownOutcome> {
    const { resources, journal, shown } = this.#run;
    const id = journal.idAt(step.position);
    const projection = shown ? withMeta(shown) : headersOnly;
    // What an earlier run made may not have been written down.
    const found = journal.resumed ? await this.#found(task, id, projection, caller) : undefined;
    if (found) return this.#success(201, found);
    try {
      return this.#success(201, await resources.create(caller, task.type, data, projection, id));
    } catch (error) {
      // The last request of an earlier run may have arrived just now.
      const late =
        journal.shared && error instanceof ScimError && error.status === 409
          ? await this.#found(task, id, projection, caller)
          : undefined;
      if (late) return this.#success(201, late);
      throw error;
    }
  }

  #success(status: number, resource: ScimResource): ShownOutcome {
    const version = versionOf(resource);
    return {
      status,
      id: String(resource.id),
      ...(version === undefined ? {} : { version }),
      ...(this.#run.shown ? { resource } : {}),
    };
  }

  /** The resource with the id that only this Bulk would give. */
  async #found(task: BulkOperation, id: string, projection: Projection, caller: Caller) {
    try {
      return await this.#run.resources.read(caller, task.type, id, projection);
    } catch (error) {
      if (error instanceof ScimError && error.status === 404) return undefined;
      throw error;
    }
  }

  async #remove(task: BulkOperation, id: string, caller: Caller, onTakenEffect?: () => void): Promise<void> {
    const { resources, journal } = this.#run;
    try {
      await resources.remove(caller, task.type, id, { ifMatch: task.ifMatch, onTakenEffect });
    } catch (error) {
      // An earlier run may have removed it.
      if (!(journal.resumed && error instanceof ScimError && error.status === 404)) throw error;
    }
  }

  #requireMade(bulkIds: readonly string[]): void {
    for (const bulkId of bulkIds) {
      const made = this.#made.get(bulkId);
      if (made && !failed(made)) continue;
      if (made && undecided(made)) throw notAttempted();
      throw ScimError.conflict(`It refers to the bulkId ${JSON.stringify(bulkId)}, which was not created.`);
    }
  }

  #idOf(bulkId: string): string | undefined {
    return this.#made.get(bulkId)?.id;
  }

  #targetId({ target }: BulkOperation): string | undefined {
    if (!target) return undefined;
    return 'bulkId' in target ? this.#idOf(target.bulkId) : target.id;
  }
}

const refusal = (error: ScimError): Outcome => ({ status: error.status, error: error.toJSON() });

/** The resource is there, and stays there, as others may refer to it by now; but it isn't what was asked for. */
function incomplete(error: ScimError): Outcome {
  const detail = `It was created, but without its references to resources of later operations: ${error.detail}`;
  return refusal(new ScimError(error.status, detail, error.scimType));
}

const notAttempted = (): ScimError => ScimError.unavailable('It was not attempted. Send it again later.');
