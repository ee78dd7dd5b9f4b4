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
  CreateResource,
  Origin,
  PatchResource,
  RemoveResource,
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
  /** The installation's settings where a tenant has set nothing. */
  policyDefaults: TenantPolicySettings;
}

/** The resources of one type in one tenant: what can be done is the same for users and groups, how differs. */
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

  /** The schemas as the caller of a change is bound by them. */
  protected registryFor({ keeper, writable }: Origin): SchemaRegistry {
    if (keeper) return this.registry.forKeeper();
    return writable ? this.registry.restrictedTo(writable) : this.registry;
  }

  protected get table(): ResourceReader {
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

  /**
   * Adds what is computed from other rows, in a number of statements that doesn't depend on how many resources.
   * @throws TooMuchToShow when that is more than `most`
   */
  protected abstract complete(resources: Attributes[], projection: Projection, most?: number): Promise<void>;

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

  /** The resource that was just created: about it there is less to find out. */
  presentNew(created: StoredResource, view: View): Promise<Attributes> {
    return this.present(created, view);
  }

  /** The resource with this id as SCIM JSON. @throws ScimError 404 */
  async show(id: string, view: View): Promise<Attributes> {
    return this.present(await this.read(id), view);
  }

  /** @throws TooMuchToShow when more than `most` members or groups belong to them */
  async presentAll(stored: readonly StoredResource[], view: View, most?: number): Promise<Attributes[]> {
    const projection = new Projection(view, this.registry, this.type);
    const resources = stored.map((resource) => represent(resource, this.type, view.source));
    await this.complete(resources, projection, most);
    return resources.map((resource) => projection.apply(resource));
  }

  /** How many of these, the first ones, may be shown on one page, of which too much belongs to all of them. */
  protected async room(stored: readonly StoredResource[], _most: number): Promise<number> {
    return Math.ceil(stored.length / 2);
  }

  /** A query (RFC 7644 section 3.4.2). @throws ScimError invalidFilter, invalidPath, invalidValue, tooMany */
  search(query: SearchResources): Promise<object> {
    return this.schemas.during(() => this.#search.search(this.#searched(), query));
  }

  /** @throws ScimError invalidFilter, tooMany */
  page(page: KeysetPage): Promise<Placed[]> {
    return this.schemas.during(() => this.#search.page(this.#searched(), page));
  }

  /** How many match. @throws ScimError invalidFilter, tooMany */
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

  /** A resource that is read to be written again, without what isn't defined any more. */
  protected defined(stored: StoredResource): StoredResource {
    const data = this.schemas.defined(stored.data, this.type);
    return data === stored.data ? stored : { ...stored, data };
  }

  /** What is kept beside the data. */
  protected derived({ data }: StoredResource): Derived {
    return {
      folded: foldResource(data, this.registry, this.type),
      schemasVersion: this.schemas.version,
      uniqueKeys: uniqueKeys(data, this.registry, this.type),
    };
  }

  /** @throws ScimError invalidValue for a name or an identifier that users wouldn't see for what it is */
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

  /** What changed, for the audit log. */
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
