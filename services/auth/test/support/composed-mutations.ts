import { readFileSync } from 'node:fs';
import {
  type ConstDirectiveNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  parse,
  type TypeNode,
} from 'graphql';

/** A mutation of the composed graph. */
export interface ComposedMutation {
  name: string;
  /** Whether it confers a right (`@confers`). */
  confers: boolean;
  /** Names of the fields of its payload that contain text. */
  returns: string[];
  /** Names of the fields of its input, at any depth, that contain text. */
  accepts: string[];
}

type Field = FieldDefinitionNode | InputValueDefinitionNode;
type Fields = ReadonlyMap<string, readonly Field[]>;

const subgraphs = ['auth', 'directory', 'provisioning'] as const;

/** Returns the mutations of every subgraph, as `npm run compose` writes them. */
export const composedMutations = (): ComposedMutation[] => subgraphs.flatMap(mutationsOf);

function mutationsOf(subgraph: string): ComposedMutation[] {
  const path = new URL(`../../../../gateway/subgraphs/${subgraph}.graphql`, import.meta.url);
  const fields = new Map<string, Field[]>();
  const texts = new Set(['String']);
  for (const definition of parse(readFileSync(path, 'utf8')).definitions) {
    if (definition.kind === Kind.SCALAR_TYPE_DEFINITION) texts.add(definition.name.value);
    if (!('fields' in definition) || !('name' in definition)) continue;
    const name = definition.name.value;
    fields.set(name, [...(fields.get(name) ?? []), ...(definition.fields ?? [])]);
  }
  texts.delete('DateTime');
  const isText = ({ type }: Field) => texts.has(named(type));
  return ((fields.get('Mutation') ?? []) as FieldDefinitionNode[]).map((mutation) => ({
    name: mutation.name.value,
    confers: (mutation.directives ?? []).some(confersRights),
    returns: (fields.get(named(mutation.type)) ?? []).filter(isText).map(({ name }) => name.value),
    accepts: (mutation.arguments ?? []).flatMap((argument) => textsIn(argument, fields, isText)),
  }));
}

const confersRights = ({ name, arguments: given = [] }: ConstDirectiveNode): boolean =>
  name.value === 'confers' && given.some((argument) => argument.name.value === 'rights');

const named = (type: TypeNode): string =>
  type.kind === Kind.NAMED_TYPE ? type.name.value : named(type.type);

function textsIn(
  field: Field,
  fields: Fields,
  isText: (field: Field) => boolean,
  above: readonly string[] = [],
): string[] {
  if (isText(field)) return [field.name.value];
  const type = named(field.type);
  if (above.includes(type)) return [];
  return (fields.get(type) ?? []).flatMap((inner) => textsIn(inner, fields, isText, [...above, type]));
}
