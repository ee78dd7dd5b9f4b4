import {
  AccessError,
  apiScopes,
  beyondHeld,
  type Principal,
  requireRecentSignIn,
  type SignInTerms,
  signInForRoles,
} from '@ostiary/access';
import {
  defaultFieldResolver,
  type GraphQLDirective,
  GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  getDirectiveValues,
} from 'graphql';
import { type GraphContext, requirePrincipal } from '../context/context.ts';
import { forbidden, insufficientUserAuthentication } from '../errors/errors.ts';
import { directivesOf } from './keys.ts';
import { SchemaRuleError } from './scopes-directive.ts';

/** Rights that a mutation was declared to confer. */
export interface Confers {
  readonly rights: readonly string[];
  readonly recentSignIn: boolean;
}

/**
 * Marks a right that is known only in the transaction of the change (whether a member's group has a role,
 * whether an identifier changes): the domain gets `mayConfer` and calls it there.
 */
export const withinTheChange = Symbol('decided in the transaction of the change');

/**
 * Scopes of a right with these arguments; undefined if the arguments confer nothing. A missing object confers
 * nothing more, and must not be distinguishable from an object that the caller cannot see.
 */
export type Right<L> =
  | ((
      args: never,
      context: GraphContext<L>,
    ) => readonly string[] | undefined | Promise<readonly string[] | undefined>)
  | typeof withinTheChange;

/** Rights and sign-in rules behind the `@confers` of a subgraph. */
export interface Conferring<L> {
  readonly rights: Readonly<Record<string, Right<L>>>;
  /** Returns the facts about a user's required sign-in that this subgraph has. */
  readonly signInTerms: (principal: Principal, context: GraphContext<L>) => Promise<SignInTerms>;
}

/**
 * Rejects conferring rights that the caller does not hold now.
 * @throws FORBIDDEN with the missing scopes
 */
export function requireConferrable(principal: Principal, scopes: Iterable<string>): void {
  const lacking = beyondHeld(principal, scopes);
  if (lacking !== undefined) throw forbidden([lacking]);
}

/**
 * Returns the declarations of all mutations.
 * @throws SchemaRuleError for a mutation without declaration, a right without rule, and an unused rule
 */
export function readConfers(
  schema: GraphQLSchema,
  known: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, Confers> {
  const directive = schema.getDirective('confers');
  if (!directive) throw new SchemaRuleError(['@confers is not defined: add confersTypeDefs to the schema']);
  const declared = new Map<string, Confers>();
  const problems: string[] = [];
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const said = readOne(directive, field);
    problems.push(...said.problems.map((problem) => `Mutation.${field.name} ${problem}`));
    declared.set(field.name, said);
    for (const right of said.rights)
      if (!Object.hasOwn(known, right))
        problems.push(`Mutation.${field.name} confers "${right}", for which there is no rule`);
  }
  const used = new Set([...declared.values()].flatMap(({ rights }) => rights));
  for (const right of Object.keys(known))
    if (!used.has(right)) problems.push(`"${right}" has a rule, but no mutation confers it`);
  if (problems.length > 0) throw new SchemaRuleError(problems);
  return declared;
}

function readOne(
  directive: GraphQLDirective,
  field: GraphQLField<unknown, unknown>,
): Confers & { problems: string[] } {
  const directives = directivesOf(field).filter((node) => node.name.value === 'confers');
  if (directives.length !== 1) return { rights: [], recentSignIn: false, problems: ['lacks @confers'] };
  const values = getDirectiveValues(directive, { directives }) ?? {};
  const rights = values.rights as string[];
  const recentSignIn = values.recentSignIn === true;
  const problems: string[] = [];
  if ((values.nothing === true) === rights.length > 0) problems.push('confers either nothing or rights');
  if (rights.length > 0 && !recentSignIn) problems.push('confers rights, and so takes a recent sign-in');
  return { rights, recentSignIn, problems };
}

/**
 * Adds the declared checks to every mutation, in place. Call it before `guardSchema`, so that callers without
 * access get only that error.
 */
export function guardConferring<L>(schema: GraphQLSchema, conferring: Conferring<L>): void {
  const declared = readConfers(schema, conferring.rights);
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const confers = declared.get(field.name);
    if (!confers || (confers.rights.length === 0 && !confers.recentSignIn)) continue;
    const resolve = field.resolve ?? defaultFieldResolver;
    field.resolve = async (parent, args, context: GraphContext<L>, info) => {
      await requireMayConfer(conferring, confers, args, context);
      return resolve(parent, args, context, info);
    };
  }
}

async function requireMayConfer<L>(
  conferring: Conferring<L>,
  confers: Confers,
  args: unknown,
  context: GraphContext<L>,
): Promise<void> {
  const principal = requirePrincipal(context);
  let gives = confers.rights.length === 0;
  for (const name of confers.rights) {
    const right = conferring.rights[name];
    if (right === undefined || right === withinTheChange) continue;
    const scopes = await right(args as never, context);
    if (scopes === undefined) continue;
    requireConferrable(principal, scopes);
    gives = true;
  }
  if (gives) await insistOnRecentSignIn(conferring, principal, context);
}

/**
 * Insists on a sign-in of just now, with the second factor where one is needed.
 * @throws INSUFFICIENT_USER_AUTHENTICATION
 */
export async function insistOnRecentSignIn<L>(
  { signInTerms }: Pick<Conferring<L>, 'signInTerms'>,
  principal: Principal,
  context: GraphContext<L>,
): Promise<void> {
  // Programs have no sign-in to verify.
  if (principal.kind !== 'user') return;
  try {
    requireRecentSignIn(principal, await signInTerms(principal, context));
  } catch (error) {
    if (error instanceof AccessError && error.authentication)
      throw insufficientUserAuthentication(error.authentication);
    throw error;
  }
}

/**
 * Tells an administrator with a one-factor sign-in, in a tenant that requires two for roles, to sign in again
 * instead of reporting the missing scope, which the user has but the token lacks. Call it after
 * `guardSchema`; applies only to mutations that require a recent sign-in.
 */
export function challengeAdministrators<L>(schema: GraphQLSchema, conferring: Conferring<L>): void {
  const declared = readConfers(schema, conferring.rights);
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    if (!declared.get(field.name)?.recentSignIn) continue;
    const resolve = field.resolve ?? defaultFieldResolver;
    field.resolve = async (parent, args, context: GraphContext<L>, info) => {
      try {
        return await resolve(parent, args, context, info);
      } catch (error) {
        throw (await signInInstead(error, conferring, context)) ?? error;
      }
    };
  }
}

async function signInInstead<L>(
  error: unknown,
  { signInTerms }: Conferring<L>,
  context: GraphContext<L>,
): Promise<GraphQLError | undefined> {
  const { principal } = context;
  if (principal?.kind !== 'user' || !(error instanceof GraphQLError)) return undefined;
  const { code, scopes } = error.extensions;
  if (code !== 'FORBIDDEN' || !Array.isArray(scopes)) return undefined;
  if (!scopes.some((scope) => Object.hasOwn(apiScopes, String(scope)))) return undefined;
  const required = signInForRoles(principal, (await signInTerms(principal, context)).policy);
  return required && insufficientUserAuthentication(required);
}
