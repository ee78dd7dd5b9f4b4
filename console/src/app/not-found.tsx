import { Empty } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';

export function NotFound() {
  const t = useTranslations('start');
  return <Empty title={t('notFound')}>{t('notFoundHint')}</Empty>;
}
