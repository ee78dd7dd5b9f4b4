import type { Operator } from './place.ts';
import type { Scene } from './scene.ts';

/** Something that closes doors. */
export interface Trigger {
  name: string;
  /** Of the table. */
  column: string;
  /** Whether it needs a tenant that nobody else is in. */
  ownTenant?: true;
  /** Whether it is also looked whether anybody else is touched. */
  bystanders?: true;
  /** What must be so before the doors are opened. */
  prepare?(scene: Scene): Promise<void>;
  fire(scene: Scene, operator: Operator): Promise<void>;
  /** What somebody is told who tries once more because the answer got lost: that it is done. */
  done?: RegExp;
  /** Undoes it, where that can be done. */
  comeBack?(scene: Scene, operator: Operator): Promise<void>;
}
