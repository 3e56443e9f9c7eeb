import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { Button, Menu } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { useContext, useEffect, useRef } from 'react';
import { useMay } from '#web/console/api/use-operator.ts';
import { useActionDialog, useOffers } from '#web/console/ui/action-host.tsx';
import type { Action } from '#web/console/ui/action.ts';
import { RowLetters } from '#web/console/ui/row-table.tsx';
import { useKeys } from '#web/console/ui/use-keys.ts';

interface ActionsProps {
  list: readonly Action[];
  /**
   * In a row of a table: the name of what it is about, and each opens by its letter while the row has the focus. Otherwise it is about the page:
   * each opens by its letter, and is found in the search box.
   */
  of?: string;
  /** How many stand as buttons; the others are in a menu. */
  shown?: number;
}

/** What the operator may do here. */
export function Actions({ list, of, shown = 2 }: ActionsProps) {
  const may = useMay();
  const open = useActionDialog();
  const opener = useRef<HTMLButtonElement>(null);
  const row = useContext(RowLetters);
  const permitted = list.filter(({ call }) => may(call));
  const allowed = row === null ? permitted : withLetters(permitted);
  const buttons = allowed.slice(0, shown);
  const more = allowed.slice(shown);
  const look = of === undefined ? { variant: 'default', size: 'sm' } : { variant: 'subtle', color: 'gray', size: 'xs' };
  useKeys(
    allowed.flatMap((action) =>
      row !== null || action.letter === undefined ? [] : [[action.letter, () => open(action)] as const],
    ),
  );
  useOffers(row === null ? allowed : []);
  useEffect(() => {
    for (const action of allowed) if (action.letter !== undefined) row?.set(action.letter, () => open(action));
    return () => {
      for (const { letter } of allowed) if (letter !== undefined) row?.delete(letter);
    };
  });
  return (
    <>
      {buttons.map((action) => (
        <Button
          key={action.title}
          {...look}
          {...letterOf(action)}
          {...(of !== undefined && { 'aria-label': `${action.verb}: ${of}` })}
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
                rightSection={<span className="caption dim">{action.letter}</span>}
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

/** Each with a letter: its own, or the first of its verb that no other has, and that does not move between rows. */
function withLetters(actions: readonly Action[]): Action[] {
  const taken = new Set(['j', 'k', ...actions.flatMap(({ letter }) => letter ?? [])]);
  return actions.map((action) => {
    const free = action.verb
      .toLowerCase()
      .match(/[a-z]/g)
      ?.find((letter) => !taken.has(letter));
    const letter = action.letter ?? free;
    if (letter === undefined) return action;
    taken.add(letter);
    return { ...action, letter };
  });
}
