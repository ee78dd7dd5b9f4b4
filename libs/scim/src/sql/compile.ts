import type { JsonObject } from '../json.ts';
import type { BoundComparison, BoundElement, BoundFilter, BoundPresence } from '../matching/bind.ts';
import { isPrimary } from '../matching/evaluate.ts';
import { type Attribute, isText } from '../schema/attribute.ts';
import { type AttributeReference, attributeReference } from '../schema/registry.ts';
import { compareColumn, compareJson } from './comparison.ts';
import {
  isCollection,
  jsonAt,
  Parameters,
  type SqlCollection,
  type SqlColumn,
  type SqlFragment,
  type SqlMapping,
  textAt,
} from './mapping.ts';
import { isContainable, nest, sampleOf } from './sample.ts';

/**
 * Compiles a bound filter to a condition for WHERE. It is true for exactly the rows whose resource `evaluate`
 * accepts, else false or null, so negate the filter instead of using NOT. Every value is a parameter;
 * negation applies to single comparisons, so that an index can serve the others.
 */
export function compileSql(filter: BoundFilter, mapping: SqlMapping): SqlFragment {
  const parameters = new Parameters(mapping.firstParameter);
  const text = new Compiler(mapping, parameters).filter(filter, false, undefined);
  return { text, values: parameters.values };
}

/** Element of a filter inside a valuePath: a row of a collection, or a jsonb value. */
type Element =
  | { readonly kind: 'row'; readonly columns: Readonly<Record<string, SqlColumn>> }
  | { readonly kind: 'json'; readonly base: string };

/** Alias of the elements of a jsonb array. Value filters don't nest, so one name is enough. */
const alias = 'element';

/** Scalars that count as present: `pr` requires a non-empty value at any depth. */
const nonEmptyScalar =
  '$.** ? (@.type() == "boolean" || @.type() == "number" || (@.type() == "string" && @ != ""))';

class Compiler {
  readonly #mapping: SqlMapping;
  readonly #parameters: Parameters;
  readonly #base: string;
  readonly #folded: boolean;

  constructor(mapping: SqlMapping, parameters: Parameters) {
    this.#mapping = mapping;
    this.#parameters = parameters;
    this.#base = mapping.folded ?? mapping.data;
    this.#folded = mapping.folded !== undefined;
  }

  filter(filter: BoundFilter, negated: boolean, element: Element | undefined): string {
    switch (filter.kind) {
      case 'and':
      case 'or': {
        const connector = (filter.kind === 'and') === negated ? ' OR ' : ' AND ';
        return `(${filter.operands.map((operand) => this.filter(operand, negated, element)).join(connector)})`;
      }
      case 'not':
        return this.filter(filter.operand, !negated, element);
      case 'present':
        return negate(this.#present(filter, element), negated);
      case 'element':
        return negate(this.#element(filter), negated);
      case 'compare':
        return this.#compare(filter, negated, element);
      case 'never':
        return negate('FALSE', negated);
    }
  }

  #compare(filter: BoundComparison, negated: boolean, element: Element | undefined): string {
    const { target } = filter;
    if (element === undefined && target.attribute.multiValued)
      return negate(this.#compareAny(filter), negated);
    if (filter.operator === 'ne')
      return negate(this.#single({ ...filter, operator: 'eq' }, element), !negated);
    return negate(this.#single(filter, element), negated);
  }

  /** A comparison of a single value: true, or else false or null. */
  #single(filter: BoundComparison, element: Element | undefined): string {
    const { target, operator } = filter;
    if (operator === 'ne') throw new Error('ne is a negated eq');
    const test = { operator, value: filter.value };
    const { definition } = target;
    const column = this.#column(target, element);
    if (column !== undefined) return compareColumn(test, definition, column, this.#parameters, this.#mapping);
    if (element?.kind === 'row') return absentSub(definition, filter) ? 'TRUE' : 'FALSE';
    if (element === undefined && operator === 'eq' && isContainable(definition, this.#folded)) {
      return this.#contains(nest(target.keys, filter.value));
    }
    const place = { base: element?.base ?? this.#base, keys: target.keys, folded: this.#folded };
    return compareJson(test, definition, place, this.#parameters, this.#mapping);
  }

  /** A multi-valued attribute outside of a valuePath: any value matches; `ne` also when there is none. */
  #compareAny(filter: BoundComparison): string {
    const { target, operator } = filter;
    const outer = attributeReference(target.extension, target.attribute);
    const relative: BoundComparison = { ...filter, target: elementTarget(target) };
    const any = this.#element({ kind: 'element', target: outer, filter: relative });
    return operator === 'ne' ? `(${any} OR NOT ${this.#some(outer, () => 'TRUE')})` : any;
  }

  #present(filter: BoundPresence, element: Element | undefined): string {
    const { target } = filter;
    if (element === undefined && target.attribute.multiValued) {
      const outer = attributeReference(target.extension, target.attribute);
      const entry = this.#mapping.attributes?.[outer.canonical];
      if (target.subAttribute !== undefined) {
        return this.#element({
          kind: 'element',
          target: outer,
          filter: { kind: 'present', target: elementTarget(target) },
        });
      }
      if (isCollection(entry)) return this.#some(outer, () => 'TRUE');
      return pathExists(jsonAt(this.#base, outer.keys));
    }
    const { definition } = target;
    const column = this.#column(target, element);
    if (column !== undefined) {
      const text = this.#parameters.expand(column.column);
      return column.type === undefined && isText(definition) ? `${text} <> ''` : `${text} IS NOT NULL`;
    }
    if (element?.kind === 'row') return 'FALSE';
    const base = element?.base ?? this.#base;
    if (definition.type !== 'complex') return `${textAt(base, target.keys)} <> ''`;
    const mapped = (definition.subAttributes ?? [])
      .map((sub) => attributeReference(target.extension, target.attribute, sub))
      .filter((sub) => this.#column(sub, element) !== undefined)
      .map((sub) => this.#present({ kind: 'present', target: sub }, element));
    return `(${[pathExists(jsonAt(base, target.keys)), ...mapped].join(' OR ')})`;
  }

  /**
   * Compiles "an element matches". If the filter only requires equal values, it is a containment that an
   * index serves.
   */
  #element(filter: BoundElement): string {
    const entry = this.#mapping.attributes?.[filter.target.canonical];
    if (!isCollection(entry)) {
      const sample = sampleOf(filter.filter, this.#folded);
      if (sample !== undefined) return this.#contains(nest(filter.target.keys, [sample]));
    }
    return this.#some(filter.target, (element) => this.filter(filter.filter, false, element));
  }

  #some(target: AttributeReference, condition: (element: Element) => string): string {
    const entry = this.#mapping.attributes?.[target.canonical];
    if (isCollection(entry)) return this.#someRow(entry, condition);
    const array = jsonAt(this.#base, target.keys);
    // A value that is not an array would be an error, which a changed schema must not cause.
    const elements = `jsonb_array_elements(CASE WHEN jsonb_typeof(${array}) = 'array' THEN ${array} END)`;
    const where = condition({ kind: 'json', base: `${alias}.value` });
    return `EXISTS (SELECT 1 FROM ${elements} AS ${alias}(value) WHERE ${where})`;
  }

  #someRow(collection: SqlCollection, condition: (element: Element) => string): string {
    const from = this.#parameters.expand(collection.from);
    const correlation = this.#parameters.expand(collection.where);
    const where = condition({ kind: 'row', columns: collection.columns });
    return `EXISTS (SELECT 1 FROM ${from} WHERE ${correlation} AND ${where})`;
  }

  #column(target: AttributeReference, element: Element | undefined): SqlColumn | undefined {
    if (element !== undefined) return element.kind === 'row' ? element.columns[target.canonical] : undefined;
    const entry = this.#mapping.attributes?.[target.canonical];
    return isCollection(entry) ? undefined : entry;
  }

  #contains(sample: JsonObject): string {
    return `${this.#base} @> ${this.#parameters.bind(JSON.stringify(sample))}::jsonb`;
  }
}

/** Returns the sub-attribute relative to an element of its attribute. */
function elementTarget(target: AttributeReference): AttributeReference {
  const { subAttribute } = target;
  if (subAttribute !== undefined) {
    return {
      attribute: subAttribute,
      definition: subAttribute,
      keys: [subAttribute.name],
      canonical: subAttribute.name,
    };
  }
  const element: Attribute = { ...target.attribute, multiValued: false };
  return { attribute: element, definition: element, keys: [], canonical: 'value' };
}

/** A row without a column for `primary` is an element without it. */
function absentSub(definition: Attribute, filter: BoundComparison): boolean {
  return isPrimary(definition) && filter.value === false;
}

function pathExists(json: string): string {
  return `jsonb_path_exists(${json}, '${nonEmptyScalar}')`;
}

/** Conditions that are not true, including null, are false for the evaluator. */
function negate(condition: string, negated: boolean): string {
  return negated ? `(${condition}) IS NOT TRUE` : condition;
}
