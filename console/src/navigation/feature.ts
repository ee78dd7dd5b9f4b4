import type { LucideIcon } from 'lucide-react';
import type { Words } from '../words/index.ts';

/** Where in the navigation a feature stands. */
export type Section = 'people' | 'access' | 'sources' | 'outside' | 'system';
export const sections: readonly Section[] = ['people', 'access', 'sources', 'outside', 'system'];

/** What a part of the console says of itself: the navigation and the command palette are made of these. */
export interface Feature {
  id: keyof Words['navigation'];
  section: Section | undefined;
  /** Behind the tenant's address. */
  path: string;
  icon: LucideIcon;
  /** Any of these lets somebody see anything in it. */
  scopes: readonly string[];
}
