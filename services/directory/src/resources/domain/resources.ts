import type { TenantPolicySettings } from '@ostiary/events';
import {
  checkShownTexts,
  foldResource,
  Projection,
  type SchemaRegistry,
  ScimError,
  uniqueKeys,
} from '@ostiary/scim';
import { isUuid } from '@ostiary/service';
import type { Changes } from '../../audit/index.ts';
import type { ResourceType, SchemasInUse } from '../../schemas/index.ts';
import { shownChanges } from './changes.ts';
import type {
  ChangeResource,
  CreateResource,
  Origin,
  PatchResource,
  ReplaceResource,
  SearchResources,
  View,
} from './commands.ts';
import type {
  KeysetPage,
  Placed,
  ReferenceStore,
  ResourceReader,
  ResourceSearch,
  ResourcesStore,
  Searched,
} from './ports.ts';
import { mustReferToExisting } from './references.ts';
import { represent } from './representation.ts';
import type { Attributes, Derived, StoredResource } from './stored-resource.ts';

export interface ResourcesOptions<Store extends ResourcesStore = ResourcesStore> {
  store: Store;
  search: ResourceSearch;
  schemas: SchemasInUse;
  clock: () => number;
  /** The installation's settings for tenants that have set none. */
  policyDefaults: TenantPolicySettings;
}

/** The resources of one type in one tenant: the operations that users and groups have in common. */
export abstract class Resources<Store extends ResourcesStore = ResourcesStore> {
  readonly type: ResourceType;
  protected readonly store: Store;
  readonly #search: ResourceSearch;
  protected readonly schemas: SchemasInUse;
  protected readonly clock: () => number;

  constructor(type: ResourceType, options: ResourcesOptions<Store>) {
    this.type = type;
    this.store = options.store;
    this.#search = options.search;
    this.schemas = options.schemas;
    this.clock = options.clock;
  }

  protected get registry(): SchemaRegistry {
    return this.schemas.registry;
  }

  /** Returns the schemas with the restrictions on the caller of a change. */
  protected registryFor({ ownClient, writable }: Origin): SchemaRegistry {
    if (ownClient) return this.registry.forOwner();
    return writable ? this.registry.restrictedTo(writable) : this.registry;
  }

  protected get table(): ResourceReader {
    return this.type === 'User' ? this.store.users : this.store.groups;
  }

  /** @throws ScimError invalidValue, uniqueness */
  abstract create(command: CreateResource): Promise<StoredResource>;

  /** PUT: clears omitted attributes, ignores read-only ones. @throws ScimError 404, 412, 400, 409 */
  abstract replace(command: ReplaceResource): Promise<StoredResource>;

  /** PATCH: all operations or none. @throws ScimError 404, 412, 400, 409 */
  abstract patch(command: PatchResource): Promise<StoredResource>;

  /** @throws ScimError 404, 412 */
  abstract remove(command: ChangeResource): Promise<void>;

  /**
   * Adds attributes that are computed from other rows, in a constant number of statements.
   * @throws TooMuchToShow when there are more than `most`
   */
  protected abstract complete(resources: Attributes[], projection: Projection, most?: number): Promise<void>;

  /** @throws ScimError 404, also for an id of another tenant and for a text that is no id */
  async read(id: string): Promise<StoredResource> {
    const stored = isUuid(id) ? await this.table.find(id) : undefined;
    if (!stored) throw this.notFound();
    return stored;
  }

  /** Returns the existing resources of these ids, in no particular order. */
  readMany(ids: readonly string[]): Promise<StoredResource[]> {
    const possible = ids.filter(isUuid);
    return possible.length === 0 ? Promise.resolve([]) : this.table.findMany(possible);
  }

  /** Returns the resource as SCIM JSON. */
  async present(stored: StoredResource, view: View): Promise<Attributes> {
    const [presented] = await this.presentAll([stored], view);
    return presented as Attributes;
  }

  /** Returns a new resource as SCIM JSON. Some computed attributes need no query. */
  presentNew(created: StoredResource, view: View): Promise<Attributes> {
    return this.present(created, view);
  }

  /** Returns the resource with this id as SCIM JSON. @throws ScimError 404 */
  async show(id: string, view: View): Promise<Attributes> {
    return this.present(await this.read(id), view);
  }

  /** @throws TooMuchToShow when the resources have more than `most` members or groups */
  async presentAll(stored: readonly StoredResource[], view: View, most?: number): Promise<Attributes[]> {
    const projection = new Projection(view, this.registry, this.type);
    const resources = stored.map((resource) => represent(resource, this.type, view.source));
    await this.complete(resources, projection, most);
    return resources.map((resource) => projection.apply(resource));
  }

  /** Returns the number of resources, from the first, that fit on one page. */
  protected async room(stored: readonly StoredResource[], _most: number): Promise<number> {
    return Math.ceil(stored.length / 2);
  }

  /** Executes a query (RFC 7644 §3.4.2). @throws ScimError invalidFilter, invalidPath, invalidValue, tooMany */
  search(query: SearchResources): Promise<object> {
    return this.schemas.during(() => this.#search.search(this.#searched(), query));
  }

  /** @throws ScimError invalidFilter, tooMany */
  page(page: KeysetPage): Promise<Placed[]> {
    return this.schemas.during(() => this.#search.page(this.#searched(), page));
  }

  /** Counts the matching resources. @throws ScimError invalidFilter, tooMany */
  count(filter?: string): Promise<number> {
    return this.schemas.during(() => this.#search.count(this.#searched(), filter));
  }

  #searched(): Searched {
    return {
      type: this.type,
      registry: this.registry,
      present: (stored, query, most) => this.presentAll(stored, query, most),
      room: (stored, most) => this.room(stored, most),
    };
  }

  /** Returns a resource to be written again, without attributes that are no longer defined. */
  protected defined(stored: StoredResource): StoredResource {
    const data = this.schemas.defined(stored.data, this.type);
    return data === stored.data ? stored : { ...stored, data };
  }

  /** Returns the columns that are stored beside the data. */
  protected derived({ data }: StoredResource): Derived {
    return {
      folded: foldResource(data, this.registry, this.type),
      schemasVersion: this.schemas.version,
      uniqueKeys: uniqueKeys(data, this.registry, this.type),
    };
  }

  /** @throws ScimError invalidValue for a name or an identifier with misleading characters */
  protected checkShown(before: Attributes | undefined, after: Attributes): void {
    checkShownTexts(after, before, this.registry, this.type);
  }

  protected checkReferences(
    { memberships }: { memberships: ReferenceStore },
    before: Attributes | undefined,
    after: Attributes,
  ): Promise<void> {
    return mustReferToExisting(memberships, { before, after }, this.registry, this.type);
  }

  /** Returns the changes for the audit log. */
  protected changes(before: StoredResource | undefined, after: StoredResource | undefined): Changes {
    return shownChanges(before, after, this.registry, this.type);
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
