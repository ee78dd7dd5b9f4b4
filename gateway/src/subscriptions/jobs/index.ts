export { LiveFeed } from './event-feed.ts';
