import type { DeparturesOfPersonQuery } from './generated/departure.ts';

export type Departure = NonNullable<DeparturesOfPersonQuery['departures']>[number];

export const isUnderWay = ({ deliveries }: Departure): boolean =>
  deliveries.some(({ state }) => state === 'PENDING' || state === 'HELD');
