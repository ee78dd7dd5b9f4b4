import { Settings } from 'lucide-react';
import type { Feature } from '../navigation/index.ts';

export const tenant: Feature = {
  id: 'tenant',
  section: 'system',
  path: 'tenant',
  icon: Settings,
  scopes: ['tenants:read'],
};
