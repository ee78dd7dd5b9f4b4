export { type StatisticsLoaders, statisticsLoaders } from './loaders.ts';
export { growthResolvers, statisticsOfTenant, statisticsQueries, statisticsResolvers } from './statistics.ts';
