import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { Button, Menu } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { uiTexts as texts } from '#web/ui/texts.ts';

interface MoreMenuProps {
  /** Its accessible name: 'More for OCT/26-27/000016'. */
  label: string;
  /** Takes the focus before an item opens a dialog, which returns it there: the item is gone by then. */
  opener: Ref<HTMLButtonElement>;
  children: ReactNode;
}

/** The rarer actions of a row. */
export function MoreMenu({ label, opener, children }: MoreMenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          ref={opener}
          variant="subtle"
          color="gray"
          size="xs"
          data-print="hidden"
          rightSection={<ChevronDown size={14} aria-hidden />}
          aria-label={label}
        >
          {texts.more}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
