import type { Access } from '../access/module.ts';
import type { ClientServices } from '../clients/module.ts';
import type { Identity } from '../identity/module.ts';
import type { Lifecycle } from '../lifecycle/module.ts';
import type { OAuth } from '../oauth/module.ts';
import type { Platform, Process } from '../platform/module.ts';
import type { Signals } from '../signals/module.ts';
import type { Tenancy } from '../tenancy/module.ts';

/** Services of all districts. */
export type Dependencies = Process &
  Platform &
  Tenancy &
  Access &
  ClientServices &
  Identity &
  OAuth &
  Signals &
  Lifecycle;
