import { definedOnly, type Hide, type SchemaRegistry, ScimError, withoutSecrets } from '@ostiary/scim';
import { ServiceUnavailable } from '@ostiary/service';
import type { Changes } from '../../audit/data/audit-log.ts';
import type { Attributes, ResourceType, StoredResource } from '../../resources/data/rows.ts';
import { changesBetween } from '../../resources/domain/changes.ts';

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
   * Runs work, and runs it again when the schemas have changed meanwhile: whether the database refused what was written by
   * them, or they themselves what was asked, as somebody may be refused only for knowing newer ones.
   * @throws ServiceUnavailable when they change all the time
   */
  async during<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        const { version } = this;
        if (isOutdated(error)) this.#current = await this.#latest();
        else if (!(error instanceof ScimError) || error.status !== 400 || !(await this.#areOlder()))
          throw error;
        if (attempt === mostAttempts) {
          throw new ServiceUnavailable('schemas', { cause: `changed since version ${version}` });
        }
      }
    }
  }

  /**
   * For work that writes nothing, so that the database has nothing to refuse: what says nothing by these schemas may say
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
  defined(data: Attributes, type: ResourceType): Attributes {
    return definedOnly(data, this.registry, type);
  }

  async #areOlder(): Promise<boolean> {
    const { version } = this;
    this.#current = await this.#latest();
    return this.version !== version;
  }
}

class OutdatedSchemas extends Error {
  readonly code = outdated;
}

const mostAttempts = 5;

/** SQLSTATE that the triggers on users and groups raise. */
const outdated = 'OS001';

const isOutdated = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && (error as { code?: unknown }).code === outdated;

/** What changed, for the audit log: of values that are never returned it only says that they did. */
export function shownChanges(
  before: StoredResource | undefined,
  after: StoredResource | undefined,
  registry: SchemaRegistry,
  type: ResourceType,
): Changes {
  const had = new Map<string, Set<string>>();
  const remember: Hide = (value, path) => {
    had.set(path, (had.get(path) ?? new Set()).add(JSON.stringify(value)));
    return '(never returned)';
  };
  const compare: Hide = (value, path) =>
    had.get(path)?.has(JSON.stringify(value)) ? '(never returned)' : '(never returned, changed)';
  const shown = (stored: StoredResource | undefined, hide: Hide): StoredResource | undefined =>
    stored && { ...stored, data: withoutSecrets(stored.data, registry, type, hide) };
  return changesBetween(shown(before, remember), shown(after, compare));
}
