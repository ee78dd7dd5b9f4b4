import { Bot } from 'lucide-react';
import type { Feature } from '../navigation/index.ts';

export const serviceAccounts: Feature = {
  id: 'serviceAccounts',
  section: 'access',
  path: 'service-accounts',
  icon: Bot,
  scopes: ['clients:read'],
};
