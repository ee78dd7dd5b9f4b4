export type { UpgradeOrigin, UpgradeRefusal } from './domain/upgrade.ts';
