import { definedOnly, type JsonObject, type SchemaRegistry, ScimError } from '@ostiary/scim';
import { ServiceUnavailable } from '@ostiary/service';
import type { ResourceType } from './stored-schema.ts';

/** The schemas of one tenant at one version, which a request uses from its beginning to its end. */
export interface SchemaVersion {
  readonly registry: SchemaRegistry;
  readonly version: number;
}

/**
 * The schemas that one operation uses. They stay the same until the database rejects a write as outdated; then the
 * operation is repeated with the current ones.
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
   * Runs work, and repeats it when the schemas have changed concurrently: either the database rejected a write under
   * them, or they rejected a request that may be valid under newer ones.
   * @throws ServiceUnavailable when they change continually
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
        if (attempt === maxAttempts) {
          throw new ServiceUnavailable('schemas', { cause: `changed since version ${version}` });
        }
      }
    }
  }

  /**
   * For work that writes nothing, which the database cannot reject: a change without an effect under these schemas
   * may have one under the current ones.
   * @throws the error after which `during` repeats the work
   */
  async mustBeCurrent(): Promise<void> {
    if (await this.#areOlder()) throw new OutdatedSchemas();
  }

  /** The same check inside a transaction, which has read the current version. */
  mustBe(version: number): void {
    if (version !== this.version) throw new OutdatedSchemas();
  }

  /** Returns a resource's data without attributes that are no longer defined, which must not be written again. */
  defined(data: JsonObject, type: ResourceType): JsonObject {
    return definedOnly(data, this.registry, type);
  }

  async #areOlder(): Promise<boolean> {
    const { version } = this;
    this.#current = await this.#latest();
    return this.version !== version;
  }
}

/** The schemas of a write or a comparison are outdated. */
export class OutdatedSchemas extends Error {
  constructor(options?: ErrorOptions) {
    super('The schemas were changed concurrently. Try again.', options);
  }
}

const maxAttempts = 5;
