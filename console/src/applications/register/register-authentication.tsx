import { Select, TextField } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import type { MemberName } from '../registration/metadata.ts';

const methods = ['CLIENT_SECRET', 'CLIENT_SECRET_BASIC', 'CLIENT_SECRET_POST', 'PRIVATE_KEY_JWT'] as const;

export interface Authentication {
  method: (typeof methods)[number];
  jwks: string;
  jwksUri: string;
}

/** Chooses the token endpoint authentication method of a confidential client. */
export function AuthenticationFields({
  value,
  onChange,
  problem,
}: {
  value: Authentication;
  onChange(value: Authentication): void;
  problem(name: MemberName): string | undefined;
}) {
  const t = useTranslations('applications');
  return (
    <>
      <Select
        label={t('members.tokenEndpointAuthMethod.label')}
        hint={t('wizard.method')}
        options={methods.map((id) => ({ id, label: t(`wizard.methods.${id}`) }))}
        value={value.method}
        onChange={(key) => onChange({ ...value, method: key as Authentication['method'] })}
      />
      {value.method === 'PRIVATE_KEY_JWT' && (
        <>
          <TextField
            label={t('members.jwksUri.label')}
            hint={t('members.jwksUri.hint')}
            problem={problem('jwksUri')}
            value={value.jwksUri}
            onChange={(jwksUri) => onChange({ ...value, jwksUri })}
          />
          <TextField
            label={t('members.jwks.label')}
            hint={t('members.jwks.hint')}
            problem={problem('jwks')}
            rows={5}
            value={value.jwks}
            onChange={(jwks) => onChange({ ...value, jwks })}
          />
        </>
      )}
    </>
  );
}
