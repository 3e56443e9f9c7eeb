import { Button, type ButtonProps, type ElementProps, Loader } from '@mantine/core';
import { type MouseEvent, useContext } from 'react';
import { ReadOnly } from '#web/ui/read-only.ts';

interface ActionButtonProps extends ButtonProps, ElementProps<'button', keyof ButtonProps> {
  /** Is what it starts under way? */
  running: boolean;
  /** It changes nothing, so it can be pressed everywhere. */
  isRead?: true;
}

/** A button that starts something. While that runs it cannot be pressed again, and a turning ring stands where its icon stood. */
export function ActionButton({ running, isRead, disabled, leftSection, ...button }: ActionButtonProps) {
  const explained = useContext(ReadOnly);
  const shown = {
    ...button,
    disabled: running || disabled === true,
    leftSection: running ? <Loader color="currentColor" /> : leftSection,
  };
  if (explained === null || isRead === true) return <Button {...shown} />;
  // A button that is `disabled` could not be pointed at, and its explanation not be read.
  return explained(<Button {...shown} data-disabled aria-disabled onClick={refuse} />);
}

/** Also what Enter in a form would send. */
const refuse = (event: MouseEvent) => event.preventDefault();
