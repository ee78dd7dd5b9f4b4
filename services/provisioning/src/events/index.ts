export { consumerName, grantingEvents, projectEvents } from './domain/directory-events.ts';
export type { ResourceLinks } from './domain/resource-links.ts';
