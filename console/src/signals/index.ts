import { Radio } from 'lucide-react';
import type { Feature } from '../navigation/index.ts';

export const signals: Feature = {
  id: 'signals',
  section: 'outside',
  path: 'signals',
  icon: Radio,
  scopes: ['webhooks:read'],
};
