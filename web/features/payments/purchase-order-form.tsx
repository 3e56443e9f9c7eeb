import { Button, TextInput } from '@mantine/core';
import type { Cycle } from '#shared/contract/cycles.ts';
import { createOrderOfPeriods } from '#shared/contract/payments.ts';
import { billingCalls } from '#web/api/billing-calls.ts';
import { NeedsNetwork } from '#web/features/payments/needs-network.tsx';
import { cyclesOf, type Purchase } from '#web/features/payments/purchase.ts';
import classes from '#web/features/payments/purchase-order.module.css';
import { paymentTexts, purchaseOrderTexts as texts } from '#web/features/payments/texts.ts';
import type { Payment } from '#web/features/payments/use-payment.ts';
import { ContractForm } from '#web/forms/contract-form.tsx';
import { DayInput } from '#web/forms/day-input.tsx';
import { useContractForm } from '#web/forms/use-contract-form.tsx';
import { ActionButton } from '#web/ui/action-button.tsx';
import { DialogContent, DialogFoot } from '#web/ui/dialog.tsx';
import { moneyText } from '#web/ui/money-text.ts';
import { useToday } from '#web/ui/today.ts';

export interface PurchaseOrderProps {
  activationId: string;
  purchase: Purchase;
  rupees: number;
  /** What the documents of this payment would name. */
  named: Cycle['purchaseOrder'];
  payment: Payment;
}

/** Names a purchase order on the order of a payment, and opens its checkout. */
export function PurchaseOrderForm({
  activationId,
  purchase,
  rupees,
  named,
  payment,
  onClose,
}: PurchaseOrderProps & { onClose: () => void }) {
  const today = useToday();
  const contractForm = useContractForm(createOrderOfPeriods, {
    initialValues: { number: named?.number ?? '', date: named?.date ?? '' },
    input: ({ number, date }: { number: string; date: string }) => ({
      params: { activationId },
      body: {
        billingCycleIds: [...cyclesOf(purchase)],
        purchaseOrder: number.trim() === '' && date === '' ? null : { number, date: date || null },
      },
    }),
    fieldOf: { purchaseOrder: 'number' },
    wording: () => texts.fault,
    changes: billingCalls,
    onDone: () => {
      onClose();
      payment.pay(purchase);
    },
  });
  const { field, running } = contractForm;
  return (
    <ContractForm of={contractForm}>
      <DialogContent>
        <p className="soft">{texts.lead}</p>
        <div className={classes.fields}>
          <TextInput
            {...field('number', texts.numberHint)}
            ref={takeFocus}
            label={texts.number}
            maxLength={16}
            autoComplete="off"
            spellCheck={false}
          />
          <DayInput {...field('date')} label={texts.date} max={today} clearable />
        </div>
      </DialogContent>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
        <NeedsNetwork>
          <ActionButton call="createOrderOfPeriods" type="submit" className="num" running={running}>
            {running ? paymentTexts.steps.opening : paymentTexts.pay(moneyText(rupees))}
          </ActionButton>
        </NeedsNetwork>
      </DialogFoot>
    </ContractForm>
  );
}

/** The dialog was opened before this code was there. */
function takeFocus(field: HTMLInputElement | null): void {
  field?.focus();
}
