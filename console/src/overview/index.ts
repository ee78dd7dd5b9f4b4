import { LayoutDashboard } from 'lucide-react';
import type { Feature } from '../navigation/index.ts';

export const overview: Feature = {
  id: 'overview',
  section: undefined,
  path: '',
  icon: LayoutDashboard,
  scopes: ['users:read'],
};
