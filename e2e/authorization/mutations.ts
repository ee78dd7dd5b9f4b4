import { Kind, type TypeNode } from 'graphql';
import { models, nobody } from './doors.ts';
import { harmlessInputs } from './harmless-inputs.ts';
import { type Argument, type Field, type Model, named, type Subgraph } from './model.ts';
import { type Observation, send } from './observe.ts';
import type { Actor, World } from './world.ts';

/** Number of mutations per request. */
const batch = 28;

function harmlessValue(model: Model, type: TypeNode): string {
  if (type.kind === Kind.NON_NULL_TYPE) return harmlessValue(model, type.type);
  if (type.kind === Kind.LIST_TYPE) return '[]';
  const name = named(type);
  const fields = model.inputs.get(name);
  if (fields) return `{ ${argumentsOf(model, fields)} }`;
  const value = model.enums.get(name);
  if (value !== undefined) return value;
  const scalars: Record<string, string> = { ID: `"${nobody}"`, Int: '0', Float: '0', Boolean: 'false' };
  return scalars[name] ?? '""';
}

const argumentsOf = (model: Model, list: readonly Argument[]): string =>
  list
    .filter((argument) => argument.required)
    .map(({ name, type }) => `${name}: ${harmlessValue(model, type)}`)
    .join(', ');

/** Returns the selection that shows the result of a mutation. */
export function selectionOf(model: Model, { type }: Pick<Field, 'type'>): string {
  const payload = model.objects.get(type);
  if (payload?.fields.has('problems')) return ' { problems { __typename message path } }';
  return payload || model.abstract.has(type) ? ' { __typename }' : '';
}

/**
 * Tries every mutation at the gateway and at its subgraph. An answer that an object does not exist or an input is
 * invalid shows that the caller is permitted. @returns `succeeded` as the outcome of a mutation that had an effect
 * unexpectedly
 */
export async function tryMutations(world: World, actor: Actor): Promise<Observation[]> {
  const observations: Observation[] = [];
  for (const [place, model] of Object.entries(models) as [Subgraph | 'gateway', Model][]) {
    const fields = [...(model.objects.get('Mutation')?.fields.values() ?? [])];
    for (let start = 0; start < fields.length; start += batch) {
      const some = fields.slice(start, start + batch).map((field) => {
        const name = field.coordinate.slice('Mutation.'.length);
        const written = harmlessInputs[field.coordinate] ?? argumentsOf(model, field.arguments);
        return { field, name, text: `${name}(${written})${selectionOf(model, field)}` };
      });
      const answer = await send(
        world.urls[place],
        actor,
        `mutation { ${some.map(({ text }) => text).join(' ')} }`,
      );
      for (const { field, name, text } of some) {
        const error = answer.errors?.find((each) => each.path === undefined || each.path[0] === name);
        observations.push({
          coordinate: field.coordinate,
          of: 'any',
          outcome: outcomeOf(error, answer.data?.[name]),
          where: `${place} ${text}`,
        });
      }
    }
  }
  return observations;
}

/** Error codes that only permitted callers receive. */
const heard = new Set(['NOT_FOUND', 'BAD_USER_INPUT', 'CONFLICT', 'INSUFFICIENT_USER_AUTHENTICATION']);

function outcomeOf(
  error: { message: string; path?: readonly unknown[]; extensions?: { code?: string } } | undefined,
  value: unknown,
): string {
  const code = error?.extensions?.code ?? '';
  // A permitted mutation returns problems instead of an error.
  const problems = (value as { problems?: unknown[] } | null | undefined)?.problems;
  if (!error && problems) return problems.length > 0 ? 'read' : 'succeeded';
  if (!error) return value === null || value === undefined ? 'failed: neither value nor error' : 'succeeded';
  if (error.path === undefined) return `failed: ${code} ${error.message}`;
  if (heard.has(code)) return 'read';
  return code === 'FORBIDDEN' || code === 'UNAUTHENTICATED' ? code : `failed: ${code} ${error.message}`;
}
