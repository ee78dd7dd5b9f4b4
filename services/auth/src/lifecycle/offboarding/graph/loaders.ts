import { batchMany, type DataLoader, type LoaderScope } from '@ostiary/graph';
import type { Departure, DepartureDelivery, OffboardingReports } from '../domain/departure-report.ts';

export interface OffboardingLoaders {
  /** By subject id. */
  departures: DataLoader<string, Departure[]>;
  /** By report id. */
  offboardingDeliveries: DataLoader<string, DepartureDelivery[]>;
}

export const offboardingLoaders =
  ({ offboardingReports }: { offboardingReports: OffboardingReports }) =>
  ({ tenant }: LoaderScope): OffboardingLoaders => ({
    departures: batchMany(
      (ids) => offboardingReports.of(tenant, ids),
      (departure) => departure.subjectId,
    ),
    offboardingDeliveries: batchMany(
      (ids) => offboardingReports.deliveriesOf(tenant, ids),
      (delivery) => delivery.departureId,
    ),
  });
