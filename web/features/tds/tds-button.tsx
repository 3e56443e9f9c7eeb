import { Button } from '@mantine/core';
import { useState } from 'react';
import type { HistoryEntry } from '#contract/invoices.ts';
import { TdsDialog } from '#web/features/tds/tds-dialog.tsx';
import { tdsTexts as texts } from '#web/features/tds/texts.ts';

/** Opens the claim about TDS of a subscription, or the form to declare it; nothing where no TDS is possible. */
export function TdsButton({
  entry: { id, invoiceId, tds },
}: {
  entry: Pick<HistoryEntry, 'id' | 'invoiceId' | 'tds'>;
}) {
  const [opened, setOpened] = useState(false);
  if (tds === null || invoiceId === null || (!tds.mayDeclare && tds.claim === null)) return null;
  const isNew = tds.claim === null;
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        mr={-10}
        aria-label={isNew ? texts.declareOf(invoiceId) : texts.openOf(invoiceId)}
        onClick={() => setOpened(true)}
      >
        {isNew ? texts.declare : texts.open}
      </Button>
      <TdsDialog cycleId={id} invoice={invoiceId} tds={tds} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}
