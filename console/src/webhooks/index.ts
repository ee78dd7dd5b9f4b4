import { Webhook } from 'lucide-react';
import type { Feature } from '../navigation/index.ts';

export const webhooks: Feature = {
  id: 'webhooks',
  section: 'outside',
  path: 'webhooks',
  icon: Webhook,
  scopes: ['webhooks:read'],
};
