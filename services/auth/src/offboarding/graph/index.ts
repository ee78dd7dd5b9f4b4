export { departureResolvers } from './departures.ts';
