import { ScrollText } from 'lucide-react';
import type { Feature } from '../navigation/index.ts';

export const logs: Feature = {
  id: 'logs',
  section: 'system',
  path: 'logs',
  icon: ScrollText,
  scopes: ['audit:read', 'provisioning:read'],
};
