import type { ConstDirectiveNode, GraphQLField, GraphQLInterfaceType, GraphQLObjectType } from 'graphql';

/** The directives of a type or field, extensions of the type included. */
export function directivesOf(
  of: GraphQLField<unknown, unknown> | GraphQLObjectType | GraphQLInterfaceType,
): readonly ConstDirectiveNode[] {
  const extensions = 'extensionASTNodes' in of ? of.extensionASTNodes : [];
  return [of.astNode, ...extensions].flatMap((node) => node?.directives ?? []);
}

/** Reports whether callers may request objects of this type through `_entities`. */
export const isEntity = (type: GraphQLObjectType | GraphQLInterfaceType): boolean =>
  directivesOf(type).some((node) => isKey(node) && isResolvable(node));

export const isKey = (node: ConstDirectiveNode): boolean =>
  node.name.value === 'key' || node.name.value === 'federation__key';

/** Stubs of types of other subgraphs are not resolvable here. */
const isResolvable = (node: ConstDirectiveNode): boolean =>
  !node.arguments?.some(
    ({ name, value }) => name.value === 'resolvable' && value.kind === 'BooleanValue' && !value.value,
  );

/** Names of the top-level fields in any `@key` of the type. */
export function keyFields(
  type: GraphQLObjectType,
  among: readonly ConstDirectiveNode[] = directivesOf(type),
): ReadonlySet<string> {
  const names = among.filter(isKey).flatMap((node) => {
    const fields = node.arguments?.find((argument) => argument.name.value === 'fields')?.value;
    return fields?.kind === 'StringValue' ? topLevelNames(fields.value) : [];
  });
  return new Set(names);
}

/** Names outside of braces in a federation field set such as `id organization { id }`. */
function topLevelNames(fieldSet: string): string[] {
  let depth = 0;
  const names: string[] = [];
  for (const token of fieldSet.match(/[{}]|[_A-Za-z]\w*/g) ?? []) {
    if (token === '{') depth += 1;
    else if (token === '}') depth -= 1;
    else if (depth === 0) names.push(token);
  }
  return names;
}
