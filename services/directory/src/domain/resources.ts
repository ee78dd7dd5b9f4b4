import {
  type BoundFilter,
  bindFilter,
  bindSortBy,
  foldResource,
  listResponse,
  Projection,
  parseFilter,
  type SchemaRegistry,
  ScimError,
} from '@ostiary/scim';
import { isUuid } from '@ostiary/service';
import type { ResourceTable } from '../data/resource-table.ts';
import type { Attributes, ResourceType, StoredResource } from '../data/rows.ts';
import type { PageQuery } from '../data/search.ts';
import type { TenantStore } from '../data/store.ts';
import {
  type CreateResource,
  directSource,
  type PatchResource,
  type RemoveResource,
  type ReplaceResource,
  type SearchResources,
  type View,
} from './commands.ts';
import { represent } from './representation.ts';

/** Page size of a search that doesn't ask for one, and the largest there is. */
const defaultCount = 100;
const largestCount = 1000;

export interface ResourcesOptions {
  store: TenantStore;
  registry: SchemaRegistry;
  clock: () => number;
}

/** A page of a tenant's resources in the order of their ids, which is the order of their creation. */
export interface KeysetPage {
  filter?: string | undefined;
  /** The id after which to go on. */
  after?: string | undefined;
  limit: number;
}

/** The resources of one type in one tenant: what can be done is the same for users and groups, how differs. */
export abstract class Resources {
  readonly type: ResourceType;
  protected readonly store: TenantStore;
  protected readonly registry: SchemaRegistry;
  protected readonly clock: () => number;

  constructor(type: ResourceType, options: ResourcesOptions) {
    this.type = type;
    this.store = options.store;
    this.registry = options.registry;
    this.clock = options.clock;
  }

  protected get table(): ResourceTable {
    return this.type === 'User' ? this.store.users : this.store.groups;
  }

  /** @throws ScimError invalidValue, uniqueness */
  abstract create(command: CreateResource): Promise<StoredResource>;

  /** PUT: what is left out is cleared, what the server keeps is ignored. @throws ScimError 404, 412, 400, 409 */
  abstract replace(command: ReplaceResource): Promise<StoredResource>;

  /** PATCH: all operations or none. @throws ScimError 404, 412, 400, 409 */
  abstract patch(command: PatchResource): Promise<StoredResource>;

  /** @throws ScimError 404, 412 */
  abstract remove(command: RemoveResource): Promise<void>;

  /** Adds what is computed from other rows, in a number of statements that doesn't depend on how many resources. */
  protected abstract complete(resources: Attributes[], projection: Projection): Promise<void>;

  /** @throws ScimError 404, also for another tenant's id and for what isn't an id at all */
  async read(id: string): Promise<StoredResource> {
    const stored = isUuid(id) ? await this.table.find(id) : undefined;
    if (!stored) throw this.notFound();
    return stored;
  }

  /** Those of the ids that exist, in no particular order. */
  readMany(ids: readonly string[]): Promise<StoredResource[]> {
    const possible = ids.filter(isUuid);
    return possible.length === 0 ? Promise.resolve([]) : this.table.findMany(possible);
  }

  /** The resource as SCIM JSON. */
  async present(stored: StoredResource, view: View): Promise<Attributes> {
    const [presented] = await this.presentAll([stored], view);
    return presented as Attributes;
  }

  async presentAll(stored: readonly StoredResource[], view: View): Promise<Attributes[]> {
    const projection = new Projection(view, this.registry, this.type);
    const resources = stored.map((resource) => represent(resource, this.type, view.source));
    await this.complete(resources, projection);
    return resources.map((resource) => projection.apply(resource));
  }

  /** A query (RFC 7644 section 3.4.2): one statement finds, counts and pages. @throws ScimError invalidFilter, invalidPath */
  async search(query: SearchResources): Promise<object> {
    const startIndex = Math.max(1, query.startIndex ?? 1);
    const count = Math.min(largestCount, Math.max(0, query.count ?? defaultCount));
    const found = await this.store.search.page(this.type, {
      filter: this.#bind(query.filter),
      sort: this.#sort(query),
      source: query.source ?? directSource,
      offset: startIndex - 1,
      limit: count,
    });
    return listResponse({
      totalResults: found.total,
      startIndex,
      resources: await this.presentAll(found.rows, query),
    });
  }

  /** @throws ScimError invalidFilter */
  page(page: KeysetPage): Promise<StoredResource[]> {
    return this.store.search.keyset(this.type, {
      filter: this.#bind(page.filter),
      source: directSource,
      after: page.after,
      limit: page.limit,
    });
  }

  /** How many match. @throws ScimError invalidFilter */
  count(filter?: string): Promise<number> {
    return this.store.search.count(this.type, { filter: this.#bind(filter), source: directSource });
  }

  #bind(filter: string | undefined): BoundFilter | undefined {
    return filter === undefined ? undefined : bindFilter(parseFilter(filter), this.registry, this.type);
  }

  #sort({ sortBy, sortOrder }: SearchResources): PageQuery['sort'] {
    if (sortBy === undefined) return undefined;
    return { by: bindSortBy(sortBy, this.registry, this.type), descending: sortOrder === 'descending' };
  }

  /** What filters compare with. */
  protected folded({ data }: StoredResource): Attributes {
    return foldResource(data, this.registry, this.type);
  }

  protected now(): Date {
    return new Date(this.clock());
  }

  protected notFound(): ScimError {
    return ScimError.notFound(`There is no such ${this.type}.`);
  }

  protected newId(given: string | undefined, fresh: () => string): string {
    if (given === undefined) return fresh();
    if (!isUuid(given)) throw ScimError.invalidValue('"id" must be a UUID.');
    return given;
  }
}
