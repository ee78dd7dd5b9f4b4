import { Activity } from 'lucide-react';
import type { Feature } from '../navigation/index.ts';

export const system: Feature = {
  id: 'system',
  section: 'system',
  path: 'system',
  icon: Activity,
  scopes: ['tenants:read', 'audit:read'],
};
