export { departureResolvers } from './departures.ts';
export { type DepartureLoaders, departureLoaders } from './loaders.ts';
