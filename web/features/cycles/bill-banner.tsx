import { TriangleAlert } from 'lucide-react';
import { Link } from 'react-router';
import type { Cycle } from '#shared/contract/cycles.ts';
import { cycleTexts as texts } from '#web/features/cycles/texts.ts';
import classes from '#web/features/cycles/subscriptions-page.module.css';
import { BankTransfer } from '#web/features/bank-transfers/bank-transfer.tsx';
import { PayLinkOffer } from '#web/features/pay-links/pay-link-offer.tsx';
import { PayButton } from '#web/features/payments/pay-button.tsx';
import type { Payment } from '#web/features/payments/use-payment.ts';
import { useMay } from '#web/roles/use-role.ts';
import { dayText } from '#web/ui/localized-days.ts';

interface BillBannerProps {
  activationId: string;
  /** Of which something is owed, the oldest bill first. */
  billed: readonly Cycle[];
  payment: Payment;
}

/** Asks for the oldest bill of an activation, and says whether calls are refused until it is paid. */
export function BillBanner({ activationId, billed, payment }: BillBannerProps) {
  const may = useMay();
  const cycle = billed[0];
  if (!cycle?.bill || !may('createOrder')) return null;
  const { bill, planName, phase } = cycle;
  const purchase = { cycleId: cycle.id };
  return (
    <output className={classes.banner}>
      <TriangleAlert size={20} aria-hidden />
      <span className={classes.bannerText}>
        <b>{texts.bill[phase === 'over' ? 'OVERDUE' : bill.state]}</b>
        {texts.billDue(planName, dayText(bill.dueOn))}
        <span className={classes.ways}>
          <BankTransfer activationId={activationId} purchase={purchase} payment={payment} />
          <PayLinkOffer activationId={activationId} purchase={purchase} />
          {billed.length > 1 && (
            <Link className="link" to="/billing">
              {texts.allBills}
            </Link>
          )}
        </span>
      </span>
      <PayButton payment={payment} purchase={purchase} rupees={bill.owed} />
    </output>
  );
}
