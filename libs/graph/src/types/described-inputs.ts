import { Kind, parse, print, type StringValueNode, type TypeNode, visit } from 'graphql';

/**
 * Returns the schema with a description on every argument that is an input object: its own, or else that of
 * the input type.
 */
export function withDescribedInputs(typeDefs: string): string {
  const document = parse(typeDefs, { noLocation: true });
  const descriptions = new Map<string, StringValueNode>();
  for (const node of document.definitions) {
    if (node.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION && node.description) {
      descriptions.set(node.name.value, node.description);
    }
  }
  return print(
    visit(document, {
      // Fields of input objects have their own descriptions.
      InputObjectTypeDefinition: () => false,
      InputValueDefinition(node) {
        const description = descriptions.get(nameOf(node.type));
        return node.description || !description ? undefined : { ...node, description };
      },
    }),
  );
}

const nameOf = (type: TypeNode): string =>
  type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type);
