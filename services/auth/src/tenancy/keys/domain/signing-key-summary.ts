import type { SigningAlgorithm } from './jwt.ts';
import type { KeyState } from './signing-keys.ts';

export interface SigningKeySummary {
  kid: string;
  alg: SigningAlgorithm;
  state: KeyState;
  createdAt: Date;
  activeAt: Date | null;
  retiredAt: Date | null;
}
