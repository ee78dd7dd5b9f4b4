import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover, Text } from 'react-aria-components';
import { useSession } from '../session/index.ts';
import { useTranslations } from '../words/index.ts';
import { Button } from './button.tsx';

export interface MenuEntry {
  id: string;
  label: string;
  tone?: 'bad';
  /** Each of these scopes permits the action; without them the entry shows the required scopes. */
  scopes?: readonly string[];
  onAction(): void;
}

/** Menu of secondary actions. */
export function Menu({
  label,
  entries,
  children,
}: {
  label: string;
  entries: readonly MenuEntry[];
  children?: ReactNode;
}) {
  const t = useTranslations('common');
  const { scopes: held } = useSession();
  return (
    <MenuTrigger>
      <Button kind="plain" aria-label={label}>
        {children ?? <Ellipsis aria-hidden />}
      </Button>
      <Popover className="popover" placement="bottom end">
        <AriaMenu className="menu" items={entries} aria-label={label}>
          {({ id, label: text, tone, scopes, onAction }) => {
            const isLocked = scopes !== undefined && !scopes.some((scope) => held.has(scope));
            return (
              <MenuItem
                id={id}
                className="menu-item"
                textValue={text}
                isDisabled={isLocked}
                onAction={onAction}
                {...(tone ? { 'data-tone': tone } : {})}
              >
                <Text slot="label">{text}</Text>
                {isLocked && (
                  <Text slot="description" className="soft">
                    {t('needs', { scopes: scopes.join(', ') })}
                  </Text>
                )}
              </MenuItem>
            );
          }}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
