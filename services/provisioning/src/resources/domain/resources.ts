import { AccessError } from '@ostiary/access';
import {
  isJsonObject,
  type JsonObject,
  readPatchMessage,
  type SchemaRegistry,
  ScimError,
  type SentOperation,
} from '@ostiary/scim';
import { isUnavailable, isUuid, uuidv7 } from '@ostiary/service';
import type { Caller } from '../../access/index.ts';
import {
  normaliseOperations,
  normaliseResource,
  type Operation,
  type Quirks,
} from '../../compatibility/index.ts';
import type { Projection, ResourceType, ScimResource } from '../../protocol/index.ts';
import type { Administrators } from './administrators.ts';
import type { Credentials } from './credentials.ts';
import { deactivates, isDeactivated } from './deactivation.ts';
import type { Directory, Page, Query } from './directory.ts';
import { takePassword, takePasswordFromOperations } from './password.ts';
import { mayWritePassword, readerOf, requireType, roleScopesOf, writerOf } from './rules.ts';

/** Maximum number of operations in one PATCH. */
const maxPatchOperations = 1000;

export interface ChangeOptions {
  ifMatch: readonly string[] | undefined;
  projection: Projection;
  /** @see Change */
  onTakenEffect?: (() => void) | undefined;
}

export interface ResourcesOptions {
  directory: Directory;
  credentials: Credentials;
  administrators: Administrators;
  /**
   * Checks that the caller may set a password, which permits a sign-in as that user: a user needs the same recent
   * sign-in as for assigning a role. @throws AccessError insufficient_user_authentication
   */
  maySetPasswords: (caller: Caller) => Promise<void>;
  /** Called when a staged password could not be activated immediately; the event of the change will do it. */
  onActivationFailure?: (error: unknown) => void;
}

/**
 * The operations of SCIM clients on Users and Groups. A payload is normalised, the password is sent to the
 * authorization server and the rest to the directory, in one round trip each.
 */
export class Resources {
  readonly #options: ResourcesOptions;

  constructor(options: ResourcesOptions) {
    this.#options = options;
  }

  /** RFC 7644 §3.3. An `id` in the body is ignored: ids are created here, or by a Bulk. */
  async create(
    caller: Caller,
    type: ResourceType,
    body: unknown,
    projection: Projection,
    id: string = uuidv7(),
  ): Promise<ScimResource> {
    requireType(caller, type);
    const { rest, password } = this.#readResource(caller, type, body);
    const authority = await writerOf(caller, this.#options.administrators);
    return this.#withPassword({ caller, id, password, names: namesIn(rest) }, (ticket) =>
      this.#options.directory.create({
        ...authority,
        type,
        id,
        resource: rest,
        ...projection,
        ...ticket,
      }),
    );
  }

  /** RFC 7644 §3.4.1. */
  async read(caller: Caller, type: ResourceType, id: string, projection: Projection): Promise<ScimResource> {
    requireType(caller, type);
    requireId(type, id);
    return this.#options.directory.read({ ...readerOf(caller), type, id, ...projection });
  }

  /** RFC 7644 §3.4.2. */
  async search(caller: Caller, type: ResourceType, query: Query): Promise<Page> {
    requireType(caller, type);
    return this.#options.directory.search({ ...readerOf(caller), type, ...query });
  }

  /** RFC 7644 §3.5.1. */
  async replace(
    caller: Caller,
    type: ResourceType,
    id: string,
    body: unknown,
    options: ChangeOptions,
  ): Promise<ScimResource> {
    requireType(caller, type);
    requireId(type, id);
    const { rest, password } = this.#readResource(caller, type, body);
    const endsAccess = isDeactivated(type, rest);
    const authority = await writerOf(caller, this.#options.administrators, endsAccess);
    return this.#withPassword({ caller, id, password, names: namesIn(rest), endsAccess }, (ticket) =>
      this.#options.directory.replace({
        ...authority,
        type,
        id,
        resource: rest,
        ...(options.ifMatch ? { ifMatch: options.ifMatch } : {}),
        onTakenEffect: options.onTakenEffect,
        ...options.projection,
        ...ticket,
      }),
    );
  }

  /** RFC 7644 §3.5.2. */
  async patch(
    caller: Caller,
    type: ResourceType,
    id: string,
    body: unknown,
    options: ChangeOptions,
  ): Promise<ScimResource> {
    requireType(caller, type);
    requireId(type, id);
    const operations = normaliseOperations(operationsIn(body, caller.quirks), caller.quirks);
    const { rest, password } =
      type === 'User' ? takePasswordFromOperations(operations) : { rest: operations, password: undefined };
    if (password !== undefined && !mayWritePassword(caller)) {
      throw ScimError.mutability('password is not writable by this client.');
    }
    const endsAccess = deactivates(type, rest);
    const authority = await writerOf(caller, this.#options.administrators, endsAccess);
    return this.#withPassword({ caller, id, password, endsAccess }, (ticket) =>
      this.#options.directory.patch({
        ...authority,
        type,
        id,
        operations: rest.length > 0 ? rest : [nothingToDo],
        ...(options.ifMatch ? { ifMatch: options.ifMatch } : {}),
        onTakenEffect: options.onTakenEffect,
        ...options.projection,
        ...ticket,
      }),
    );
  }

  /** RFC 7644 §3.6. */
  async remove(
    caller: Caller,
    type: ResourceType,
    id: string,
    { ifMatch, onTakenEffect }: Omit<ChangeOptions, 'projection'>,
  ): Promise<void> {
    requireType(caller, type);
    requireId(type, id);
    await this.#options.directory.remove({
      ...(await writerOf(caller, this.#options.administrators, type === 'User')),
      type,
      id,
      ...(ifMatch ? { ifMatch } : {}),
      onTakenEffect,
    });
  }

  /** Returns the schemas of the tenant's resources. */
  schemas(tenant: string): Promise<SchemaRegistry> {
    return this.#options.directory.schemas(tenant);
  }

  #readResource(caller: Caller, type: ResourceType, body: unknown) {
    if (!isJsonObject(body)) throw ScimError.invalidSyntax(`The body must be a ${type} resource.`);
    const resource = normaliseResource(body, type, caller.quirks);
    if (type !== 'User') return { rest: resource, password: undefined };
    const { rest, password } = takePassword(resource);
    return { rest, password: mayWritePassword(caller) ? password : undefined };
  }

  /**
   * Reports whether a change ends a user's access: then it is attempted after others failed. Errors in the body are
   * reported when it is applied.
   */
  endsAccess(caller: Caller, { method, type, data = {} }: Change): boolean {
    if (type !== 'User' || method === 'POST') return false;
    if (method === 'DELETE') return true;
    if (method === 'PUT') return isDeactivated(type, normaliseResource(data, type, caller.quirks));
    try {
      return deactivates(type, normaliseOperations(operationsIn(data, caller.quirks), caller.quirks));
    } catch (error) {
      if (error instanceof ScimError) return false;
      throw error;
    }
  }

  /**
   * Stages the password before anything is written, so that a change is either complete or rejected, and activates it
   * right after the commit, so that the user can sign in immediately.
   */
  async #withPassword(
    given: GivenPassword,
    change: (ticket: { credentialTicket?: string }) => Promise<ScimResource>,
  ): Promise<ScimResource> {
    const { caller } = given;
    const credentialTicket = await this.#staged(given);
    if (credentialTicket === undefined) return change({});
    const { credentials, onActivationFailure } = this.#options;
    const resource = await change({ credentialTicket });
    try {
      await credentials.activate(caller.tenant, credentialTicket, caller.actor);
    } catch (error) {
      onActivationFailure?.(error);
    }
    return resource;
  }

  /**
   * Returns the ticket of a password; undefined without one, or when the user's access ends and it could not be
   * staged.
   */
  async #staged({
    caller,
    id,
    password,
    names = [],
    endsAccess,
  }: GivenPassword): Promise<string | undefined> {
    if (password === undefined) return undefined;
    const { credentials, maySetPasswords } = this.#options;
    try {
      await maySetPasswords(caller);
      return await credentials.stage(caller.tenant, id, password, roleScopesOf(caller), names);
    } catch (error) {
      const isRefused = error instanceof AccessError || (error instanceof ScimError && error.status === 403);
      const isLeft = isUnavailable(error) || isRefused;
      // A user's access ends even when the authorization server is unavailable or rejects the password.
      if (endsAccess && isLeft) return undefined;
      throw error;
    }
  }
}

/** A password in a change of a user. */
interface GivenPassword {
  caller: Caller;
  id: string;
  password: string | undefined;
  /** The new names of the user. */
  names?: readonly string[];
  endsAccess?: boolean;
}

/** An operation of a Bulk. */
interface Change {
  method: string;
  type: ResourceType;
  data?: JsonObject;
}

/** Replaces operations without remaining content for the directory; a PATCH needs at least one. */
const nothingToDo: Operation = { op: 'add', value: {} };

/** Accepts only the canonical form of an id, so that a foreign identifier never resolves to a resource. */
function requireId(type: ResourceType, id: string): void {
  // The directory's own message for an unknown id.
  if (!isUuid(id)) throw ScimError.notFound(`There is no such ${type}.`);
}

const operationsIn = (body: unknown, { anyCaseOperations }: Quirks): SentOperation[] =>
  readPatchMessage(body, {
    maxOperations: maxPatchOperations,
    anyCaseOperations,
    emptyPathIsAbsent: true,
  });

/** Returns the user's new names, which the password must not contain. */
function namesIn({ userName, displayName, emails }: Readonly<Record<string, unknown>>): string[] {
  const addresses = Array.isArray(emails)
    ? emails.map((email: { value?: unknown } | null) => email?.value)
    : [];
  return [userName, displayName, ...addresses].filter((name): name is string => typeof name === 'string');
}
