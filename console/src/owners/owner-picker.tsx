import { useQuery } from '@apollo/client/react';
import { useDeferredValue, useState } from 'react';
import { useMay } from '../session/index.ts';
import { Combo, type Found } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { CredentialOwnerSearchDocument, CredentialPersonSearchDocument } from './generated/owners.ts';

interface PickerProps {
  label: string;
  hint?: string;
  problem?: string | undefined;
  isRequired?: boolean;
  autoFocus?: boolean;
  /** Initial text of the field. */
  name?: string;
  onChoose(id: string | undefined): void;
}

/** Finds an active user or a group. */
export function OwnerPicker(props: PickerProps) {
  const t = useTranslations('owners');
  const [text, setText] = useState(props.name ?? '');
  const search = useDeferredValue(text.trim());
  const mayGroups = useMay('groups:read');
  const mayReadUsers = useMay('users:read');
  const skip = search === '' || !mayReadUsers;
  const both = useQuery(CredentialOwnerSearchDocument, {
    variables: { text: search },
    skip: skip || !mayGroups,
  });
  const people = useQuery(CredentialPersonSearchDocument, {
    variables: { text: search },
    skip: skip || mayGroups,
  });
  const groups = (both.data?.groups?.edges ?? []).flatMap(({ node }) =>
    node ? [{ id: node.id, label: node.displayName, detail: t('group') }] : [],
  );
  const users = usersOf(mayGroups ? both.data?.users : people.data?.users);
  return <Picker {...props} text={text} onText={setText} items={[...users, ...groups]} />;
}

/** Finds an active user. */
export function ActiveUserPicker(props: PickerProps) {
  const [text, setText] = useState(props.name ?? '');
  const search = useDeferredValue(text.trim());
  const mayReadUsers = useMay('users:read');
  const { data } = useQuery(CredentialPersonSearchDocument, {
    variables: { text: search },
    skip: search === '' || !mayReadUsers,
  });
  return <Picker {...props} text={text} onText={setText} items={usersOf(data?.users)} />;
}

interface People {
  edges: readonly { node: { id: string; userName: string; displayName: string | null } | null }[];
}

const usersOf = (people: People | null | undefined): Found[] =>
  (people?.edges ?? []).flatMap(({ node }) =>
    node ? [{ id: node.id, label: node.displayName ?? node.userName, detail: node.userName }] : [],
  );

function Picker({
  onChoose,
  onText,
  items,
  text,
  name: _name,
  ...field
}: PickerProps & { items: readonly Found[]; text: string; onText(text: string): void }) {
  return (
    <Combo
      {...field}
      items={items}
      text={text}
      onText={(value) => {
        onText(value);
        // An edited text invalidates the former choice.
        if (!items.some(({ label }) => label === value)) onChoose(undefined);
      }}
      onChoose={(found) => {
        if (found) onText(found.label);
        onChoose(found?.id);
      }}
    />
  );
}
