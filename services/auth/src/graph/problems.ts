import {
  idempotencyKeyReused,
  invalidInput,
  type Problem,
  payloadOf,
  type Resolver,
  type TypeResolvers,
} from '@ostiary/graph';
import { OAuthError } from '../domain/errors.ts';
import { KeyReused } from '../domain/idempotency.ts';

type Info = Parameters<Resolver>[3];
type Selections = NonNullable<Info['fieldNodes'][number]['selectionSet']>;

/** What a client may register is decided in OAuth's words. */
function problemOf(cause: unknown): Problem | undefined {
  if (cause instanceof OAuthError) return invalidInput(cause.description);
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
        return asksForProblems(info) ? payloadOf(made, problemOf) : { problems: [], ...(await made()) };
      };
      return [name, guarded];
    }),
  );
}

function asksForProblems({ fieldNodes, fragments }: Info): boolean {
  const seen = new Set<string>();
  const within = (set: Selections | undefined): boolean =>
    (set?.selections ?? []).some((selection) => {
      if (selection.kind === 'Field') return selection.name.value === 'problems';
      if (selection.kind === 'InlineFragment') return within(selection.selectionSet);
      const name = selection.name.value;
      if (seen.has(name)) return false;
      seen.add(name);
      return within(fragments[name]?.selectionSet);
    });
  return fieldNodes.some((node) => within(node.selectionSet));
}
