import type { Logger } from '@ostiary/service';
import { LRUCache } from 'lru-cache';
import type { AccessTokenClaims } from '../../../access/index.ts';
import {
  apisOf,
  attributesToRequest,
  type ClaimMapping,
  type ClaimProblem,
  type Client,
  type ClientApi,
  type ClientStore,
  type ClientWithApis,
  clientClaimsOf,
  compile,
  type Expression,
  evaluateMappings,
  isReservedClaim,
  type MappedClaims,
  type MappingHolder,
  type ReadAttributes,
} from '../../../clients/index.ts';
import { OAuthError } from '../../../platform/index.ts';
import type { ReadUser, UserValueSource } from './user-values.ts';

/** No token is issued, because a required claim has no value (RFC 6749 §5.2). */
export class RequiredClaimMissing extends OAuthError {
  constructor(holder: MappingHolder) {
    super('invalid_grant', `A claim that the ${holder === 'api' ? 'API' : 'client'} requires has no value.`);
  }
}

/** Client, API and user of a token. */
export interface MappingSubject {
  client: Pick<Client, 'tenant' | 'clientId' | 'name' | 'metadata'>;
  /** Absent for a client that acts for itself. */
  userId?: string | undefined;
  /** Attributes that were read before (`read`). */
  known?: ReadUser | undefined;
}

export interface ApiMappingSubject extends MappingSubject {
  api: Pick<ClientApi, 'id' | 'identifier' | 'claims'>;
  /** Names of the roles of the API that the token has. */
  roles: readonly string[];
}

export interface ClaimMapperOptions {
  values: UserValueSource;
  clients: Pick<ClientStore, 'find'>;
  log: Pick<Logger, 'warn'>;
}

const none: MappedClaims = { claims: {}, problems: [] };

/** Evaluates the claim mappings of APIs and clients. Without mappings nothing is read. */
export class ClaimMapper {
  readonly #o: ClaimMapperOptions;
  /** By kind of holder and text. */
  readonly #compiled = new LRUCache<string, Expression>({ maxSize: 5_000, sizeCalculation: () => 1 });

  constructor(o: ClaimMapperOptions) {
    this.#o = o;
  }

  /**
   * Returns the mapped claims of an access token for an API.
   * @throws RequiredClaimMissing; ServiceUnavailable if the directory is required and does not answer
   */
  async ofApi(subject: ApiMappingSubject): Promise<Record<string, unknown>> {
    return this.#usable('api', subject, await this.previewOfApi(subject), subject.api.id);
  }

  /**
   * Reads the attributes for the claims of the tokens of a user, so that an outage of the directory is noticed before a
   * code or refresh token is used. Undefined if the directory is not required.
   * @param holders those of the client and of the API whose claims the tokens have
   * @throws ServiceUnavailable
   */
  async read(
    tenant: string,
    userId: string,
    holders: { client?: MappingSubject['client'] | undefined; api?: Pick<ClientApi, 'claims'> | undefined },
  ): Promise<ReadUser | undefined> {
    const { client, api } = holders;
    const ofClient = client ? this.#readBy('client', clientClaimsOf(client)) : nothing;
    const ofApi = this.#readBy('api', api?.claims ?? []);
    return this.#o.values.read(tenant, userId, together([ofClient, ofApi]));
  }

  /** Reports whether tokens of users of a client may have claims with attributes that only the directory stores. */
  readsDirectory = (client: MappingSubject['client'] & ClientWithApis): boolean => {
    const read = [
      this.#readBy('client', clientClaimsOf(client)),
      ...apisOf(client).map(({ claims }) => this.#readBy('api', claims ?? [])),
    ];
    return attributesToRequest(together(read)).length > 0;
  };

  /** Reports whether the access tokens of an API require a claim. */
  requiresOf = ({ claims }: Pick<ClientApi, 'claims'>): boolean =>
    claims?.some(({ required }) => required) ?? false;

  /**
   * Returns the mapped claims of an ID token or userinfo response.
   * @throws as `ofApi`
   */
  async ofClient(subject: MappingSubject): Promise<Record<string, unknown>> {
    return this.#usable('client', subject, await this.previewOfClient(subject));
  }

  /** Returns the mapped claims of an API, and the mappings without a value. @throws ServiceUnavailable */
  async previewOfApi({ api, roles, ...subject }: ApiMappingSubject): Promise<MappedClaims> {
    const further = { roles: [...roles], api: { identifier: api.identifier } };
    return this.#evaluate('api', api.claims ?? [], subject, further);
  }

  /** Returns the mapped claims of a client, and the mappings without a value. @throws ServiceUnavailable */
  previewOfClient(subject: MappingSubject): Promise<MappedClaims> {
    return this.#evaluate('client', clientClaimsOf(subject.client), subject, {});
  }

  /**
   * Returns the mapped claims of an access token that is introspected: the current ones of an opaque token, and those
   * in a JWT.
   * @throws as `ofApi`
   */
  async ofToken(
    tenant: string,
    claims: AccessTokenClaims,
    { opaque, userId }: { opaque: boolean; userId: string | undefined },
  ): Promise<Record<string, unknown>> {
    if (!opaque) return Object.fromEntries(Object.entries(claims).filter(([name]) => !isReservedClaim(name)));
    const client = await this.#o.clients.find(tenant, claims.client_id);
    const api = client && apisOf(client).find(({ identifier }) => identifier === claims.aud);
    return api ? this.ofApi({ client, api, userId, roles: claims.roles ?? [] }) : {};
  }

  async #evaluate(
    holder: MappingHolder,
    mappings: readonly ClaimMapping[],
    { client, userId, known }: MappingSubject,
    further: Record<string, unknown>,
  ): Promise<MappedClaims> {
    if (mappings.length === 0) return none;
    const expressionOf = ({ expression }: ClaimMapping) => this.#compile(holder, expression);
    const read = this.#readBy(holder, mappings);
    const values = await this.#o.values.of(client.tenant, userId, read, known);
    const { tooManyGroups, ...variables } = values;
    return evaluateMappings(mappings, expressionOf, {
      tooManyGroups,
      variables: { ...variables, client: { id: client.clientId, name: client.name }, ...further },
    });
  }

  /** Returns the attributes that any of the mappings reads. */
  #readBy(holder: MappingHolder, mappings: readonly ClaimMapping[]): ReadAttributes {
    const all = mappings.flatMap(({ expression }) => {
      try {
        return [this.#compile(holder, expression).analysis];
      } catch {
        // Its evaluation gives the problem.
        return [];
      }
    });
    return together(all);
  }

  /** @throws RejectedExpression for an expression that an earlier release accepted */
  #compile(holder: MappingHolder, text: string): Expression {
    const key = `${holder}\0${text}`;
    const known = this.#compiled.get(key);
    if (known) return known;
    const compiled = compile(text, holder);
    this.#compiled.set(key, compiled);
    return compiled;
  }

  #usable(
    holder: MappingHolder,
    { client: { tenant, clientId } }: MappingSubject,
    { claims, problems }: MappedClaims,
    apiId?: string,
  ): Record<string, unknown> {
    for (const { name, failure } of problems.filter(isLogged)) {
      this.#o.log.warn(
        { event: 'claims.mapping_failed', tenant, clientId, apiId, claim: name, failure },
        'Claim mapping gave no claim',
      );
    }
    if (problems.some(({ required }) => required)) throw new RequiredClaimMissing(holder);
    return claims;
  }
}

/** An attribute that some users lack is no failure of an optional mapping. */
const isLogged = ({ required, failure }: ClaimProblem): boolean => required || failure !== 'no_value';

const nothing: ReadAttributes = { user: new Set(), extensions: new Set(), groups: false };

const together = (all: readonly ReadAttributes[]): ReadAttributes => ({
  user: new Set(all.flatMap(({ user }) => [...user])),
  extensions: new Set(all.flatMap(({ extensions }) => [...extensions])),
  groups: all.some(({ groups }) => groups),
});
