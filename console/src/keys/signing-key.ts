import type { SigningKeyListQuery } from './generated/keys.ts';

export type SigningKey = NonNullable<SigningKeyListQuery['signingKeysConnection']>['edges'][number]['node'];
