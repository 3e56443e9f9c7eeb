import { bankTransferTexts as texts } from '#web/features/bank-transfers/texts.ts';
import classes from '#web/features/bank-transfers/bank-transfer.module.css';
import { CopyIcon } from '#web/ui/copy-button.tsx';
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

interface TransferFactsProps {
  amount: number;
  account: { name: string; number: string; ifsc: string; bank: string };
  /** What may be transferred instead, where tax is deducted. */
  less: { percent: number; tds: number; amount: number } | null;
}

/** Where to and exactly what to transfer, each with a button that copies it. */
export function TransferFacts({ amount, account, less }: TransferFactsProps) {
  return (
    <Facts
      look="rows"
      className={classes.facts}
      facts={[
        copied('amount', texts.amount, moneyText(amount), String(amount)),
        ...(less === null
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
  );
}
