import { definedOnly, type JsonObject, type SchemaRegistry, ScimError } from '@ostiary/scim';
import { ServiceUnavailable } from '@ostiary/service';
import type { ResourceType } from './stored-schema.ts';

/** The schemas of one tenant as of one version, which is what a request works with from its beginning to its end. */
export interface SchemaVersion {
  readonly registry: SchemaRegistry;
  readonly version: number;
}

/**
 * The schemas that one piece of work uses. They stay the same until the work finds that they no longer hold, which the
 * database tells it when it writes; then it begins again with the current ones.
 */
export class SchemasInUse {
  #current: SchemaVersion;
  readonly #latest: () => Promise<SchemaVersion>;

  /** @param latest reads the current version from the database */
  constructor(current: SchemaVersion, latest: () => Promise<SchemaVersion>) {
    this.#current = current;
    this.#latest = latest;
  }

  get registry(): SchemaRegistry {
    return this.#current.registry;
  }

  get version(): number {
    return this.#current.version;
  }

  /**
   * Runs work, and runs it again when the schemas have changed meanwhile: whether the database rejected what was written by
   * them, or they themselves what was asked, as a caller may be rejected only for knowing newer ones.
   * @throws ServiceUnavailable when they change all the time
   */
  async during<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        const { version } = this;
        if (error instanceof OutdatedSchemas) this.#current = await this.#latest();
        else if (!(error instanceof ScimError) || error.status !== 400 || !(await this.#areOlder()))
          throw error;
        if (attempt === mostAttempts) {
          throw new ServiceUnavailable('schemas', { cause: `changed since version ${version}` });
        }
      }
    }
  }

  /**
   * For work that writes nothing, so that the database has nothing to reject: what says nothing by these schemas may say
   * something by those of now.
   * @throws what `during` begins again for
   */
  async mustBeCurrent(): Promise<void> {
    if (await this.#areOlder()) throw new OutdatedSchemas();
  }

  /** The same inside a transaction, which has read the current version. */
  mustBe(version: number): void {
    if (version !== this.version) throw new OutdatedSchemas();
  }

  /** A resource's data without what isn't defined any more, which waits to be taken out and must not be written again. */
  defined(data: JsonObject, type: ResourceType): JsonObject {
    return definedOnly(data, this.registry, type);
  }

  async #areOlder(): Promise<boolean> {
    const { version } = this;
    this.#current = await this.#latest();
    return this.version !== version;
  }
}

/** What was written, or compared, went by schemas that no longer hold. */
export class OutdatedSchemas extends Error {
  constructor(options?: ErrorOptions) {
    super('The schemas have changed meanwhile.', options);
  }
}

const mostAttempts = 5;
