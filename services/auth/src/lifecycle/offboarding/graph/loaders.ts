import { batchMany, type DataLoader, type LoaderScope } from '@ostiary/graph';
import type { Departure, DepartureDelivery, DepartureReports } from '../domain/departure-report.ts';

export interface DepartureLoaders {
  /** By subject id. */
  departures: DataLoader<string, Departure[]>;
  /** By report id. */
  departureDeliveries: DataLoader<string, DepartureDelivery[]>;
}

export const departureLoaders =
  ({ departureReports }: { departureReports: DepartureReports }) =>
  ({ tenant }: LoaderScope): DepartureLoaders => ({
    departures: batchMany(
      (ids) => departureReports.of(tenant, ids),
      (departure) => departure.subjectId,
    ),
    departureDeliveries: batchMany(
      (ids) => departureReports.deliveriesOf(tenant, ids),
      (delivery) => delivery.departureId,
    ),
  });
