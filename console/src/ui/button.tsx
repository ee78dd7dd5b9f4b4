import { LockKeyhole } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
  Link as AriaLink,
  type LinkProps,
} from 'react-aria-components';
import { useMay } from '../session/index.ts';
import { useTranslations } from '../words/index.ts';

type Kind = 'primary' | 'danger' | 'plain';

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style'> {
  kind?: Kind;
}

/**
 * A pending button keeps its position and the focus, and does nothing. (The pending state of React Aria announces the
 * button by its id, which no longer exists after the surrounding dialog closes.)
 */
export const Button = ({ kind, isPending = false, type, onPress, ...props }: ButtonProps) => (
  <AriaButton
    {...props}
    {...(onPress && !isPending ? { onPress } : {})}
    type={isPending ? 'button' : (type ?? 'button')}
    className="button"
    {...(isPending ? { 'data-busy': '' } : {})}
    {...(kind ? { 'data-kind': kind } : {})}
  />
);

export const ButtonLink = ({ kind, ...props }: Omit<LinkProps, 'className' | 'style'> & { kind?: Kind }) => (
  <AriaLink {...props} className="button" {...(kind ? { 'data-kind': kind } : {})} />
);

/** A button that requires a scope. Without it, the button is replaced by an explanation. */
export function Action({
  scopes,
  children,
  ...props
}: ButtonProps & { scopes: readonly string[]; children: ReactNode }) {
  const may = useMay(...scopes);
  return may ? <Button {...props}>{children}</Button> : <Locked scopes={scopes}>{children}</Locked>;
}

/** Uses the native popover, which closes on Escape and on clicks outside. */
function Locked({ scopes, children }: { scopes: readonly string[]; children: ReactNode }) {
  const t = useTranslations('common');
  const id = useId();
  return (
    <span className="locked">
      <button type="button" className="button" data-locked="" popoverTarget={id}>
        <LockKeyhole aria-hidden /> {children}
        <span className="visually-hidden">{t('locked')}</span>
      </button>
      <span id={id} popover="auto" className="popover locked-reason" role="note">
        {t('needs', { scopes: scopes.join(', ') })}
      </span>
    </span>
  );
}
