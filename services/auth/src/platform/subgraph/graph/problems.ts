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
import { OAuthError } from '../../protocol/domain/errors.ts';
import { NoSuchOwner } from '../../protocol/domain/no-such-owner.ts';
import { VersionChanged } from '../../protocol/domain/versions.ts';

const noSuchOwner =
  'The owner must be an active user whose role allows managing it, or a group with such a member.';

/** Client metadata (RFC 7591 section 2) that has another name in the graph. */
const graphNames: Readonly<Record<string, string>> = { client_name: 'name', scope: 'scopes' };

/** Returns the parameter that an error concerns. Descriptions that concern one begin with its name. */
function parameterOf({ code, description }: OAuthError): string | undefined {
  const named = /^[a-z][a-z0-9_]*(?= )/.exec(description)?.[0];
  if (named !== undefined) return graphNames[named] ?? named;
  if (code === 'invalid_scope') return 'scopes';
  return code === 'invalid_redirect_uri' ? 'redirectUris' : undefined;
}

export function authProblem(cause: unknown): Problem | undefined {
  if (cause instanceof OAuthError) return invalidInput(cause.description, parameterOf(cause));
  if (cause instanceof VersionChanged) return versionConflict(cause.currentVersion);
  if (cause instanceof NoSuchOwner) return notFoundProblem(noSuchOwner, 'ownerId');
  return cause instanceof KeyReused ? idempotencyKeyReused() : undefined;
}

/**
 * Returns mutations whose payloads report invalid input in `problems`, if the request selects that field. Otherwise it
 * is an error of the request, so that a failed change is not mistaken for a successful one. Missing authorization and
 * unavailability are always errors.
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
