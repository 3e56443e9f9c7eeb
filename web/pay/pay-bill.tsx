import { TextInput } from '@mantine/core';
import { type FormEvent, Suspense, useState } from 'react';
import type { PayLinkBill } from '#shared/contract/pay-links.ts';
import { emailSchema } from '#shared/contract/email.ts';
import classes from '#web/pay/pay-page.module.css';
import { payLinkTexts as texts } from '#web/pay/texts.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { lazyComponent } from '#web/ui/load-code.ts';
import { dayText, periodText } from '#web/ui/localized-days.ts';
import { moneyText } from '#web/ui/money-text.ts';
import panel from '#web/ui/panel.module.css';

const PayTransfer = lazyComponent(async () => (await import('#web/pay/pay-transfer.tsx')).PayTransfer);

interface PayBillProps {
  link: string;
  bill: PayLinkBill;
  step: 'idle' | 'opening' | 'open' | 'confirming';
  onPay: (email: string) => void;
}

/** What is to be paid, and the ways to pay it. */
export function PayBill({ link, bill, step, onPay }: PayBillProps) {
  const [email, setEmail] = useState('');
  const [isFaulty, setFaulty] = useState(false);
  const [byTransfer, setByTransfer] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isEmail = email.trim() === '' || emailSchema.safeParse(email).success;
    setFaulty(!isEmail);
    if (isEmail) onPay(email.trim());
  };
  const label = {
    idle: texts.pay(moneyText(bill.amount)),
    opening: texts.opening,
    open: texts.confirming,
    confirming: texts.confirming,
  };
  return (
    <>
      <section className={panel.panel}>
        <Facts look="rows" facts={factsOf(bill)} />
      </section>
      <form className={panel.panel} onSubmit={submit} noValidate>
        <TextInput
          type="email"
          name="email"
          autoComplete="email"
          label={texts.email}
          description={texts.emailHint}
          value={email}
          error={isFaulty ? texts.emailFault : null}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <ActionButton type="submit" size="md" running={step !== 'idle'}>
          {label[step]}
        </ActionButton>
        <p className="caption dim">{texts.methods}</p>
      </form>
      {bill.byTransfer && !byTransfer ? (
        <ActionButton variant="default" running={step !== 'idle'} onClick={() => setByTransfer(true)}>
          {texts.byTransfer}
        </ActionButton>
      ) : null}
      {byTransfer ? (
        <Suspense>
          <PayTransfer link={link} bill={bill} />
        </Suspense>
      ) : null}
    </>
  );
}

function factsOf({ seller, productName, lines, amount, taxableValue, taxes, purchaseOrder, invoice }: PayLinkBill) {
  return [
    { key: 'seller', label: texts.sellerGstin, value: seller.gstin },
    { key: 'api', label: texts.api, value: productName },
    ...lines.map(({ planName, days, amount: rupees }, at) => ({
      key: `line ${at}`,
      label: texts.plan,
      value: (
        <>
          {planName}
          {lines.length > 1 ? ` · ${moneyText(rupees)}` : ''}
          <span className={classes.days}>{days === null ? texts.packDays : periodText(days)}</span>
        </>
      ),
    })),
    ...(invoice === null
      ? []
      : [
          { key: 'invoice', label: texts.invoice, value: invoice.number },
          { key: 'dueOn', label: texts.dueOn, value: dayText(invoice.dueOn) },
        ]),
    ...(purchaseOrder === null ? [] : [{ key: 'po', label: texts.purchaseOrder, value: purchaseOrder }]),
    { key: 'taxable', label: texts.taxable, value: moneyText(taxableValue) },
    ...taxes.map(({ name, amount: rupees }) => ({ key: name, label: name, value: moneyText(rupees) })),
    ...(invoice === null || invoice.total === amount
      ? []
      : [{ key: 'invoiced', label: texts.invoiced, value: moneyText(invoice.total) }]),
    { key: 'total', label: texts.total, value: moneyText(amount), className: classes.total },
  ];
}
