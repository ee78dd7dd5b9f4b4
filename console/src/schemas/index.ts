import { Braces } from 'lucide-react';
import type { Feature } from '../navigation/index.ts';

export const schemas: Feature = {
  id: 'schemas',
  section: 'system',
  path: 'schemas',
  icon: Braces,
  scopes: ['tenants:read'],
};
