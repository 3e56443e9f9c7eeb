import { Skeleton } from '@mantine/core';
import { CodeXml, CreditCard, LifeBuoy } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Activation } from '#shared/contract/activations.ts';
import { listApiKeys } from '#shared/contract/api-keys.ts';
import { useMay } from '#web/roles/use-role.ts';
import { useCall } from '#web/api/use-call.ts';
import { ActivationOfPath } from '#web/features/cycles/activation-of-path.tsx';
import classes from '#web/features/activations/activation-page.module.css';
import { Glance } from '#web/features/activations/glance.tsx';
import { activationTexts as texts } from '#web/features/activations/texts.ts';
import { FirstCallCard } from '#web/features/api-keys/first-call-card.tsx';
import { useApiKeys } from '#web/features/api-keys/use-api-keys.ts';
import { BillBanner } from '#web/features/cycles/bill-banner.tsx';
import { CycleStatus } from '#web/features/invoices/cycle-status.tsx';
import { openCycles, paidAtOnce } from '#web/features/cycles/open-cycles.ts';
import { PendingBanner } from '#web/features/cycles/pending-banner.tsx';
import { refusedText } from '#web/features/cycles/refused-text.ts';
import { useConsent } from '#web/features/cycles/use-consent.tsx';
import { PaymentNotice } from '#web/features/payments/payment-notice.tsx';
import { LastCalls, useAwaitsCalls } from '#web/features/request-log/last-calls.tsx';
import { withPacks } from '#web/features/payments/watch-cycle.ts';
import { usePayment } from '#web/features/payments/use-payment.ts';
import { CopyIcon } from '#web/ui/copy-button.tsx';
import { CardArrow, LinkCard } from '#web/ui/link-card.tsx';
import { moneyText } from '#web/ui/money-text.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { ProductMark } from '#web/ui/product-mark.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { useToday } from '#web/ui/today.ts';

/** The dashboard of one activation: its status and links (product §2.19). */
export function ActivationPage() {
  return <ActivationOfPath shape={<Shape />}>{(activation) => <Dashboard activation={activation} />}</ActivationOfPath>;
}

function Dashboard({ activation }: { activation: Activation }) {
  const { id, service } = activation;
  const today = useToday();
  const open = openCycles(activation.billingCycles, today);
  const may = useMay();
  const seesMoney = may('listHistory');
  const seesKeys = may('listApiKeys');
  const seesCalls = may('listRequests');
  const { tick, payment } = useConsent(id, paidAtOnce(open), usePayment());
  const refused = refusedText(activation.callsRefused, today);
  const waits = [useApiKeys(id).isPending, useAwaitsCalls(id)].includes(true);
  return (
    <>
      <PageHead
        title={service.name}
        mark={<ProductMark of={service} size={48} />}
        lead={
          <span className={classes.id}>
            <span className="mono">{id}</span>
            <CopyIcon value={id} />
            <StatusBadge status="ACTIVATED" isMuted={refused !== undefined} />
            {refused === undefined ? null : <span className={classes.refused}>{refused}</span>}
          </span>
        }
      />
      <PaymentNotice payment={payment} cycles={withPacks(activation.billingCycles)} />
      <PendingBanner activationId={id} open={open} payment={payment} tick={tick} />
      <BillBanner activationId={id} billed={open.billed} payment={payment} />
      <Glance activation={activation} />
      <div className={classes.columns} data-waits={waits}>
        <div className={classes.calls}>
          {seesCalls && (
            <FirstCallCard activation={activation}>
              <LastCalls activationId={id} waits={waits} isRefused={refused !== undefined} />
            </FirstCallCard>
          )}
        </div>
        <div className={classes.cards}>
          {seesMoney && <BillingCard activation={activation} />}
          {seesKeys && <DevelopersCard activationId={id} />}
          <Hub to={`/activations/${id}/support`} icon={<LifeBuoy size={18} aria-hidden="true" />} title={texts.support}>
            {service.supportClaim}
          </Hub>
        </div>
      </div>
    </>
  );
}

function BillingCard({ activation }: { activation: Activation }) {
  const { billed, payable, confirming } = openCycles(activation.billingCycles, useToday());
  const unpaid = billed[0] ?? payable ?? confirming;
  return (
    <Hub
      to={`/activations/${activation.id}/billing`}
      icon={<CreditCard size={18} aria-hidden="true" />}
      title={texts.billing}
    >
      {unpaid === undefined ? (
        texts.billingClear
      ) : (
        <>
          <CycleStatus cycle={unpaid} /> <span className="num">{moneyText(unpaid.bill?.owed ?? unpaid.price)}</span>
        </>
      )}
    </Hub>
  );
}

function DevelopersCard({ activationId }: { activationId: string }) {
  const keys = useCall(listApiKeys, { params: { activationId } }).data;
  return (
    <Hub
      to={`/activations/${activationId}/developers`}
      icon={<CodeXml size={18} aria-hidden="true" />}
      title={texts.developers}
    >
      {keys === undefined ? null : texts.keys(keys.filter(({ isRevoked }) => !isRevoked).length)}
    </Hub>
  );
}

/** `children`: the one fact that is worth knowing before going there. */
function Hub({ to, icon, title, children }: { to: string; icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <LinkCard to={to}>
      <div className={classes.hub}>
        {icon}
        <div>
          <h2>{title}</h2>
          <div className="soft">{children}</div>
        </div>
        <CardArrow />
      </div>
    </LinkCard>
  );
}

function Shape() {
  return (
    <>
      <Skeleton width={280} height={28} mt={8} />
      <Skeleton height={120} mt={32} radius="lg" />
      <Skeleton height={260} mt={40} radius="lg" />
    </>
  );
}
