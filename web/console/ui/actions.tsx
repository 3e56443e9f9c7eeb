import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { Button, Menu } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { ChevronDown } from 'lucide-react';
import { useRef, useState } from 'react';
import { useMay } from '#web/console/api/use-operator.ts';
import { ActionDialog } from '#web/console/ui/action-dialog.tsx';
import type { Action } from '#web/console/ui/action.ts';

/** What the operator may do here: the first ones as buttons, the others in a menu; each also by its letter. */
export function Actions({ list, shown = 2 }: { list: readonly Action[]; shown?: number }) {
  const may = useMay();
  const [current, setCurrent] = useState<Action | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const allowed = list.filter(({ call }) => may(call));
  const more = allowed.slice(shown);
  useHotkeys(
    allowed.flatMap((action) =>
      action.letter === undefined ? [] : [[action.letter, () => setCurrent(action)] as const],
    ),
  );
  return (
    <>
      {allowed.slice(0, shown).map((action) => (
        <Button key={action.title} variant="default" size="sm" onClick={() => setCurrent(action)} {...shortcut(action)}>
          {action.title}
        </Button>
      ))}
      {more.length === 0 ? null : (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button ref={opener} variant="default" size="sm" rightSection={<ChevronDown size={14} aria-hidden />}>
              More
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {more.map((action) => (
              <Menu.Item
                key={action.title}
                {...(action.isDangerous === true && { color: 'red' })}
                rightSection={action.letter === undefined ? null : <span className="caption dim">{action.letter}</span>}
                onClick={() => {
                  // The item is gone when the dialog returns the focus.
                  opener.current?.focus();
                  setCurrent(action);
                }}
              >
                {action.title}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <ActionDialog action={current} onClose={() => setCurrent(null)} />
    </>
  );
}

/** An action of one row of a table. */
export function RowAction({ action, label }: { action: Action; label: string }) {
  const may = useMay();
  const [opened, setOpened] = useState(false);
  if (!may(action.call)) return null;
  return (
    <>
      <Button
        size="xs"
        variant="subtle"
        color={action.isDangerous === true ? 'red' : 'gray'}
        aria-label={label}
        onClick={() => setOpened(true)}
      >
        {action.verb}
      </Button>
      <ActionDialog action={opened ? action : null} onClose={() => setOpened(false)} />
    </>
  );
}

const shortcut = ({ letter }: Action) =>
  letter === undefined ? {} : { 'aria-keyshortcuts': letter, title: `Press ${letter}` };
