import { Button } from '@mantine/core';
import { useState } from 'react';
import { readAsOperator } from '#web/console/api/operator-call.ts';
import { useMay } from '#web/console/api/use-operator.ts';
import { copyText } from '#web/ui/copy-button-clipboard.ts';
import { notifyFailure } from '#web/ui/notify.tsx';

/** Copies the link by which anybody can pay for an unpaid plan or pack. It is read when it is wanted, and stands on no page. */
export function CopyPayLink({ id }: { id: string }) {
  const may = useMay();
  const [label, setLabel] = useState('Copy pay link');
  const copy = async (): Promise<void> => {
    try {
      await copyText((await readAsOperator('findPayLink', { id })).url);
      setLabel('Copied!');
    } catch (error) {
      notifyFailure('There is no link', error instanceof Error ? error.message : undefined);
    }
  };
  if (!may('findPayLink')) return null;
  return (
    <Button variant="default" size="xs" onClick={() => void copy()}>
      <span aria-live="polite">{label}</span>
    </Button>
  );
}
