import { Send } from 'lucide-react';
import type { Feature } from '../navigation/index.ts';

export const deliveries: Feature = {
  id: 'deliveries',
  section: 'outside',
  path: 'deliveries',
  icon: Send,
  scopes: ['webhooks:read'],
};
