import { Alert } from '@mantine/core';
import { ShieldAlert } from 'lucide-react';
import { Link } from 'react-router';
import { type Dispute, listDisputes } from '#shared/contract/payments.ts';
import { portalConfig } from '#web/api/config.ts';
import { useCall } from '#web/api/use-call.ts';
import classes from '#web/features/payments/payment-notice.module.css';
import { disputeTexts as texts } from '#web/features/payments/texts.ts';
import { dayText } from '#web/ui/localized-days.ts';
import { moneyText } from '#web/ui/money-text.ts';

/** The payments of these subscriptions that the customer's bank disputes: what it means, and what to do (product §6.29). */
export function DisputeNotice({ entries }: { entries: readonly { id: string; desc: string }[] }) {
  const { data } = useCall(listDisputes, {});
  return data?.disputes.map((dispute) => {
    const entry = entries.find(({ id }) => id === dispute.billingCycleId);
    return entry === undefined ? null : <Notice key={dispute.disputeId} dispute={dispute} desc={entry.desc} />;
  });
}

function Notice({ dispute, desc }: { dispute: Dispute; desc: string }) {
  const { amount, openedOn, status, paymentId, activationId } = dispute;
  const { email } = portalConfig().support;
  return (
    <Alert
      className={classes.notice ?? ''}
      color="yellow"
      icon={<ShieldAlert size={18} />}
      title={texts.title(moneyText(amount), desc)}
    >
      <p>
        {texts.since(dayText(openedOn))} {texts.status[status]}
      </p>
      <p>{texts.access}</p>
      <p>
        {texts.todo}{' '}
        {activationId === null ? (
          <a className="link" href={`mailto:${email}?subject=${encodeURIComponent(paymentId)}`}>
            {texts.support}
          </a>
        ) : (
          <Link className="link" to={`/activations/${activationId}/support`}>
            {texts.support}
          </Link>
        )}
      </p>
      <p className="caption dim">
        {texts.payment} <span className="mono">{paymentId}</span>
      </p>
    </Alert>
  );
}
