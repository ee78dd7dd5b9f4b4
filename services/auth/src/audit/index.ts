export { counted } from './domain/counted.ts';
export { currentActor, type Origin, runFor, runFrom } from './domain/origin.ts';
