export { hasDepartureReport, PostgresDepartureReports } from './departures.ts';
export { closeDoorsOf } from './doors.ts';
