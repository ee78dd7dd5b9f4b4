import type { JsonObject, JsonValue } from '../json.ts';
import type { BoundComparison, BoundElement, BoundFilter } from '../matching/bind.ts';
import { isText } from '../schema/attribute.ts';
import { type AttributeReference, attributeReference } from '../schema/registry.ts';
import { escapeLike, foldedInSql, isCanonicalUuid } from './comparison.ts';
import {
  type BindParameter,
  isCollection,
  Parameters,
  type SqlCollection,
  type SqlColumn,
  type SqlFragment,
  type SqlIndexes,
  type SqlMapping,
} from './mapping.ts';
import { isContainable, nest, sampleOf } from './sample.ts';

/** Access by index to the rows that a filter may accept. */
export interface SqlCandidates extends SqlFragment {
  /** Whether the rows are few by nature, as for an identifier. */
  readonly selective: boolean;
  /** Index expression by which to order the rows, so that reading can stop early. */
  readonly order?: string;
  /**
   * Condition without the scope of the trigram index, where one is used; also matches rows of other scopes.
   */
  readonly unscoped?: string;
}

/** Ranks from the best index to the worst. */
const ranks = { unique: 0, selective: 1, part: 2, value: 3, range: 4 } as const;

interface Access {
  readonly rank: number;
  readonly condition: (bind: BindParameter) => string;
  readonly order?: string;
}

const nobody: Access = { rank: ranks.unique, condition: () => 'FALSE' };

/** Maximum number of conditions in an `or`; beyond it a scan is faster. */
const widestUnion = 200;

/**
 * A condition that every row has which the filter accepts, and which an index serves; undefined when none does. It
 * comes from one part of the filter, the one that is likely to leave the fewest rows: the others are for `compileSql`.
 *
 * The compared values are hidden behind sub-selects. So the planner takes its default estimates, which are small, and
 * with them always the index; knowing a frequent value it might rather walk the table, hoping to meet it soon.
 */
export function compileCandidates(filter: BoundFilter, mapping: SqlMapping): SqlCandidates | undefined {
  const { indexes } = mapping;
  if (indexes === undefined) return undefined;
  const access = new Chooser(mapping, indexes).best(filter);
  if (access === undefined) return undefined;
  const parameters = new Parameters(mapping.firstParameter);
  const text = access.condition(parameters.bind);
  const unscoped =
    indexes.textScope === undefined ? text : text.replaceAll(`(${indexes.textScope} AND `, '(');
  return {
    text,
    values: parameters.values,
    selective: access.rank <= ranks.selective,
    ...(access.order === undefined ? {} : { order: access.order }),
    ...(unscoped === text ? {} : { unscoped }),
  };
}

class Chooser {
  readonly #mapping: SqlMapping;
  readonly #indexes: SqlIndexes;

  constructor(mapping: SqlMapping, indexes: SqlIndexes) {
    this.#mapping = mapping;
    this.#indexes = indexes;
  }

  best(filter: BoundFilter): Access | undefined {
    switch (filter.kind) {
      case 'and':
        return better([
          this.#between(filter.operands),
          ...filter.operands.map((operand) => this.best(operand)),
        ]);
      case 'or':
        return this.#union(filter.operands);
      case 'element':
        return this.#element(filter);
      case 'compare':
        return filter.target.attribute.multiValued ? this.#values(filter) : this.#compare(filter);
      case 'never':
        return nobody;
      default:
        return undefined;
    }
  }

  #union(operands: readonly BoundFilter[]): Access | undefined {
    if (operands.length > widestUnion) return undefined;
    const accesses = operands.map((operand) => this.best(operand));
    if (!accesses.every((access) => access !== undefined && access.order === undefined)) return undefined;
    const known = accesses as Access[];
    return {
      rank: Math.max(...known.map(({ rank }) => rank)),
      condition: (bind) => `(${known.map(({ condition }) => condition(bind)).join(' OR ')})`,
    };
  }

  #compare(filter: BoundComparison): Access | undefined {
    const { target, operator, value } = filter;
    const entry = this.#mapping.attributes?.[target.canonical];
    if (entry === undefined) {
      // Half of all resources are no candidates.
      if (target.definition.type === 'boolean') return undefined;
      if (operator === 'eq' && isContainable(target.definition, true)) {
        return this.#contains(nest(target.keys, value), [target]);
      }
      return this.#text(filter, target);
    }
    if (isCollection(entry)) return undefined;
    if (operator === 'eq' && entry.sample !== undefined) return this.#contains(entry.sample(value), [target]);
    return this.#ordered(filter, entry) ?? this.#between([filter]) ?? this.#text(filter, target);
  }

  #ordered(filter: BoundComparison, column: SqlColumn): Access | undefined {
    const { operator, value } = filter;
    const { ordered } = column;
    if (ordered === undefined) return undefined;
    const { scope } = this.#indexes;
    const key = orderedKey(filter, column, this.#mapping);
    switch (operator) {
      case 'eq':
        if (column.type === 'uuid' && !isCanonicalUuid(value)) return nobody;
        return {
          rank: ordered === 'unique' ? ranks.unique : ranks.part,
          condition: (bind) => `(${scope} AND ${key.text} = ${hidden(bind(value), key.type)})`,
        };
      case 'sw': {
        if (key.type !== 'text' || value === '') return undefined;
        const end = afterPrefix(String(value));
        const upper = (bind: BindParameter) =>
          end === undefined ? '' : ` AND ${key.text} < ${hidden(bind(end), 'text')}`;
        return {
          rank: ranks.part,
          condition: (bind) => `(${scope} AND ${key.text} >= ${hidden(bind(value), 'text')}${upper(bind)})`,
        };
      }
      default:
        return undefined;
    }
  }

  /** Returns all bounds of a conjunction on one ordered attribute. */
  #between(operands: readonly BoundFilter[]): Access | undefined {
    const accesses: Access[] = [];
    const bounds = operands.filter((operand) => operand.kind === 'compare').filter(isBound);
    for (const canonical of new Set(bounds.map(({ target }) => target.canonical))) {
      const entry = this.#mapping.attributes?.[canonical];
      // A malformed uuid would be an error here; rows for a range of ids are read in the order of ids anyway.
      if (entry === undefined || isCollection(entry) || entry.ordered === undefined || entry.type === 'uuid')
        continue;
      const same = bounds.filter(({ target }) => target.canonical === canonical);
      accesses.push(this.#range(same, entry));
    }
    return better(accesses);
  }

  #range(bounds: readonly BoundComparison[], column: SqlColumn): Access {
    const [first] = bounds as [BoundComparison];
    const key = orderedKey(first, column, this.#mapping);
    const conditions = (bind: BindParameter) =>
      bounds.map(
        ({ operator, value }) => `${key.text} ${bound[operator as Bound]} ${hidden(bind(value), key.type)}`,
      );
    return {
      rank: ranks.range,
      condition: (bind) => `(${[this.#indexes.scope, ...conditions(bind)].join(' AND ')})`,
      order: key.text,
    };
  }

  /** A multi-valued attribute outside of a valuePath: any value. */
  #values(filter: BoundComparison): Access | undefined {
    const { target, operator, value } = filter;
    const { attribute, extension, subAttribute, definition } = target;
    const outer = attributeReference(extension, attribute);
    const entry = this.#mapping.attributes?.[outer.canonical];
    if (entry !== undefined) return operator === 'eq' ? owners(entry, definition.name, value) : undefined;
    if (operator === 'eq' && isContainable(definition, true)) {
      const element: JsonValue = subAttribute === undefined ? value : { [subAttribute.name]: value };
      return this.#contains(nest(outer.keys, [element]), [target]);
    }
    return this.#text(filter, target);
  }

  /** A valuePath: the `eq` of one conjunction, or another of its conditions. */
  #element({ target, filter }: BoundElement): Access | undefined {
    const operands = filter.kind === 'and' ? filter.operands.flatMap(flat) : [filter];
    if (operands.some(({ kind }) => kind === 'never')) return nobody;
    const entry = this.#mapping.attributes?.[target.canonical];
    if (entry !== undefined) {
      return better(
        operands.map((operand) =>
          operand.kind === 'compare' && operand.operator === 'eq'
            ? owners(entry, operand.target.definition.name, operand.value)
            : undefined,
        ),
      );
    }
    const equal = operands.filter((operand) => sampleOf(operand, true) !== undefined);
    const sample = equal.length === 0 ? undefined : sampleOf({ kind: 'and', operands: equal }, true);
    const named = equal.flatMap((operand) =>
      operand.kind === 'compare' ? [outside(target, operand.target)] : [],
    );
    const [only] = equal;
    const whole =
      sample === undefined && only !== undefined && equal.length === 1 ? sampleOf(only, true) : sample;
    return better([
      whole === undefined ? undefined : this.#contains(nest(target.keys, [whole]), named),
      ...operands.map((operand) =>
        operand.kind === 'compare' ? this.#text(operand, outside(target, operand.target)) : undefined,
      ),
      ...operands.map((operand) =>
        operand.kind === 'or'
          ? this.#union(
              operand.operands.map((inner): BoundFilter => ({ kind: 'element', target, filter: inner })),
            )
          : undefined,
      ),
    ]);
  }

  #contains(sample: JsonObject, targets: readonly AttributeReference[]): Access | undefined {
    const { contains, selective } = this.#indexes;
    if (contains === undefined) return undefined;
    const few = targets.some(
      ({ canonical, definition }) => selective?.has(canonical) === true || definition.uniqueness !== 'none',
    );
    return { rank: few ? ranks.selective : ranks.value, condition: (bind) => contains(sample, bind) };
  }

  #text(
    { operator, value, target: { definition } }: BoundComparison,
    target: AttributeReference,
  ): Access | undefined {
    const { text, textScope } = this.#indexes;
    if (!isText(definition) || (operator !== 'co' && operator !== 'sw' && operator !== 'ew'))
      return undefined;
    const pattern = jsonPattern(operator, String(value));
    const column = pattern === undefined ? undefined : text?.(target);
    if (column === undefined || textScope === undefined) return undefined;
    return {
      rank: ranks.part,
      condition: (bind) => `(${textScope} AND ${column} LIKE ${hidden(bind(pattern), 'text')})`,
    };
  }
}

type Bound = 'gt' | 'ge' | 'lt' | 'le';
const bound = { gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

const isBound = (filter: BoundFilter): filter is BoundComparison =>
  filter.kind === 'compare' && filter.operator in bound && !filter.target.attribute.multiValued;

const better = (accesses: readonly (Access | undefined)[]): Access | undefined =>
  accesses.reduce((best, access) => {
    if (access === undefined) return best;
    return best === undefined || access.rank < best.rank ? access : best;
  }, undefined);

const flat = (filter: BoundFilter): readonly BoundFilter[] =>
  filter.kind === 'and' ? filter.operands.flatMap(flat) : [filter];

/** Returns the owners of an element of a collection with a known id. */
function owners(
  entry: SqlColumn | SqlCollection,
  name: string,
  value: string | number | boolean,
): Access | undefined {
  const find = isCollection(entry) && name === 'value' ? entry.owners : undefined;
  if (find === undefined) return undefined;
  if (!isCanonicalUuid(value)) return nobody;
  return { rank: ranks.part, condition: (bind) => find(String(value), bind) };
}

/** A sub-attribute as the whole resource names it. */
function outside(outer: AttributeReference, inner: AttributeReference): AttributeReference {
  const sub = inner.keys.length === 0 ? undefined : inner.definition;
  return attributeReference(outer.extension, outer.attribute, sub);
}

/** The expression of an ordered column's index, with its type. */
function orderedKey(
  { target }: BoundComparison,
  column: SqlColumn,
  mapping: SqlMapping,
): { text: string; type: 'text' | 'uuid' | 'timestamptz' } {
  const { definition } = target;
  const plain = String(column.column);
  if (column.type === 'uuid') return { text: plain, type: 'uuid' };
  if (definition.type === 'dateTime') return { text: plain, type: 'timestamptz' };
  const exact = definition.caseExact
    ? plain
    : String(column.folded ?? foldedInSql(definition, plain, mapping));
  return { text: `${exact} COLLATE "C"`, type: 'text' };
}

const hidden = (parameter: string, type: string): string => `(SELECT ${parameter}::${type})`;

/**
 * Returns the first text, in code point order, after all texts with the prefix; undefined if there is none.
 */
export function afterPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number);
  while (points.length > 0) {
    const last = points.pop() as number;
    if (last === 0x10ffff) continue;
    return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
  }
  return undefined;
}

/**
 * Returns a LIKE pattern that finds values inside the JSON text of an array of strings; undefined if the text
 * has no trigram: three consecutive letters or digits, or two at the edge of a value.
 */
function jsonPattern(operator: 'co' | 'sw' | 'ew', value: string): string | undefined {
  const json = JSON.stringify(value).slice(1, -1);
  const enough =
    /[\p{L}\p{N}]{3}/u.test(json) ||
    (operator === 'sw' && /^[\p{L}\p{N}]{2}/u.test(json)) ||
    (operator === 'ew' && /[\p{L}\p{N}]{2}$/u.test(json));
  if (!enough) return undefined;
  const like = escapeLike(json);
  if (operator === 'co') return `%${like}%`;
  return operator === 'sw' ? `%"${like}%` : `%${like}"%`;
}
