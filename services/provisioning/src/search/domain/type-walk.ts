import { isJsonObject, type JsonObject, ScimError } from '@ostiary/scim';
import type { Caller } from '../../access/index.ts';
import type { Projection, ResourceType, ScimResource } from '../../protocol/index.ts';
import type { Position, Resources, Selection } from '../../resources/index.ts';

/** Progress of a walk over one type; part of a cursor. */
export interface Progress {
  /** Everything up to this position was returned. */
  after?: Position;
  /** Ids of returned resources after it. */
  given?: string[];
  done?: true;
}

export interface WalkOptions {
  resources: Resources;
  caller: Caller;
  type: ResourceType;
  selection: Selection;
  projection: Projection;
  /** Number of resources per read. */
  chunk: number;
  /** Maximum number of reads. */
  maxReads: number;
  /** Deadline on the clock of `performance`. */
  until?: number;
}

/**
 * Walks over the resources of one type, one by one, and exposes its progress at any time. Where two walks are merged,
 * a chunk is rarely used up. The ids of the used resources are recorded, so that nothing is skipped or repeated,
 * under any concurrent changes.
 */
export class TypeWalk {
  readonly type: ResourceType;
  /** The error why there is nothing to walk over: the type lacks an attribute of the filter (RFC 7644 §3.4.2.1). */
  refusal: ScimError | undefined;
  totalResults: number | undefined;
  /** Whether the maximum was examined without a match, so that the rest is left to another page. */
  stalled = false;
  readonly #options: WalkOptions;
  #after: Position | undefined;
  #given: string[];
  #done: boolean;
  #chunk: ScimResource[] | undefined;
  #next: Position | undefined;
  #reads = 0;

  constructor(options: WalkOptions, progress: Progress) {
    this.type = options.type;
    this.#options = options;
    this.#after = progress.after;
    this.#given = progress.given ?? [];
    this.#done = progress.done ?? false;
  }

  /**
   * Returns the next resource, which stays the next one until it is taken; undefined at the end, or where the walk
   * stalls.
   */
  async peek(): Promise<ScimResource | undefined> {
    while (!this.#done) {
      if (this.#chunk === undefined && this.#isEnough()) {
        this.stalled = true;
        return undefined;
      }
      this.#chunk ??= await this.#read();
      if (this.#chunk.length > 0) return this.#chunk[0];
      if (this.#next === undefined) this.#done = true;
      else this.#advance(this.#next);
    }
    return undefined;
  }

  #isEnough(): boolean {
    const { maxReads, until } = this.#options;
    return this.#reads >= maxReads || (until !== undefined && performance.now() > until);
  }

  take(): void {
    const resource = this.#chunk?.shift();
    if (resource === undefined) return;
    this.#given.push(String(resource.id));
    if (this.#chunk?.length !== 0) return;
    if (this.#next === undefined) this.#done = true;
    else this.#advance(this.#next);
  }

  get progress(): Progress {
    if (this.#done) return { done: true };
    return {
      ...(this.#after ? { after: this.#after } : {}),
      ...(this.#given.length > 0 ? { given: this.#given } : {}),
    };
  }

  #advance(next: Position): void {
    this.#after = next;
    this.#given = [];
    this.#chunk = undefined;
  }

  async #read(): Promise<ScimResource[]> {
    const { resources, caller, type, selection, projection, chunk } = this.#options;
    this.#reads += 1;
    try {
      const page = await resources.search(caller, type, {
        ...selection,
        ...projection,
        count: chunk,
        paging: 'cursor',
        ...(this.#after ? { after: this.#after } : {}),
      });
      if (this.#after === undefined) {
        this.totalResults = page.totalResults ?? (page.next ? undefined : page.Resources.length);
      }
      this.#next = page.next;
      const given = new Set(this.#given);
      return page.Resources.filter((resource) => !given.has(String(resource.id)));
    } catch (error) {
      if (!(error instanceof ScimError && error.status === 400 && error.scimType !== 'tooMany')) throw error;
      this.refusal = error;
      this.totalResults = 0;
      this.#next = undefined;
      return [];
    }
  }
}

/** Parses the output of `progress`; only this service issues cursors. */
export const readProgress = (place: unknown): Progress =>
  isJsonObject(place as JsonObject) ? (place as Progress) : {};
