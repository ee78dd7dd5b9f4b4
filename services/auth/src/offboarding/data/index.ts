export { PostgresDepartureReports } from './departures.ts';
