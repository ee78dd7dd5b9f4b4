import { ScimError } from '../errors.ts';
import { parsePath } from '../filter/parser.ts';
import { type Attribute, findSubAttribute, isText } from '../schema/attribute.ts';
import { type AttributeReference, attributeReference, type SchemaRegistry } from '../schema/registry.ts';
import { foldedInSql } from './comparison.ts';
import { isCollection, jsonAt, Parameters, type SqlFragment, type SqlMapping, textAt } from './mapping.ts';

/**
 * Looks up `sortBy` (RFC 7644 §3.4.2.3). A complex attribute is sorted by its `value`.
 * @throws ScimError invalidPath when it is malformed, unknown, or cannot be sorted by.
 */
export function bindSortBy(sortBy: string, registry: SchemaRegistry, type: string): AttributeReference {
  const path = parsePath(sortBy);
  const target = path.filter === undefined ? registry.resolve(type, path) : undefined;
  if (target?.attribute === undefined) throw ScimError.invalidPath('sortBy is not a known attribute.');
  const sub = target.definition.type === 'complex' ? findSubAttribute(target.definition, 'value') : undefined;
  const sortable = sub === undefined ? target : attributeReference(target.extension, target.attribute, sub);
  const { definition } = sortable;
  if (
    definition.type === 'complex' ||
    definition.returned === 'never' ||
    target.attribute.returned === 'never'
  ) {
    throw ScimError.invalidPath('sortBy is an attribute that does not support sorting.');
  }
  return sortable;
}

/** Order, and start position, of a list. */
export interface SqlSortKey extends SqlFragment {
  /** Type of the expression; casting a key to text and back returns the same key. */
  readonly type: 'text' | 'uuid' | 'boolean' | 'numeric' | 'timestamptz' | 'jsonb';
  /** Whether a B-tree has the rows in this order, those with equal keys by id. */
  readonly ordered: boolean;
}

/**
 * The ORDER BY expression for an attribute, null where the resource has no value: use it with
 * `ASC NULLS LAST` or `DESC NULLS FIRST` and a unique column behind. Strings sort by code point, folded
 * unless `caseExact`; a multi-valued attribute by its primary value, else its first. Collections sort by nothing.
 */
export function compileSortKey(target: AttributeReference, mapping: SqlMapping): SqlSortKey {
  const parameters = new Parameters(mapping.firstParameter);
  const key = sortKey(target, mapping, parameters);
  const entry = mapping.attributes?.[target.canonical];
  const ordered = entry !== undefined && !isCollection(entry) && entry.ordered !== undefined;
  return { ...key, values: parameters.values, ordered };
}

function sortKey(
  target: AttributeReference,
  mapping: SqlMapping,
  parameters: Parameters,
): Pick<SqlSortKey, 'text' | 'type'> {
  const { definition, attribute } = target;
  const entry = mapping.attributes?.[target.canonical];
  if (entry !== undefined && !isCollection(entry)) {
    if (!definition.caseExact && isText(definition) && entry.folded !== undefined) {
      return { text: `${parameters.expand(entry.folded)} COLLATE "C"`, type: 'text' };
    }
    const column = parameters.expand(entry.column);
    if (entry.type === 'uuid') return { text: column, type: 'uuid' };
    if (!isText(definition)) return { text: column, type: columnType(definition) };
    return { text: `${foldedInSql(definition, column, mapping)} COLLATE "C"`, type: 'text' };
  }
  const base = mapping.folded ?? mapping.data;
  const outer = attributeReference(target.extension, attribute);
  if (isCollection(mapping.attributes?.[outer.canonical])) return { text: 'NULL::text', type: 'text' };
  const place = attribute.multiValued
    ? {
        base: preferred(jsonAt(base, outer.keys)),
        keys: target.subAttribute === undefined ? [] : [target.subAttribute.name],
      }
    : { base, keys: target.keys };
  if (!isText(definition) && definition.type !== 'dateTime') {
    return { text: jsonAt(place.base, place.keys), type: 'jsonb' };
  }
  const text = textAt(place.base, place.keys);
  const exact = definition.type === 'dateTime' || mapping.folded !== undefined;
  return { text: `${exact ? text : foldedInSql(definition, text, mapping)} COLLATE "C"`, type: 'text' };
}

function columnType({ type }: Attribute): 'boolean' | 'timestamptz' | 'numeric' {
  if (type === 'boolean') return 'boolean';
  return type === 'dateTime' ? 'timestamptz' : 'numeric';
}

/** RFC 7644 §3.4.2.3: the primary value, or else the first one. */
function preferred(array: string): string {
  return `COALESCE(jsonb_path_query_first(${array}, '$[*] ? (@.primary == true)'), ${array} -> 0)`;
}
