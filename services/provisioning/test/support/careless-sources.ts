import { afterAll, beforeAll, expect } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { type Source, startWithDirectory, type WithDirectory } from './real-directory.ts';
import type { ScimResponse } from './service.ts';

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const bulkRequest = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
export const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** Starts a system with the sources of two tenants, which send invalid requests. Call it where tests are defined. */
export function carelessSources() {
  let system: WithDirectory;
  const sources: { hr?: Source; rival?: Source } = {};

  beforeAll(async () => {
    system = await startWithDirectory();
    sources.hr = await system.source('rfc');
    sources.rival = await system.source('rfc', 'rival');
  });
  afterAll(async () => {
    await system?.close();
  });

  const at = (name: 'hr' | 'rival'): Pick<Source, 'call'> & { readonly token: string } => ({
    get token() {
      return (sources[name] as Source).token;
    },
    call: (...request) => (sources[name] as Source).call(...request),
  });
  const hr = at('hr');
  type Caller = Pick<Source, 'call'>;

  const outcome = ({ status, body }: ScimResponse) => [status, body?.scimType];
  const user = (more: object = {}) => ({ schemas: [userSchema], userName: `user-${uuidv7()}`, ...more });
  const create = async (more: object = {}, at: Caller = hr) => {
    const answer = await at.call('POST', '/Users', { body: user(more) });
    expect(answer.status).toBe(201);
    return answer.body as { id: string; userName: string } & Record<string, unknown>;
  };
  const createGroup = async (at: Caller = hr, ...members: string[]) => {
    const answer = await at.call('POST', '/Groups', {
      body: { schemas: [groupSchema], displayName: 'G', members: members.map((value) => ({ value })) },
    });
    expect(answer.status).toBe(201);
    return answer.body.id as string;
  };
  const patch = (path: string, operation: object, at: Caller = hr) =>
    at.call('PATCH', path, { body: { schemas: [patchOp], Operations: [operation] } });
  const read = async (path: string, at: Caller = hr) => (await at.call('GET', path)).body;
  return {
    hr,
    rival: at('rival'),
    get system() {
      return system;
    },
    outcome,
    user,
    create,
    createGroup,
    patch,
    read,
  };
}
