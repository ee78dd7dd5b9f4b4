import type { Operator } from './place.ts';
import type { Scene } from './scene.ts';

/** A change that closes access paths. */
export interface Trigger {
  name: string;
  /** Column of the table. */
  column: string;
  /** Whether it needs a separate tenant. */
  ownTenant?: true;
  /** Whether other users are verified to be unaffected. */
  bystanders?: true;
  /** Prepares the scene before access paths are opened. */
  prepare?(scene: Scene): Promise<void>;
  fire(scene: Scene, operator: Operator): Promise<void>;
  /** Error of a repeated request whose first answer was lost: the change is done. */
  done?: RegExp;
  /** Undoes the change, where that is possible. */
  comeBack?(scene: Scene, operator: Operator): Promise<void>;
}
