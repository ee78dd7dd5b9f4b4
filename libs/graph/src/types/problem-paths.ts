import {
  defaultFieldResolver,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isListType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import type { Problem } from './problems.ts';

type Named = Pick<GraphQLArgument | GraphQLInputField, 'name' | 'type'>;

/**
 * Returns the part of a path that names arguments of a field as in the schema. Other names of the domain
 * (`redirect_uris`) are converted to the schema's form, and the path ends before the first unknown name.
 * @param path begins with `input`, also if the field has other arguments
 */
export function argumentPath(args: readonly Named[], path: readonly string[]): string[] {
  const hasInput = args.some(({ name }) => name === 'input');
  const found: string[] = [];
  let among = args;
  let type: GraphQLInputType | undefined;
  for (const segment of hasInput ? path : path.slice(1)) {
    if (type && isScalarType(type) && !isSpecifiedScalarType(type)) {
      // The caller names the members of a JSON value.
      found.push(segment);
      continue;
    }
    if (type && isListType(type) && /^\d+$/.test(segment)) {
      found.push(segment);
      type = getNullableType(type.ofType);
      continue;
    }
    const names = [segment, inCamelCase(segment)];
    const next = among.find(({ name }) => names.includes(name));
    if (!next) break;
    found.push(next.name);
    type = getNullableType(next.type);
    among = fieldsOf(type);
  }
  return found;
}

const inCamelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, first: string) => first.toUpperCase());

function fieldsOf(type: GraphQLInputType): readonly Named[] {
  const inner = getNullableType(type);
  if (isListType(inner)) return fieldsOf(inner.ofType);
  return isInputObjectType(inner) ? Object.values(inner.getFields()) : [];
}

/**
 * Makes the paths of problems in every payload use the names of the mutation's arguments instead of the
 * domain's.
 */
export function pointAtArguments(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) guardPaths(field);
}

function guardPaths(field: GraphQLField<unknown, unknown>): void {
  const resolve = field.resolve ?? defaultFieldResolver;
  field.resolve = async (parent, args, context, info) => {
    const payload: unknown = await resolve(parent, args, context, info);
    const problems = (payload as { problems?: readonly Problem[] } | null | undefined)?.problems;
    if (!Array.isArray(problems) || problems.length === 0) return payload;
    const named = (problems as Problem[]).map((problem) => ({
      ...problem,
      path: argumentPath(field.args, problem.path),
    }));
    return { ...(payload as object), problems: named };
  };
}
