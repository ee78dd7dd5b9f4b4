import { AccessError, beyondHeld, type Principal } from '@ostiary/access';
import {
  defaultFieldResolver,
  type GraphQLDirective,
  type GraphQLField,
  type GraphQLSchema,
  getDirectiveValues,
} from 'graphql';
import { type GraphContext, requirePrincipal } from './context.ts';
import { SchemaRuleError } from './directive.ts';
import { forbidden, insufficientUserAuthentication } from './errors.ts';
import { directivesOf } from './keys.ts';

/** What a mutation was declared to give. */
export interface Confers {
  readonly rights: readonly string[];
  readonly recentSignIn: boolean;
}

/**
 * What is only known in the transaction of the change (who is in a group that has a role, whether an identifier changes): the
 * domain is handed `mayConfer`, and asks it there.
 */
export const withinTheChange = Symbol('decided in the transaction of the change');

/**
 * What a right comes to with these arguments, in scopes; undefined when nothing is given with them. What the arguments name and isn't
 * there gives nothing beyond the rest, and must not be told from what isn't the caller's.
 */
export type Right<L> =
  | ((
      args: never,
      context: GraphContext<L>,
    ) => readonly string[] | undefined | Promise<readonly string[] | undefined>)
  | typeof withinTheChange;

/** How a subgraph answers for its `@confers`. */
export interface Conferring<L> {
  readonly rights: Readonly<Record<string, Right<L>>>;
  /** Insists on a sign-in of just now, as well as this subgraph can know of it. Clients have none to be recent. @throws AccessError */
  readonly requireRecentSignIn: (principal: Principal) => Promise<void> | void;
}

/**
 * Refuses to give what the caller doesn't hold now.
 * @throws FORBIDDEN naming what is lacking
 */
export function requireConferrable(principal: Principal, scopes: Iterable<string>): void {
  const lacking = beyondHeld(principal, scopes);
  if (lacking !== undefined) throw forbidden([lacking]);
}

/**
 * The declarations of all mutations.
 * @throws SchemaRuleError for a mutation that declares nothing, a right without a rule, and a rule that nothing is declared by
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
  if (directives.length !== 1)
    return { rights: [], recentSignIn: false, problems: ['does not say what it confers'] };
  const values = getDirectiveValues(directive, { directives }) ?? {};
  const rights = values.rights as string[];
  const recentSignIn = values.recentSignIn === true;
  const problems: string[] = [];
  if ((values.nothing === true) === rights.length > 0) problems.push('confers either nothing or rights');
  if (rights.length > 0 && !recentSignIn) problems.push('confers rights, and so takes a recent sign-in');
  return { rights, recentSignIn, problems };
}

/**
 * Puts the declarations in front of every mutation, once and in place. Called before `guardSchema`, so that who may not ask at all
 * is told that and nothing else.
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
  if (gives) await recently(conferring, principal);
}

async function recently<L>(conferring: Conferring<L>, principal: Principal): Promise<void> {
  try {
    await conferring.requireRecentSignIn(principal);
  } catch (error) {
    if (error instanceof AccessError && error.authentication)
      throw insufficientUserAuthentication(error.authentication);
    throw error;
  }
}
