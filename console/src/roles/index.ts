import { ShieldCheck } from 'lucide-react';
import type { Feature } from '../navigation/index.ts';

export const rolesFeature: Feature = {
  id: 'roles',
  section: 'people',
  path: 'roles',
  icon: ShieldCheck,
  scopes: ['roles:read', 'roles:write'],
};
