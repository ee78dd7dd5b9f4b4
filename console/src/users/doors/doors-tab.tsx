import { PersonApiRoles } from '../../apis/parts.ts';
import { FailureNote } from '../../graph/index.ts';
import { GroupsPart } from '../access/groups-part.tsx';
import { OriginPart } from '../access/origin-part.tsx';
import { RolesPart } from '../access/roles-part.tsx';
import { AccessTokensPart } from './access-tokens-part.tsx';
import { AgentsPart } from './agents-part.tsx';
import { CredentialsPart } from './credentials-part.tsx';
import { GrantsPart } from './grants-part.tsx';
import { KnownPart } from './known-part.tsx';
import { OwnedPart } from './owned-part.tsx';
import { SessionsPart } from './sessions-part.tsx';
import { useAccessPaths } from './use-doors.ts';

/** All access paths of a user, each with the action that closes it. */
export function AccessPathsTab({ id }: { id: string }) {
  const { ofAuth, ofProvisioning } = useAccessPaths(id);
  return (
    <div className="stack">
      <FailureNote failure={ofAuth.failure} onRetry={ofAuth.refetch} />
      <FailureNote failure={ofProvisioning.failure} onRetry={ofProvisioning.refetch} />
      <div className="halves">
        <div className="half">
          <SessionsPart {...ofAuth} />
          <GrantsPart {...ofAuth} />
          <AgentsPart {...ofAuth} />
          <AccessTokensPart {...ofAuth} />
          <OwnedPart auth={ofAuth} provisioning={ofProvisioning} />
          <KnownPart auth={ofAuth} provisioning={ofProvisioning} />
        </div>
        <div className="half">
          <CredentialsPart {...ofAuth} />
          <RolesPart {...ofAuth} />
          <PersonApiRoles id={id} />
          <GroupsPart id={id} />
          <OriginPart {...ofProvisioning} />
        </div>
      </div>
    </div>
  );
}
