import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { MemberCallName } from '#shared/policies/members/rights.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { DialogContent, DialogFoot } from '#web/ui/dialog.tsx';

interface RemoveQuestionProps {
  /** The call that it leads to. */
  call?: MemberCallName;
  /** What is lost. */
  children: ReactNode;
  /** The safe button, which has the focus. */
  keep: string;
  onKeep: () => void;
  /** The decisive one. */
  remove: string;
  /** What it says while it works. */
  removing?: string;
  running?: boolean;
  /** What is lost is not known yet. */
  disabled?: boolean;
  onRemove: () => void;
}

/** The inside of a dialog that asks before something is ended or lost. */
export function RemoveQuestion({
  call,
  children,
  keep,
  onKeep,
  remove,
  removing = remove,
  running = false,
  disabled = false,
  onRemove,
}: RemoveQuestionProps) {
  return (
    <>
      <DialogContent>{children}</DialogContent>
      <DialogFoot>
        <Button variant="default" onClick={onKeep} data-autofocus>
          {keep}
        </Button>
        <ActionButton {...(call && { call })} color="red" running={running} disabled={disabled} onClick={onRemove}>
          {running ? removing : remove}
        </ActionButton>
      </DialogFoot>
    </>
  );
}
