import { Suspense, useState } from 'react';
import type { PurchaseOrderProps } from '#web/features/payments/purchase-order-form.tsx';
import classes from '#web/features/payments/purchase-order.module.css';
import { purchaseOrderTexts as texts } from '#web/features/payments/texts.ts';
import { useIsBusiness } from '#web/features/payments/use-is-business.ts';
import { dayText } from '#web/ui/localized-days.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { lazyComponent } from '#web/ui/load-code.ts';

const PurchaseOrderForm = lazyComponent(
  async () => (await import('#web/features/payments/purchase-order-form.tsx')).PurchaseOrderForm,
);

/** The purchase order that the documents of a payment will name, and the way to another one (product §4.20); nothing for a buyer who is no business. */
export function PurchaseOrder(props: PurchaseOrderProps) {
  const { named, payment } = props;
  const [opened, setOpened] = useState(false);
  if (!useIsBusiness()) return null;
  const close = () => setOpened(false);
  return (
    <span className={classes.line}>
      {named !== null && (
        <span>{named.date === null ? texts.is(named.number) : texts.isOf(named.number, dayText(named.date))}</span>
      )}
      <button
        type="button"
        className={classes.change}
        disabled={payment.current !== null}
        onClick={() => setOpened(true)}
      >
        {named === null ? texts.add : texts.change}
      </button>
      <Dialog opened={opened} onClose={close} title={texts.title}>
        <Suspense>
          <PurchaseOrderForm {...props} onClose={close} />
        </Suspense>
      </Dialog>
    </span>
  );
}
