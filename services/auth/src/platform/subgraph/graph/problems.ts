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
import { type GraphQLResolveInfo, getNamedType, isInputObjectType } from 'graphql';
import { OAuthError } from '../../protocol/domain/errors.ts';
import { NoSuchOwner } from '../../protocol/domain/no-such-owner.ts';
import { VersionChanged } from '../../protocol/domain/versions.ts';

const noSuchOwner =
  'The owner must be an active user whose role allows managing it, or a group with such a member.';

/** Client metadata (RFC 7591 section 2) whose name in the graph is not only another spelling. */
const graphNames: Readonly<Record<string, string>> = { client_name: 'name', scope: 'scopes' };

const argumentNameOf = (parameter: string): string =>
  graphNames[parameter] ?? parameter.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Returns the argument that an error concerns. Descriptions that concern one begin with its name. */
function argumentOf({ code, description }: OAuthError, names: ReadonlySet<string>): string | undefined {
  const first = argumentNameOf(/^[a-z]\w*(?= )/.exec(description)?.[0] ?? '');
  if (names.has(first)) return first;
  const named = code === 'invalid_scope' ? 'scopes' : code === 'invalid_redirect_uri' ? 'redirectUris' : '';
  return names.has(named) ? named : undefined;
}

/** Returns the description with the names of client metadata replaced by those of the arguments. */
const withArgumentNames = (description: string, names: ReadonlySet<string>): string =>
  description.replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, (word) => {
    const name = argumentNameOf(word);
    return names.has(name) ? name : word;
  });

/** @param names of the fields of the mutation's input; a problem points at one of them */
export function authProblem(cause: unknown, names: ReadonlySet<string> = new Set()): Problem | undefined {
  if (cause instanceof OAuthError) {
    return invalidInput(withArgumentNames(cause.description, names), argumentOf(cause, names));
  }
  if (cause instanceof VersionChanged) return versionConflict(cause.currentVersion);
  if (cause instanceof NoSuchOwner) return notFoundProblem(noSuchOwner, 'ownerId');
  return cause instanceof KeyReused ? idempotencyKeyReused() : undefined;
}

function inputNamesOf({ parentType, fieldName }: GraphQLResolveInfo): ReadonlySet<string> {
  const input = parentType.getFields()[fieldName]?.args.find(({ name }) => name === 'input');
  const type = input && getNamedType(input.type);
  return new Set(isInputObjectType(type) ? Object.keys(type.getFields()) : []);
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
        if (!asksForProblems(info)) return { problems: [], ...(await made()) };
        const names = inputNamesOf(info);
        return payloadOf(made, (cause) => authProblem(cause, names));
      };
      return [name, guarded];
    }),
  );
}
