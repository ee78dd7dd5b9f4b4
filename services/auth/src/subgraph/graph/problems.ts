import { KeyReused } from '@ostiary/database';
import {
  asksForProblems,
  idempotencyKeyReused,
  invalidInput,
  notFoundProblem,
  type Problem,
  payloadOf,
  type Resolver,
  type TypeResolvers,
  versionConflict,
} from '@ostiary/graph';
import { NoSuchOwner, OAuthError, VersionChanged } from '../../protocol/index.ts';

const noSuchOwner =
  'No user or group with this id can own it: it must be an active user whose role permits it, or a group with such a member.';

/** Metadata that the graph has under another name (RFC 7591, section 2). */
const graphNames: Readonly<Record<string, string>> = { client_name: 'name', scope: 'scopes' };

/** The parameter that an error is about: descriptions begin with its name where they are about one. */
function parameterOf({ code, description }: OAuthError): string | undefined {
  const named = /^[a-z][a-z0-9_]*(?= )/.exec(description)?.[0];
  if (named !== undefined) return graphNames[named] ?? named;
  if (code === 'invalid_scope') return 'scopes';
  return code === 'invalid_redirect_uri' ? 'redirectUris' : undefined;
}

/** Converts an error of the domain, which has OAuth's names for what a client registers, to a problem of the graph. */
export function authProblem(cause: unknown): Problem | undefined {
  if (cause instanceof OAuthError) return invalidInput(cause.description, parameterOf(cause));
  if (cause instanceof VersionChanged) return versionConflict(cause.currentVersion);
  if (cause instanceof NoSuchOwner) return notFoundProblem(noSuchOwner, 'ownerId');
  return cause instanceof KeyReused ? idempotencyKeyReused() : undefined;
}

/**
 * Mutations whose payloads tell what the caller got wrong in `problems`, if the caller asks for them there; otherwise it is
 * an error of the request, so that nobody takes a change for made that wasn't. Who may not ask at all, and what doesn't work
 * now, always is an error.
 */
export function withProblems<L>(mutations: TypeResolvers<L>): TypeResolvers<L> {
  return Object.fromEntries(
    Object.entries(mutations).map(([name, resolver]) => {
      const change = resolver as Resolver<L>;
      const guarded: Resolver<L> = async (parent, args, context, info) => {
        const made = async () => (await change(parent, args, context, info)) as object;
        return asksForProblems(info) ? payloadOf(made, authProblem) : { problems: [], ...(await made()) };
      };
      return [name, guarded];
    }),
  );
}
