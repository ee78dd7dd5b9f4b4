import { AppWindow } from 'lucide-react';
import type { Feature } from '../navigation/index.ts';

export const applications: Feature = {
  id: 'applications',
  section: 'access',
  path: 'applications',
  icon: AppWindow,
  scopes: ['clients:read'],
};
