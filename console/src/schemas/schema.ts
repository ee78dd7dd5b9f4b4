import type { SchemaListQuery } from './generated/schemas.ts';

export type Schema = NonNullable<SchemaListQuery['schemasConnection']>['edges'][number]['node'];
