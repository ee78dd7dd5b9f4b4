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
 * The part of a path that names arguments of a field as the schema names them. What the domain names otherwise (`redirect_uris`) is
 * put into the schema's form, and the path ends before the first name that the schema does not have.
 * @param path begins with `input`, also where the field has other arguments
 */
export function argumentPath(args: readonly Named[], path: readonly string[]): string[] {
  const hasInput = args.some(({ name }) => name === 'input');
  const found: string[] = [];
  let among = args;
  let type: GraphQLInputType | undefined;
  for (const segment of hasInput ? path : path.slice(1)) {
    if (type && isScalarType(type) && !isSpecifiedScalarType(type)) {
      // The members of a JSON value are named by the caller.
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

/** Makes the paths of the problems in every payload name arguments of the mutation, whatever the domain calls them. */
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
