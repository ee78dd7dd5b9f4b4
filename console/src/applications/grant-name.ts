import { useTranslations } from '../words/index.ts';
import { deviceCodeGrant, jwtBearerGrant, tokenExchangeGrant } from './kinds.ts';

/** Returns the label of a grant type, with its identifier if that is short. */
export function useGrantName(): (grant: string) => string {
  const t = useTranslations('applications.grants');
  return (grant) => {
    switch (grant) {
      case 'authorization_code':
      case 'refresh_token':
      case 'client_credentials':
        return t(grant);
      case deviceCodeGrant:
        return t('device_code');
      case tokenExchangeGrant:
        return t('token_exchange');
      case jwtBearerGrant:
        return t('jwt_bearer');
      default:
        return grant;
    }
  };
}
