export { type Changes, changesBetween, masked } from './domain/changes.ts';
export { counted } from './domain/counted.ts';
export { currentActor, currentOrigin, type Origin, runFor, runFrom } from './domain/origin.ts';
export type {
  Counted,
  NewSecurityEvent,
  ResourceType,
  SecurityAction,
  SecurityLog,
  SecurityLogFilter,
} from './domain/security-log.ts';
