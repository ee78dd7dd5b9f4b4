import { accountCommands } from './account.ts';
import { apiCommands } from './api.ts';
import { auditCommands } from './audit.ts';
import { clientCommands } from './client.ts';
import { completionCommand } from './completion.ts';
import { configurationCommands } from './configuration.ts';
import { connectorCommands } from './connector.ts';
import { deadLetterCommands } from './dead-letters.ts';
import type { CommandDefinition, GroupDefinition, OptionDefinition } from './definition.ts';
import { doctorCommand } from './doctor.ts';
import { keysCommands } from './keys.ts';
import { tenantCommands } from './tenant.ts';
import { userCommands } from './user.ts';

/** Options of every command, accepted before and after its name. */
export const globalOptions: readonly OptionDefinition[] = [
  { flags: '--json', description: 'print the result as JSON' },
  { flags: '--yes', description: 'do not ask for confirmation' },
  { flags: '--tenant <id>', description: 'tenant' },
  {
    flags: '--server <origin>',
    description: 'public origin of the installation, such as https://id.example',
  },
  { flags: '--profile <name>', description: 'profile created by `ostiary login`' },
  { flags: '--secret-stdin', description: 'read the secret of the client or operator from stdin' },
  { flags: '--operator', description: 'act as the operator of the installation, in --tenant' },
];

export const definitions: readonly (CommandDefinition | GroupDefinition)[] = [
  ...accountCommands,
  tenantCommands,
  clientCommands,
  apiCommands,
  connectorCommands,
  keysCommands,
  userCommands,
  deadLetterCommands,
  ...configurationCommands,
  auditCommands,
  doctorCommand,
  completionCommand(() => ({ definitions, options: globalOptions })),
];
