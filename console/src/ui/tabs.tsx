import type { ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components';

export interface TabOf<Id extends string> {
  id: Id;
  title: string;
  content: ReactNode;
}

/** Tabs of a page; the selected one is in the address. */
export const Tabs = <Id extends string>({
  label,
  tabs,
  selected,
  onSelect,
}: {
  label: string;
  tabs: readonly TabOf<Id>[];
  selected: Id;
  onSelect(id: Id): void;
}) => (
  <AriaTabs className="tabs" selectedKey={selected} onSelectionChange={(key) => onSelect(key as Id)}>
    <TabList className="tab-list" aria-label={label}>
      {tabs.map(({ id, title }) => (
        <Tab key={id} id={id} className="tab">
          {title}
        </Tab>
      ))}
    </TabList>
    {tabs.map(({ id, content }) => (
      <TabPanel key={id} id={id} className="tab-panel">
        {content}
      </TabPanel>
    ))}
  </AriaTabs>
);
