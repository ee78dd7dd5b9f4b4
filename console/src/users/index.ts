import { Users } from 'lucide-react';
import type { Feature } from '../navigation/index.ts';

export const users: Feature = {
  id: 'users',
  section: 'people',
  path: 'users',
  icon: Users,
  scopes: ['users:read'],
};
