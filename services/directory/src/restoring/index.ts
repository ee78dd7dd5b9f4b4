export {
  type Reapplied,
  type Remembered,
  type RestoredDirectory,
  type RestoredTenant,
  reapply,
} from './domain/restoring.ts';
