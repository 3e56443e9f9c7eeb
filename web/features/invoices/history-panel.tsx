import { Skeleton, VisuallyHidden } from '@mantine/core';
import { ArrowRight, ReceiptText } from 'lucide-react';
import { Link } from 'react-router';
import { listHistory } from '#shared/contract/invoices.ts';
import { useCall } from '#web/api/use-call.ts';
import classes from '#web/features/invoices/history-panel.module.css';
import { HistoryTable } from '#web/features/invoices/history-table.tsx';
import { invoiceTexts as texts } from '#web/features/invoices/texts.ts';
import { DisputeNotice } from '#web/features/payments/dispute-notice.tsx';
import type { Payment } from '#web/features/payments/use-payment.ts';
import { EmptyState, Loaded, StateCard } from '#web/ui/states.tsx';

/** Billing History of an activation: orders, payments and refunds, with their invoices. */
export function HistoryPanel({ activationId, payment }: { activationId: string; payment: Payment }) {
  const history = useCall(listHistory, { params: { id: activationId } });
  return (
    <>
      <div className={classes.head}>
        <VisuallyHidden component="h2">{texts.historyTitle}</VisuallyHidden>
        <Link className="link caption" to="/billing">
          {texts.allActivations} <ArrowRight size={15} aria-hidden />
        </Link>
      </div>
      <Loaded
        of={history}
        word={texts.historyLoading}
        failed={texts.historyFailed}
        shape={<Skeleton h={280} radius="lg" />}
      >
        {(entries) =>
          entries.length === 0 ? (
            <StateCard>
              <EmptyState icon={<ReceiptText size={20} />} title={texts.historyEmpty}>
                {texts.historyEmptyMore}
              </EmptyState>
            </StateCard>
          ) : (
            <>
              <DisputeNotice entries={entries} />
              <HistoryTable entries={entries} payment={payment} />
            </>
          )
        }
      </Loaded>
    </>
  );
}
