import { Button } from '@mantine/core';
import { useState } from 'react';
import type { CallReply } from '#shared/contract/call.ts';
import type { payByTransfer } from '#shared/contract/bank-transfers.ts';
import { TransferTds } from '#web/features/bank-transfers/transfer-tds.tsx';
import { bankTransferTexts as texts } from '#web/features/bank-transfers/texts.ts';
import classes from '#web/features/bank-transfers/bank-transfer.module.css';
import { CopyIcon } from '#web/ui/copy-button.tsx';
import { DialogContent, DialogFoot } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { moneyText } from '#web/ui/money-text.ts';

const copied = (key: string, label: string, shown: string, value = shown) => ({
  key,
  label,
  value: (
    <span className={classes.value}>
      <span className="num">{shown}</span>
      <CopyIcon value={value} />
    </span>
  ),
});

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
        <Facts
          look="rows"
          className={classes.facts}
          facts={[
            copied('amount', texts.amount, moneyText(amount), String(amount)),
            ...(less === undefined
              ? []
              : [
                  copied(
                    'less',
                    texts.lessTds(less.percent, moneyText(less.tds)),
                    moneyText(less.amount),
                    String(less.amount),
                  ),
                ]),
            copied('number', texts.number, account.number),
            copied('ifsc', texts.ifsc, account.ifsc),
            copied('name', texts.name, account.name),
            ...(account.bank === '' ? [] : [{ key: 'bank', label: texts.bank, value: account.bank }]),
          ]}
        />
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
