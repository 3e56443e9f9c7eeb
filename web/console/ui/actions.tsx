import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { Button, Menu } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { useRef } from 'react';
import { useMay } from '#web/console/api/use-operator.ts';
import { useActionDialog } from '#web/console/ui/action-host.tsx';
import type { Action } from '#web/console/ui/action.ts';
import { useKeys } from '#web/console/ui/use-keys.ts';

interface ActionsProps {
  list: readonly Action[];
  /** In a row of a table: the name of what it is about. Otherwise it is about the page, and each also opens by its letter. */
  of?: string;
  /** How many stand as buttons; the others are in a menu. */
  shown?: number;
}

/** What the operator may do here. */
export function Actions({ list, of, shown = 2 }: ActionsProps) {
  const may = useMay();
  const open = useActionDialog();
  const opener = useRef<HTMLButtonElement>(null);
  const allowed = list.filter(({ call }) => may(call));
  const buttons = allowed.slice(0, shown);
  const more = allowed.slice(shown);
  const look = of === undefined ? { variant: 'default', size: 'sm' } : { variant: 'subtle', color: 'gray', size: 'xs' };
  useKeys(
    allowed.flatMap((action) =>
      of !== undefined || action.letter === undefined ? [] : [[action.letter, () => open(action)] as const],
    ),
  );
  return (
    <>
      {buttons.map((action) => (
        <Button
          key={action.title}
          {...look}
          {...(of === undefined ? letterOf(action) : { 'aria-label': `${action.verb}: ${of}` })}
          onClick={() => open(action)}
        >
          {of === undefined ? action.title : action.verb}
        </Button>
      ))}
      {more.length === 0 ? null : (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button
              ref={opener}
              {...look}
              rightSection={<ChevronDown size={14} aria-hidden />}
              {...(of !== undefined && { 'aria-label': `More: ${of}` })}
            >
              More
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {more.map((action) => (
              <Menu.Item
                key={action.title}
                {...(action.isDangerous === true && { color: 'red' })}
                {...letterOf(action)}
                rightSection={of === undefined && <span className="caption dim">{action.letter}</span>}
                onClick={() => {
                  // The item is gone when the dialog returns the focus.
                  opener.current?.focus();
                  open(action);
                }}
              >
                {action.title}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}

const letterOf = ({ letter }: Action) =>
  letter === undefined ? {} : { 'aria-keyshortcuts': letter, title: `Press ${letter}` };
