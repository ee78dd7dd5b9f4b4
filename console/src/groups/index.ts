import { UsersRound } from 'lucide-react';
import type { Feature } from '../navigation/index.ts';

export const groups: Feature = {
  id: 'groups',
  section: 'people',
  path: 'groups',
  icon: UsersRound,
  scopes: ['groups:read'],
};
