import { Cable } from 'lucide-react';
import type { Feature } from '../navigation/index.ts';

export const sources: Feature = {
  id: 'sources',
  section: 'sources',
  path: 'sources',
  icon: Cable,
  scopes: ['connectors:read'],
};
