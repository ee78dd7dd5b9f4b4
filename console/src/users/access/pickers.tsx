import { useQuery } from '@apollo/client/react';
import { useDeferredValue, useState } from 'react';
import { Combo, type Found } from '../../ui/index.ts';
import { FindGroupsDocument, FindPeopleDocument } from './generated/access.ts';

interface PickerProps {
  label: string;
  hint?: string;
  problem?: string | undefined;
  onChoose(found: Found | undefined): void;
  autoFocus?: boolean;
}

/** Finds a user by the start of the name or address. */
export function UserPicker({ onChoose, ...field }: PickerProps) {
  const [text, setText] = useState('');
  const asked = useDeferredValue(text.trim());
  const { data, previousData } = useQuery(FindPeopleDocument, {
    variables: { text: asked },
    skip: asked === '',
  });
  const people = ((data ?? previousData)?.users?.edges ?? []).flatMap(({ node }) =>
    node ? [{ id: node.id, label: node.displayName ?? node.userName, detail: node.userName }] : [],
  );
  return (
    <Combo
      {...field}
      items={asked === '' ? [] : people}
      text={text}
      onText={setText}
      onChoose={(found) => {
        if (found) setText(found.label);
        onChoose(found);
      }}
    />
  );
}

/** Finds a group by the start of its name. */
export function GroupPicker({ onChoose, ...field }: PickerProps) {
  const [text, setText] = useState('');
  const asked = useDeferredValue(text.trim());
  const { data, previousData } = useQuery(FindGroupsDocument, {
    variables: { text: asked },
    skip: asked === '',
  });
  const groups = ((data ?? previousData)?.groups?.edges ?? []).flatMap(({ node }) =>
    node ? [{ id: node.id, label: node.displayName }] : [],
  );
  return (
    <Combo
      {...field}
      items={asked === '' ? [] : groups}
      text={text}
      onText={setText}
      onChoose={(found) => {
        if (found) setText(found.label);
        onChoose(found);
      }}
    />
  );
}
