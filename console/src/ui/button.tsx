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
 * While it is pending a button stays where it is, keeps the focus and does nothing. (React Aria's own way of that announces the button by
 * its id, which is gone when the dialog around it closes.)
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

/** A button for what takes a scope. Whoever doesn't have it is told so, and isn't offered it. */
export function Action({
  scopes,
  children,
  ...props
}: ButtonProps & { scopes: readonly string[]; children: ReactNode }) {
  const may = useMay(...scopes);
  return may ? <Button {...props}>{children}</Button> : <Locked scopes={scopes}>{children}</Locked>;
}

/** The browser's own popover: it closes by Escape and by a click elsewhere. */
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
