import { Button, Skeleton } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { type Activation, listActivations } from '#shared/contract/activations.ts';
import type { CallReply } from '#shared/contract/call.ts';
import type { Cycle } from '#shared/contract/cycles.ts';
import type { Day } from '#shared/domain/day.ts';
import { useCall } from '#web/api/use-call.ts';
import { ActivationNotFound } from '#web/features/cycles/activation-not-found.tsx';
import { AddCycleDialog } from '#web/features/cycles/add-cycle-dialog.tsx';
import { EndCycleDialog } from '#web/features/cycles/end-cycle-dialog.tsx';
import { type OpenCycles, openCycles } from '#web/features/cycles/open-cycles.ts';
import { RechargeDialog } from '#web/features/cycles/recharge-dialog.tsx';
import { SubscriptionsContent } from '#web/features/cycles/subscriptions-content.tsx';
import classes from '#web/features/cycles/subscriptions-page.module.css';
import { SwitchPlanDialog } from '#web/features/cycles/switch-plan-dialog.tsx';
import { cycleTexts as texts } from '#web/features/cycles/texts.ts';
import { usePayment } from '#web/features/payments/use-payment.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { Loaded } from '#web/ui/states.tsx';
import { useToday } from '#web/ui/today.ts';

/** While a payment is being confirmed the page follows it. */
const confirmingEveryMs = 4_000;

/** Manage Subscriptions (product §2.20). */
export function SubscriptionsPage() {
  const { activationId = '' } = useParams();
  const activationOf = (reply: CallReply<typeof listActivations> | undefined) =>
    reply?.activations.find((each) => each.id === activationId);
  const activations = useCall(
    listActivations,
    {},
    { refetchIntervalMs: (reply) => (isConfirming(activationOf(reply)) ? confirmingEveryMs : undefined) },
  );
  const activation = activationOf(activations.data);
  if (activation !== undefined) return <Subscriptions activation={activation} />;
  return (
    <>
      <PageHead title={texts.title} />
      <Loaded
        of={activations}
        word={texts.loading}
        failed={texts.loadFailed}
        shape={
          <>
            <Skeleton h={168} radius="lg" />
            <Skeleton h={260} mt={40} radius="lg" />
          </>
        }
      >
        {() => <ActivationNotFound />}
      </Loaded>
    </>
  );
}

function isConfirming(activation: Activation | undefined): boolean {
  return activation?.billingCycles.some((cycle) => cycle.status === 'PENDING') ?? false;
}

/** The dialog of Add Subscription; 'Prepay next' sets the day and the plan. */
interface Adding {
  opened: boolean;
  startDay: Day | null;
  planId: string | null;
}

/** 'Prepay next' proposes the running plan (product §4.7), unless it is a trial, which is had once. */
function prepaidPlan({ running, upcoming }: OpenCycles): string | null {
  const cycle = running ?? upcoming.at(-1);
  return cycle === undefined || cycle.price === 0 ? null : cycle.planId;
}

function Subscriptions({ activation }: { activation: Activation }) {
  const today = useToday();
  const payment = usePayment();
  const [adding, setAdding] = useState<Adding>({ opened: false, startDay: null, planId: null });
  const [search, setSearch] = useSearchParams();
  // A warning's “Renew or upgrade” and “Recharge” lead here (product §4.21, §4.23).
  const isSwitching = search.has('switch');
  const isRecharging = search.has('recharge');
  const setRecharging = (opened: boolean) =>
    setSearch(opened ? { recharge: '' } : {}, { replace: true, preventScrollReset: true });
  const setSwitching = (opened: boolean) =>
    setSearch(opened ? { switch: '' } : {}, { replace: true, preventScrollReset: true });
  const [ending, setEnding] = useState<{ opened: boolean; cycle: Cycle | null }>({ opened: false, cycle: null });
  const open = openCycles(activation.billingCycles, today);
  const add = () => setAdding({ opened: true, startDay: null, planId: null });
  return (
    <>
      <PageHead
        title={texts.title}
        lead={
          <>
            {activation.service.name} <span className={`${classes.id} mono dim`}>{activation.id}</span>
          </>
        }
        actions={
          open.canAdd && (
            <Button
              variant={open.payable === undefined ? 'filled' : 'default'}
              leftSection={<Plus size={17} aria-hidden />}
              onClick={add}
            >
              {texts.add}
            </Button>
          )
        }
      />
      <SubscriptionsContent
        activationId={activation.id}
        cycles={activation.billingCycles}
        open={open}
        today={today}
        payment={payment}
        onPrepay={() => setAdding({ opened: true, startDay: open.prepayFrom, planId: prepaidPlan(open) })}
        onSwitch={() => setSwitching(true)}
        onRecharge={() => setRecharging(true)}
        onEnd={(cycle) => setEnding({ opened: true, cycle })}
      />
      <AddCycleDialog
        {...adding}
        activation={activation}
        taken={open.taken}
        today={today}
        onClose={() => setAdding((shown) => ({ ...shown, opened: false }))}
      />
      {open.running !== undefined && (
        <SwitchPlanDialog
          opened={isSwitching}
          activation={activation}
          running={open.running}
          today={today}
          payment={payment}
          onClose={() => setSwitching(false)}
        />
      )}
      {open.running !== undefined && open.running.packOffers.length > 0 && (
        <RechargeDialog
          opened={isRecharging}
          activation={activation}
          running={open.running}
          payment={payment}
          onClose={() => setRecharging(false)}
        />
      )}
      <EndCycleDialog
        {...ending}
        // In the language of the page, also where that changes meanwhile.
        cycle={activation.billingCycles.find(({ id }) => id === ending.cycle?.id) ?? ending.cycle}
        activationId={activation.id}
        next={open.upcoming.find((cycle) => cycle.status === 'PAID' || cycle.status === 'NO_PAYMENT_REQUIRED')}
        today={today}
        onClose={() => setEnding((shown) => ({ ...shown, opened: false }))}
      />
    </>
  );
}
