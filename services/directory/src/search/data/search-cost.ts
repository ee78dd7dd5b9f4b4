import type { AttributeReference, BoundFilter } from '@ostiary/scim';

/** Approximate cost of comparing a list of values, relative to one value. */
const list = 15;

/** Maximum cost of comparisons with one resource that is negligible beside reading it. */
export const cheap = 100;

/** Members and groups are rows of their own, in any number: never cheap. */
const rows = cheap + 1;

/** Returns the cost of comparing one resource with a filter, in comparisons of single values. */
export function costOf(filter: BoundFilter | undefined): number {
  if (filter === undefined) return 0;
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands.reduce((cost, operand) => cost + costOf(operand), 0);
    case 'not':
      return costOf(filter.operand);
    case 'element':
      return costOfList(filter.target) * Math.max(1, costOf(filter.filter));
    case 'never':
      return 0;
    default:
      return filter.target.attribute.multiValued ? costOfList(filter.target) : 1;
  }
}

const costOfList = ({ canonical }: AttributeReference): number =>
  /^(?:groups|members)(?:\.|$)/.test(canonical) ? rows : list;
