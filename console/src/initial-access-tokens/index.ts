import { Ticket } from 'lucide-react';
import type { Feature } from '../navigation/index.ts';

export const initialAccessTokens: Feature = {
  id: 'initialAccessTokens',
  section: 'access',
  path: 'initial-access-tokens',
  icon: Ticket,
  scopes: ['clients:read'],
};
