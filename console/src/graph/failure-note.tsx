import { Button, Note } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import type { Failure, Problem } from './problems.ts';

/** Shows the missing part, the reason and possible actions. */
export function FailureNote({
  failure,
  onRetry,
}: {
  failure: Failure | undefined;
  onRetry?: (() => void) | undefined;
}) {
  const t = useTranslations('failures');
  const words = useTranslations('common');
  if (!failure) return null;
  const text =
    failure.kind === 'forbidden'
      ? t('forbidden', { scopes: failure.scopes ?? '' })
      : failure.kind === 'unavailable'
        ? t('unavailable', { services: failure.services.join(', ') || '?' })
        : failure.kind === 'other'
          ? t('other', { message: failure.message })
          : t(failure.kind);
  const isPassing = failure.kind !== 'forbidden';
  return (
    <Note
      tone={isPassing ? 'bad' : 'warn'}
      action={onRetry && isPassing && <Button onPress={onRetry}>{words('tryAgain')}</Button>}
    >
      {text}
    </Note>
  );
}

/** Returns the message of the problem of one member of the input. */
export const problemAt = (problems: readonly Problem[], name: string): string | undefined =>
  problems.find(({ path, attribute }) => path?.at(-1) === name || attribute === name)?.message;

/** Returns the message of the first problem that concerns none of these members. */
export const otherProblem = (problems: readonly Problem[], ...names: readonly string[]): string | undefined =>
  problems.find(
    ({ path, attribute }) => !names.includes(path?.at(-1) ?? '') && !names.includes(attribute ?? ''),
  )?.message;
