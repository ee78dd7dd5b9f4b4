import {
  type AuthorizationRequest,
  type IdTokenHint,
  type ReturnAddress,
  releasedClaims,
} from '../../access/index.ts';
import { isFapi2, maxCodeSeconds } from '../../clients/index.ts';
import type {
  AuthorizationSteps,
  Granting,
  Progress,
  Step,
} from '../../identity/sign-in/http/authorization-flow.ts';
import { isAbout } from '../../identity/sign-in/http/flow.ts';
import { OAuthError } from '../../platform/index.ts';
import { type AuthorizationAnswer, PageError } from '../../platform/pages/http/page.ts';
import { nextStep } from '../domain/authorization.ts';
import { namedAcr, requestedAuthentication } from '../domain/requested-authentication.ts';
import { answerTo } from './authorization-answer.ts';
import type { AuthorizationFlowDependencies } from './dependencies.ts';
import { allowDevice } from './device-answer.ts';

/** Determines the next step of an authorization request and the responses that end it. */
export class AuthorizationFlow implements AuthorizationSteps {
  readonly #o: AuthorizationFlowDependencies;

  constructor(dependencies: AuthorizationFlowDependencies) {
    this.#o = dependencies;
  }

  /** Returns the next step of the request. @throws OAuthError */
  async next(progress: Progress): Promise<Step> {
    const { tenants, clock, subjects, secondFactors, consents } = this.#o;
    const isExpected = await this.#expectation(progress);
    const policy = (await tenants.find(progress.tenant))?.policy;
    return nextStep({ ...progress, isExpected, policy, now: clock() }, { subjects, secondFactors, consents });
  }

  /**
   * Returns the response with a code. @throws ServiceUnavailable; PageError if its pushed request has already led to
   * a code
   */
  async grant(granting: Granting): Promise<AuthorizationAnswer> {
    const { tenant, client, request, session, subject } = granting;
    if (request.device) {
      return allowDevice(this.#o.deviceCodes, { ...granting, device: request.device });
    }
    if (request.pushed !== undefined && !(await this.#o.pushedRequests.use(request.pushed))) {
      throw new PageError('expired', 400);
    }
    const scopes = granting.scopes.filter((scope) => request.scopes.includes(scope));
    const claims = releasedClaims(request.claims, granting.scopes);
    const acr = namedAcr(session.acr, requestedAuthentication(request));
    const authorized = {
      tenant,
      clientId: request.clientId,
      clientEpoch: client.epoch,
      redirectUri: request.redirectUri,
      redirectUriSent: request.redirectUriSent,
      codeChallenge: request.codeChallenge,
      subjectId: subject.id,
      // The epoch that was read with the session: if the user is offboarded in the meantime, the code is invalid from
      // its issue.
      subjectEpoch: session.subjectEpoch,
      // Read before the consent: if the consent is withdrawn in the meantime, the code is invalid from its issue.
      withdrawals: subject.withdrawals[request.clientId] ?? 0,
      sessionId: session.id,
      scopes,
      resources: request.resources,
      authTime: Math.floor(session.authTime.getTime() / 1000),
      amr: session.amr,
      ...(acr === null ? {} : { acr }),
      ...(claims === undefined ? {} : { claims }),
      ...(request.nonce === undefined ? {} : { nonce: request.nonce }),
      ...(request.dpopJkt === undefined ? {} : { dpopJkt: request.dpopJkt }),
    };
    const longest = isFapi2(client) ? maxCodeSeconds : undefined;
    const code = await this.#o.authorizationCodes.issue(authorized, longest);
    return answerTo(request, { code, state: request.state, iss: this.#o.issuer(tenant) });
  }

  /** Returns the error response to the client (RFC 6749 §4.1.2.1), with the issuer (RFC 9207). */
  refusal(tenant: string, address: ReturnAddress, error: OAuthError): AuthorizationAnswer {
    return answerTo(address, {
      error: error.code,
      error_description: error.description,
      state: address.state,
      iss: this.#o.issuer(tenant),
    });
  }

  /** Returns the response after the user denies the request (RFC 6749 §4.1.2.1 access_denied). */
  async deny(
    tenant: string,
    request: AuthorizationRequest,
    description: string,
  ): Promise<AuthorizationAnswer> {
    if (request.device) await this.#o.deviceCodes.deny(tenant, request.device);
    return this.refusal(tenant, request, new OAuthError('access_denied', description));
  }

  /**
   * Returns a predicate for the users that the request permits: all, unless a hint or the claims parameter names one.
   */
  async #expectation({ tenant, client, request }: Progress): Promise<(subjectId: string) => boolean> {
    const { clients, subjectIdentifier } = this.#o;
    const { idTokenHint, claims } = request;
    const hint = idTokenHint === undefined ? undefined : await this.#readHint(tenant, idTokenHint);
    const hinted = hint && (await clients.find(tenant, hint.clientId));
    return (subjectId) =>
      (!hint || isAbout(subjectIdentifier, hint, hinted, subjectId)) &&
      (claims?.subjects?.includes(subjectIdentifier(client, subjectId)) ?? true);
  }

  async #readHint(tenant: string, idToken: string): Promise<IdTokenHint> {
    const hint = await this.#o.idTokens.readHint(tenant, idToken);
    if (!hint) throw new OAuthError('invalid_request', 'id_token_hint is not an ID token of this issuer.');
    return hint;
  }
}
