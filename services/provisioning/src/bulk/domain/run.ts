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

/** Stores outcomes, so that a repeated Bulk continues after its last operation. */
export interface Journal {
  /** Outcomes of earlier runs, by position. */
  readonly outcomes: ReadonlyMap<number, Outcome>;
  /** Whether other runs of the same Bulk are possible, and whether there was one before. */
  readonly shared: boolean;
  readonly resumed: boolean;
  /** Returns the id of the resource that the operation at this position creates, the same in every run. */
  idAt(position: number): string;
  /** Stores an outcome without waiting. */
  record(position: number, outcome: Outcome): void;
}

export interface BulkRun {
  resources: Resources;
  journal: Journal;
  failOnErrors?: number;
  /** The returned part of each resource; none when undefined. */
  shown?: Projection;
  /**
   * Returns the caller with its current rights, before each operation, as if that were a request of its own;
   * undefined after the timeout, or when the caller is no longer admitted.
   */
  admitted: () => Promise<Caller | undefined>;
  /** Called with errors that the client did not cause. */
  onFailure: (error: unknown) => void;
}

/** Maximum number of concurrent operations, and of those that have taken effect and only wait for their response. */
const parallel = 8;
const waiting = 16;
/** Number of consecutive unanswered operations after which the others are not attempted. */
const patience = 3;
/** The smallest projection, for which no members are loaded. */
const headersOnly: Projection = { attributes: ['id', 'meta'] };

/**
 * Executes a planned Bulk. Independent steps are executed concurrently, unless `failOnErrors` limits the number of
 * errors.
 * @returns the outcomes by position, without those of steps that were not reached
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

/** Starts every step as soon as the steps before it are done. */
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
      // It changes only a reference of its own resource, so it waits for the resources that it names, and for no run.
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

/** Executes a limited number of steps concurrently, in order. */
class Turns {
  readonly #carryOut: CarryOut;
  readonly #limit = pLimit(parallel);
  #waiting = 0;

  constructor(carryOut: CarryOut) {
    this.#carryOut = carryOut;
  }

  /**
   * Executes a step in its turn. The turn ends when the step is done, or has taken effect. While departures wait
   * until their access paths are closed, the next ones begin.
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
  /** State of the caller at its last admission. */
  #caller: Caller | undefined;

  constructor(run: BulkRun) {
    this.#run = run;
  }

  /** @param onTakenEffect called when it has taken effect and only its response is pending */
  async carryOut(step: Step, onTakenEffect?: () => void): Promise<Outcome> {
    const decided = this.#run.journal.outcomes.get(step.position);
    const outcome: ShownOutcome = decided ?? (await this.#attempt(step, onTakenEffect));
    const { bulkId } = step.entry;
    if (bulkId !== undefined && step.part !== 'second') this.#made.set(bulkId, outcome);
    if (step.part === 'first' && !decided && !failed(outcome)) {
      // The outcome if the second part is never executed.
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
    // A failure of the first part is the outcome.
    if (step.part === 'second' && id === undefined) return this.outcomes.get(step.position) as ShownOutcome;
    // After several unanswered operations, only those that end a user's access are attempted: they need fewer
    // services.
    const isLost = this.#unanswered >= patience;
    if (isLost && !this.#endsAccess(step.task)) return { ...known, ...refused(notAttempted()) };
    try {
      const caller = await this.#run.admitted();
      if (!caller) return { ...known, ...refused(notAttempted()) };
      this.#caller = caller;
      if (!caller.scopes.has('scim:write'))
        throw ScimError.forbidden('This identity source has read-only access.');
      const outcome = await this.#perform(step, step.task, caller, onTakenEffect);
      // A response to such an operation does not show that the other services answer.
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
    // The operation requires more of the caller than the Bulk itself.
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
    // The outcome of an earlier run may not have been stored.
    const found = journal.resumed ? await this.#found(task, id, projection, caller) : undefined;
    if (found) return this.#success(201, found);
    try {
      return this.#success(201, await resources.create(caller, task.type, data, projection, id));
    } catch (error) {
      // The last request of an earlier run may have arrived in the meantime.
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

  /** Returns the resource with the id that only this Bulk can assign. */
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

/** Returns the outcome of a creation without its second part. The resource stays, as others may refer to it. */
function incomplete(error: ScimError): Outcome {
  const detail = `The resource was created, but without its references to resources of later operations: ${error.detail}`;
  return refusal(new ScimError(error.status, detail, error.scimType));
}

const notAttempted = (): ScimError =>
  ScimError.unavailable('The operation was not attempted. Send it again later.');
