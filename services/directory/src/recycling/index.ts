export { Recycling } from './domain/recycling.ts';
