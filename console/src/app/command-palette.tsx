import { useQuery } from '@apollo/client/react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import {
  Dialog as AriaDialog,
  Autocomplete,
  Input,
  ListBox,
  ListBoxItem,
  Modal,
  ModalOverlay,
  SearchField,
} from 'react-aria-components';
import { useMay, useSession } from '../session/index.ts';
import { useTranslations } from '../words/index.ts';
import { PaletteSearchDocument } from './generated/search.ts';
import { features } from './navigation.ts';

interface Entry {
  id: string;
  label: string;
  detail: string;
  path: string;
}

/** Finds pages and users by the first letters of their names. */
export function CommandPalette({ onClose }: { onClose(): void }) {
  const t = useTranslations('shell');
  const [text, setText] = useState('');
  const navigate = useNavigate();
  const { tenant } = useParams({ from: '/t/$tenant' });
  const entries = useEntries(useDeferredValue(text.trim()));
  const go = (path: string) => {
    onClose();
    void navigate({ to: `/t/${tenant}/${path}` as '/' });
  };
  return (
    <ModalOverlay className="overlay palette" isOpen isDismissable onOpenChange={(open) => open || onClose()}>
      <Modal className="modal">
        <AriaDialog className="dialog" aria-label={t('search')}>
          <Autocomplete inputValue={text} onInputChange={setText}>
            <SearchField autoFocus aria-label={t('search')} className="field">
              {/* ARIA: an input with an active descendant in another element is a combo box. */}
              <Input
                type="text"
                role="combobox"
                aria-expanded
                aria-haspopup="listbox"
                placeholder={t('searchHint')}
              />
            </SearchField>
            <ListBox
              className="listbox"
              aria-label={t('results')}
              items={entries}
              renderEmptyState={() => <p className="empty">{t('nothing')}</p>}
            >
              {({ id, label, detail, path }) => (
                <ListBoxItem id={id} className="listbox-item" textValue={label} onAction={() => go(path)}>
                  {label} <span className="soft">{detail}</span>
                </ListBoxItem>
              )}
            </ListBox>
          </Autocomplete>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

function useEntries(text: string): Entry[] {
  const t = useTranslations('navigation');
  const shell = useTranslations('shell');
  const { scopes } = useSession();
  const mayRead = useMay('users:read');
  const { data } = useQuery(PaletteSearchDocument, { variables: { text }, skip: text === '' || !mayRead });
  const words = text.toLowerCase();
  const pages = features
    .filter((feature) => feature.scopes.some((scope) => scopes.has(scope)))
    .map(({ id, path }) => ({ id: `page-${id}`, label: t(id), detail: shell('page'), path }))
    .filter(({ label }) => label.toLowerCase().includes(words));
  const people = (data?.users?.edges ?? []).flatMap(({ node }) =>
    node
      ? [
          {
            id: node.id,
            label: node.displayName ?? node.userName,
            detail: node.userName,
            path: `users/${node.id}`,
          },
        ]
      : [],
  );
  return text === '' ? pages : [...people, ...pages];
}
