import { TenantLink } from '../../navigation/index.ts';
import { Badge, Copyable, Dialog, Facts, Note, Time } from '../../ui/index.ts';
import { useFormatter, useTranslations } from '../../words/index.ts';
import { requestTone } from '../source.ts';
import { adviceOn } from './advice.ts';
import type { SourceRequestFragment } from './generated/requests.ts';

/** One SCIM request, with advice if it was rejected. */
export function RequestDialog({ request, onClose }: { request: SourceRequestFragment; onClose(): void }) {
  const t = useTranslations('sources.requests');
  const format = useFormatter();
  const advice = adviceOn(request);
  const { resourceId, resourceType } = request;
  return (
    <Dialog
      title={`${request.method} ${resourceType === null ? '' : t(`resources.${resourceType}`)}`}
      isOpen
      onClose={onClose}
      size="wide"
    >
      {advice && (
        <Note tone={requestTone(request.status)}>
          <strong>{request.detail ?? t('refused')}</strong>
          <br />
          {t(`advice.${advice}`)}
        </Note>
      )}
      <Facts
        facts={[
          [
            t('status'),
            <Badge key="status" tone={requestTone(request.status)}>
              {request.status}
            </Badge>,
          ],
          ['scimType', request.scimType ?? undefined],
          [t('at'), <Time key="at" at={request.at} />],
          [t('took'), t('ms', { ms: format.number(request.durationMs, { maximumFractionDigits: 1 }) })],
          [
            t('about'),
            resourceId === null ? undefined : (
              <TenantLink key="about" path={`${resourceType === 'GROUP' ? 'groups' : 'users'}/${resourceId}`}>
                {resourceId}
              </TenantLink>
            ),
          ],
          [t('requestId'), <Copyable key="request" value={request.requestId} />],
          [
            t('changes'),
            <TenantLink key="changes" path="logs" search={{ request: request.requestId }}>
              {t('changesOf')}
            </TenantLink>,
          ],
        ]}
      />
    </Dialog>
  );
}
