import { Button } from '@mantine/core';
import { useState } from 'react';
import type { CallReply } from '#shared/contract/call.ts';
import type { payByTransfer } from '#shared/contract/bank-transfers.ts';
import { TransferFacts } from '#web/features/bank-transfers/transfer-facts.tsx';
import { TransferTds } from '#web/features/bank-transfers/transfer-tds.tsx';
import { bankTransferTexts as texts } from '#web/features/bank-transfers/texts.ts';
import { DialogContent, DialogFoot } from '#web/ui/dialog.tsx';

/** The account number and exactly what to transfer to it, each with a button that copies it. */
export function BankTransferDetails({
  asked,
  onClose,
}: {
  asked: CallReply<typeof payByTransfer>;
  onClose: () => void;
}) {
  const { account, amount, planName, withholdsDebit, deductions } = asked;
  const [declared, setDeclared] = useState(asked.declared);
  const less = deductions.find(({ percent }) => percent === declared?.percent);
  return (
    <>
      <DialogContent>
        <p className="soft">{texts.lead(planName)}</p>
        <TransferFacts amount={amount} account={account} less={less ?? null} />
        {withholdsDebit && <p className="soft">{texts.withheld}</p>}
        <p className="caption dim">{texts.exact}</p>
        {deductions.length > 0 && <TransferTds declared={declared} onChange={setDeclared} />}
      </DialogContent>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {texts.close}
        </Button>
      </DialogFoot>
    </>
  );
}
