import { Stamp } from 'lucide-react';
import type { Feature } from '../navigation/index.ts';

export const trustedIssuers: Feature = {
  id: 'trustedIssuers',
  section: 'access',
  path: 'trusted-issuers',
  icon: Stamp,
  scopes: ['clients:read'],
};
