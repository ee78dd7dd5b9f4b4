import { KeyRound } from 'lucide-react';
import type { Feature } from '../navigation/index.ts';

export const keys: Feature = {
  id: 'keys',
  section: 'system',
  path: 'keys',
  icon: KeyRound,
  scopes: ['tenants:read'],
};
