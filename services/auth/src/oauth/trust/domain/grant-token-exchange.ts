import {
  type ActingParty,
  maxActorChainLength,
  maxAncestors,
  selfScopes,
  type TokenAncestor,
} from '@ostiary/access';
import {
  type Delegations,
  knownResource,
  ownScopesOf,
  parseScope,
  reachedTwoFactors,
  withoutRoleScopes,
} from '../../../access/index.ts';
import { type Client, type ExchangePolicy, exchangePolicyOf, isPairwise } from '../../../clients/index.ts';
import {
  invalidRequest,
  invalidTarget,
  type Parameters,
  requireScopesLeft,
  single,
  unauthorizedClient,
  withinScopes,
} from '../../../platform/index.ts';
import type { AccessTokens } from '../../domain/access-token.ts';
import { resourcesOf, targetOfToken } from '../../domain/access-tokens/target.ts';
import type { PresentedToken, PresentedTokens } from '../../domain/presented-token.ts';
import { type GrantHandler, required, type TokenRequest } from '../../domain/token-request.ts';
import { isActor, type PermittedDelegation, permitDelegation } from './permit-delegation.ts';

export const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';

export interface ExchangeDependencies {
  accessTokens: AccessTokens;
  presentedTokens: PresentedTokens;
  delegations: Pick<Delegations, 'open'>;
  /** Milliseconds. */
  clock: () => number;
}

/**
 * grant_type=token-exchange (RFC 8693): exchanges a live token of this tenant for one with at most its scopes, audience
 * and lifetime. By default, or with an actor token, the new token names the actor (`act`, with earlier actors nested).
 * A client whose policy allows it may impersonate instead. The new token contains its lineage and ends with each token
 * in it. The token of an agent also ends with its delegation.
 */
export const tokenExchangeGrant =
  (deps: ExchangeDependencies): GrantHandler =>
  async (request) => {
    const { tenant, client, parameters } = request;
    if (client.type !== 'confidential' || isPairwise(client)) {
      throw unauthorizedClient(
        'Token exchange requires a confidential client with public subject identifiers.',
      );
    }
    checkRequestedType(parameters);
    const subject = await presented(deps, request, 'subject_token');
    const actor = hasActor(parameters) ? await presented(deps, request, 'actor_token') : undefined;
    const policy = exchangePolicyOf(client);
    for (const token of actor ? [subject, actor] : [subject]) checkIssuedTo(token, client, policy);
    const permitted = permitDelegation(client, subject, actor);
    const actors = actorsOf(subject, actor, client, policy);
    const asked = { scopes: scopesOf(subject, request), resources: targetsOf(subject, request) };
    const ancestors = ancestorsOf(subject, actor, permitted);
    const { token, expiresIn, scopes } = await deps.accessTokens.issue(tenant, {
      client,
      ...asked,
      dpopJkt: request.dpopJkt,
      derivation: {
        subject: subject.subject,
        roles: subject.roles,
        origin: subject.origin,
        actors,
        ancestors: async () => {
          if (!permitted) return ancestors;
          const delegation = await openedDelegation(deps, request, permitted, asked);
          return [delegation, ...otherThan(delegation, ancestors)];
        },
        expiresAt: Math.min(
          subject.expiresAt,
          actor?.expiresAt ?? Number.POSITIVE_INFINITY,
          permitted ? Math.floor(deps.clock() / 1000) + permitted.maxLifetime : Number.POSITIVE_INFINITY,
        ),
      },
    });
    return {
      access_token: token,
      issued_token_type: accessTokenType,
      token_type: request.dpopJkt === undefined ? 'Bearer' : 'DPoP',
      expires_in: expiresIn,
      scope: scopes.join(' '),
    };
  };

function checkRequestedType(parameters: Parameters): void {
  const type = single(parameters, 'requested_token_type') ?? accessTokenType;
  if (type !== accessTokenType) throw invalidRequest(`requested_token_type must be ${accessTokenType}.`);
}

/** RFC 8693 §2.1: actor_token_type is required with actor_token and forbidden without it. */
function hasActor(parameters: Parameters): boolean {
  if (single(parameters, 'actor_token') !== undefined) return true;
  if (single(parameters, 'actor_token_type') === undefined) return false;
  throw invalidRequest('actor_token_type was sent without actor_token.');
}

/** §2.2.2: an invalid token is an invalid request. */
async function presented(
  deps: ExchangeDependencies,
  { tenant, parameters, dpopJkt }: TokenRequest,
  name: 'subject_token' | 'actor_token',
): Promise<PresentedToken> {
  const text = required(parameters, name);
  if (required(parameters, `${name}_type`) !== accessTokenType) {
    throw invalidRequest(`${name}_type must be ${accessTokenType}.`);
  }
  const token = await deps.presentedTokens.find(tenant, text);
  if (!token) throw invalidRequest(`${name} is expired, revoked, of another type or not of this tenant.`);
  // The exchange of a key-bound token requires proof of its key, like any other use.
  if (token.boundTo !== undefined && token.boundTo !== dpopJkt) {
    throw invalidRequest(`${name} is bound to a key; the request requires a DPoP proof of that key.`);
  }
  return token;
}

function checkIssuedTo(token: PresentedToken, client: Client, policy: ExchangePolicy): void {
  if (token.clientId === client.clientId || policy.subjectClients.includes(token.clientId)) return;
  throw invalidRequest('The client is not allowed to exchange tokens of the client of subject_token.');
}

/**
 * Returns the actors of the new token, the current one first.
 * @throws OAuthError when the actor is not allowed
 */
function actorsOf(
  subject: PresentedToken,
  actor: PresentedToken | undefined,
  client: Client,
  policy: ExchangePolicy,
): readonly ActingParty[] {
  if (actor && actor.actors.length > 0) {
    throw invalidRequest('actor_token must not be a delegated token.');
  }
  const self: ActingParty = { subject: client.clientId, clientId: client.clientId };
  const acting: ActingParty = actor ? { subject: actor.subject, clientId: actor.clientId } : self;
  const isMeant = subject.mayAct === undefined || subject.mayAct === acting.subject;
  // A client that narrows its own token adds no actor, except an agent that received it from the user itself.
  const narrowing =
    !actor && subject.clientId === client.clientId && (!policy.agent || isActor(subject.actors, client));
  if (!isMeant && !narrowing) {
    throw invalidRequest('subject_token permits only the party in its may_act claim to act for its subject.');
  }
  if (narrowing || (!actor && policy.impersonation)) return subject.actors;
  const actors = [acting, ...subject.actors];
  if (actors.length > maxActorChainLength)
    throw invalidRequest(`The chain of actors must have at most ${maxActorChainLength} entries.`);
  return actors;
}

/** Returns the scopes within those of the subject token and the client's registration; all of both by default. */
function scopesOf(subject: PresentedToken, { client, parameters, policy }: TokenRequest): string[] {
  const asked = single(parameters, 'scope');
  // An exchange issues no refresh token, so offline_access is excluded. Self-service scopes that a user gave to one app
  // are not passed to another.
  const registered = subject.ofUser ? client.scopes : ownScopesOf(client);
  const allowed = countingScopes(subject, policy).filter(
    (scope) => registered.includes(scope) && scope !== 'offline_access' && !Object.hasOwn(selfScopes, scope),
  );
  const scopes = withinScopes(
    asked === undefined ? allowed : parseScope(asked),
    (scope) => allowed.includes(scope),
    'exceeds the scopes of subject_token or of the client',
  );
  requireScopesLeft(scopes, subject.scopes, 'The client can receive none of the scopes of subject_token');
  return scopes;
}

/**
 * Omits role scopes when the tenant requires a second factor that the sign-in lacked: the subject token may be older
 * than the requirement. A personal access token was checked when it was read, and tokens exchanged from one live no
 * longer than an access token.
 */
function countingScopes(subject: PresentedToken, policy: TokenRequest['policy']): readonly string[] {
  const counts =
    !subject.ofUser ||
    policy?.requireSecondFactorForAdministrators === false ||
    reachedTwoFactors(subject.origin.acr) ||
    subject.lineage.some(({ apiToken }) => apiToken === 'personal');
  return counts ? subject.scopes : withoutRoleScopes(subject.scopes);
}

/** `audience` and `resource` can only narrow the audience of the subject token. */
function targetsOf(subject: PresentedToken, { issuer, client, parameters }: TokenRequest): string[] {
  const registered = resourcesOf(client, issuer);
  const allowed = subject.audience.filter((one) => knownResource(one, registered) !== undefined);
  const resources = parameters.get('resource') ?? [];
  const asked = [...new Set([...resources, ...(parameters.get('audience') ?? [])])];
  if (asked.length > 10) throw invalidTarget('A request can name at most 10 resources and audiences.');
  if (resources.some((resource) => !URL.canParse(resource) || resource.includes('#'))) {
    throw invalidTarget('A resource must be an absolute URI without a fragment.');
  }
  const known = asked.map((one) => {
    const target = knownResource(one, allowed);
    if (target !== undefined) return target;
    throw invalidTarget(
      'subject_token is not valid for this target, or the client is not registered for it.',
    );
  });
  const targets = known.length === 0 ? allowed : [...new Set(known)];
  if (targets.length === 0) throw invalidTarget('The client is registered for no audience of subject_token.');
  return targets;
}

/**
 * Returns the delegation as an ancestor of the token, so that its end revokes the token and those exchanged for it at
 * every verifier.
 */
async function openedDelegation(
  { delegations }: ExchangeDependencies,
  { tenant, client }: TokenRequest,
  { grantId, subjectId, subjectEpoch }: PermittedDelegation,
  asked: { scopes: readonly string[]; resources: readonly string[] },
): Promise<TokenAncestor> {
  const { clientId, epoch } = client;
  const { scopes, resources } = targetOfToken(client, asked);
  const id = await delegations.open({
    tenant,
    grantId,
    clientId,
    clientEpoch: epoch,
    subjectId,
    subjectEpoch,
    scopes,
    audiences: resources,
  });
  if (id === undefined) throw invalidRequest('The delegation of the user to this agent ended.');
  return { jti: id, subject: subjectId, subjectEpoch, clientId, clientEpoch: epoch, grantId: id };
}

/** An agent that narrows its own token has the delegation among the ancestors already. */
const otherThan = ({ jti }: TokenAncestor, ancestors: readonly TokenAncestor[]): TokenAncestor[] =>
  ancestors.filter((ancestor) => ancestor.jti !== jti);

function ancestorsOf(
  subject: PresentedToken,
  actor: PresentedToken | undefined,
  permitted: PermittedDelegation | undefined,
): TokenAncestor[] {
  const all = [...subject.lineage, ...(actor?.lineage ?? [])];
  const distinct = [...new Map(all.map((ancestor) => [ancestor.jti, ancestor])).values()];
  if (distinct.length + (permitted ? 1 : 0) > maxAncestors)
    throw invalidRequest(`A token can have at most ${maxAncestors} ancestors.`);
  return distinct;
}
