import { Palette } from 'lucide-react';
import type { Feature } from '../navigation/index.ts';

export const branding: Feature = {
  id: 'branding',
  section: 'system',
  path: 'branding',
  icon: Palette,
  scopes: ['tenants:read'],
};
