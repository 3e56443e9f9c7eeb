import { Button, type ButtonProps, type ElementProps, Loader } from '@mantine/core';
import { type MouseEvent, useContext } from 'react';
import type { MemberCallName } from '#shared/policies/members/rights.ts';
import { ReadOnly, RoleLimits } from '#web/ui/read-only.ts';

interface ActionButtonProps extends ButtonProps, ElementProps<'button', keyof ButtonProps> {
  /** The call that it leads to: for a role that may not make it, it says so. */
  call?: MemberCallName;
  /** Is what it starts under way? */
  running?: boolean;
  /** It changes nothing, so it can be pressed everywhere. */
  isRead?: true;
}

/**
 * A button that starts something. While that runs it cannot be pressed again but keeps the focus, which a dialog that opens then gives back to it, and
 * a turning ring stands where its icon stood.
 */
export function ActionButton({ call, running = false, isRead, disabled, leftSection, ...button }: ActionButtonProps) {
  const limits = useContext(RoleLimits);
  const readOnly = useContext(ReadOnly);
  const explained = (isRead === true ? null : readOnly) ?? (call === undefined ? null : limits(call));
  const shown = {
    ...button,
    disabled: !running && disabled === true,
    leftSection: running ? <Loader color="currentColor" /> : leftSection,
  };
  if (explained === null && !running) return <Button {...shown} />;
  // A button that is `disabled` could not be pointed at, and its explanation not be read; it would lose the focus.
  const off = <Button {...shown} data-disabled aria-disabled onClick={refuse} />;
  return explained === null ? off : explained(off);
}

/** Also what Enter in a form would send. */
const refuse = (event: MouseEvent) => event.preventDefault();
