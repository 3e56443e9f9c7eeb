import { Card, Title } from '@mantine/core';
import { ArrowRight, CalendarDays } from 'lucide-react';
import { Link } from 'react-router';
import type { Cycle } from '#shared/contract/cycles.ts';
import { readRenewal } from '#shared/contract/renewals.ts';
import type { Day } from '#shared/domain/day.ts';
import { useCall } from '#web/api/use-call.ts';
import { ActivePlanCard } from '#web/features/cycles/active-plan-card.tsx';
import { BillBanner } from '#web/features/cycles/bill-banner.tsx';
import { isPrepaid, type OpenCycles, paidAtOnce } from '#web/features/cycles/open-cycles.ts';
import { PendingBanner } from '#web/features/cycles/pending-banner.tsx';
import { PrepayTip } from '#web/features/cycles/prepay-tip.tsx';
import classes from '#web/features/cycles/subscriptions-page.module.css';
import { useConsent } from '#web/features/cycles/use-consent.tsx';
import { cycleTexts as texts } from '#web/features/cycles/texts.ts';
import { SingleCycle, UpcomingCycles } from '#web/features/cycles/upcoming-cycles.tsx';
import { PaymentNotice } from '#web/features/payments/payment-notice.tsx';
import { withPacks } from '#web/features/payments/watch-cycle.ts';
import type { Payment } from '#web/features/payments/use-payment.ts';
import { RenewalCard } from '#web/features/renewals/renewal-card.tsx';
import { renewalTexts } from '#web/features/renewals/texts.ts';
import { CoverageTrack } from '#web/ui/coverage-track.tsx';
import { endText } from '#web/ui/localized-days.ts';
import { EmptyState, StateCard } from '#web/ui/states.tsx';

interface SubscriptionsContentProps {
  activationId: string;
  /** All of the activation. */
  cycles: readonly Cycle[];
  open: OpenCycles;
  today: Day;
  payment: Payment;
  onPrepay: () => void;
  onSwitch: () => void;
  onRecharge: () => void;
  onEnd: (cycle: Cycle) => void;
}

/** The banner, the coverage, the Active Plan and the cycles after it. */
export function SubscriptionsContent(props: SubscriptionsContentProps) {
  const { activationId, open, onPrepay, onEnd } = props;
  const { tick, payment } = useConsent(activationId, paidAtOnce(open), props.payment);
  const [only] = open.upcoming;
  return (
    <>
      <PaymentNotice payment={payment} cycles={withPacks(props.cycles)} />
      <PendingBanner activationId={activationId} open={open} payment={payment} tick={tick} />
      <BillBanner activationId={activationId} billed={open.billed} payment={payment} />
      {open.count === 0 && <NoPlans />}
      {(open.running !== undefined || open.count > 1) && <Coverage {...props} />}
      {open.running === undefined && open.count === 1 && only !== undefined && (
        <section>
          <div className={classes.sectionHead}>
            <Title order={2}>{texts.subscription}</Title>
          </div>
          <SingleCycle cycle={only} open={open} today={props.today} payment={payment} onEnd={onEnd} />
        </section>
      )}
      {(open.running !== undefined || open.count > 1) && <Plans {...props} payment={payment} />}
      {/* Read anew once a plan was paid, added or ended. */}
      <RenewalCard key={props.cycles.map(({ id, status }) => `${id} ${status}`).join()} activationId={activationId} />
      {open.count === 1 && <PrepayTip onPrepay={onPrepay} />}
      <p className={classes.history}>
        <Link className="link caption" to={`/api/${props.activationId}?tab=billing`}>
          {texts.history} <ArrowRight size={15} aria-hidden />
        </Link>
      </p>
    </>
  );
}

function Coverage({ open, today }: SubscriptionsContentProps) {
  const isPaid = open.running?.status === 'PAID' && open.taken.every(isPrepaid);
  const until = isPaid ? texts.paidUntil : texts.coveredUntil;
  return (
    <Card padding={0} className={classes.coverage}>
      <div className={classes.sectionHead}>
        <Title order={2}>{texts.coverage}</Title>
        {open.coveredUntil !== undefined && (
          <span className="caption soft num">
            {until} <b className="strong">{endText(open.coveredUntil, today)}</b>
          </span>
        )}
      </div>
      <CoverageTrack segments={open.segments} today={today} />
    </Card>
  );
}

function Plans({
  activationId,
  open,
  today,
  payment,
  onPrepay,
  onSwitch,
  onRecharge,
  onEnd,
}: SubscriptionsContentProps) {
  const { running } = open;
  return (
    <div className={classes.columns}>
      {running !== undefined && (
        <section>
          <div className={classes.sectionHead}>
            <Title order={2}>{texts.activePlan}</Title>
          </div>
          <ActivePlanCard
            cycle={running}
            today={today}
            onPrepay={onPrepay}
            onSwitch={onSwitch}
            onRecharge={onRecharge}
            onDeactivate={() => onEnd(running)}
          />
        </section>
      )}
      <section>
        <div className={classes.sectionHead}>
          <Title order={2}>{texts.upcoming}</Title>
          {open.upcoming.length > 0 && <span className="caption dim">{texts.upcomingMore}</span>}
        </div>
        {open.upcoming.length > 0 ? (
          <UpcomingCycles cycles={open.upcoming} open={open} today={today} payment={payment} onEnd={onEnd} />
        ) : (
          <NoUpcoming activationId={activationId} />
        )}
      </section>
    </div>
  );
}

/** Nothing follows yet, unless the plan renews by itself. */
function NoUpcoming({ activationId }: { activationId: string }) {
  const renewal = useCall(readRenewal, { params: { activationId } }).data;
  const isRenewing = renewal?.next != null && renewal.whyNot === null;
  return <p className="soft">{isRenewing ? renewalTexts.follows : texts.noUpcoming}</p>;
}

function NoPlans() {
  return (
    <StateCard>
      <EmptyState icon={<CalendarDays size={20} />} title={texts.emptyTitle}>
        {texts.emptyMore}
      </EmptyState>
    </StateCard>
  );
}
