import type { DataLoader, Resolver } from '@ostiary/graph';
import type { ConferringLoaders } from '../../resources/graph/conferring.ts';
import type { StoredResource } from '../../resources/index.ts';
import type { Recycling } from '../domain/recycling.ts';

export interface RecyclingLoaders extends ConferringLoaders {
  directory(): Promise<{ readonly recycling: Recycling }>;
  users: DataLoader<string, StoredResource | null>;
  groups: DataLoader<string, StoredResource | null>;
  /** Clears the loaded groups of users after a change. */
  forgetGroupsOfUsers(): void;
}

export type RecyclingResolvers = Record<string, Resolver<RecyclingLoaders>>;
