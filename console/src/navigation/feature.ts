import type { LucideIcon } from 'lucide-react';
import type { Words } from '../words/index.ts';

/** Section of the navigation. */
export type Section = 'people' | 'access' | 'sources' | 'outside' | 'system';
export const sections: readonly Section[] = ['people', 'access', 'sources', 'outside', 'system'];

/** Metadata of a feature, from which the navigation and the command palette are built. */
export interface Feature {
  id: keyof Words['navigation'];
  section: Section | undefined;
  /** Relative to the address of the tenant. */
  path: string;
  icon: LucideIcon;
  /** Each of these scopes permits reading a part of the feature. */
  scopes: readonly string[];
}
