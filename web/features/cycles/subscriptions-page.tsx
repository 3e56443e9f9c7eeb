import { Button, Skeleton } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { type Activation, listActivations } from '#shared/contract/activations.ts';
import type { CallReply } from '#shared/contract/call.ts';
import type { Cycle } from '#shared/contract/cycles.ts';
import { useMay } from '#web/roles/use-role.ts';
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

/** 'Prepay next' proposes the running plan (product §4.7), unless it is a trial, which is had once. */
function prepaidPlan({ running, upcoming }: OpenCycles): string {
  const cycle = running ?? upcoming.at(-1);
  return cycle === undefined || cycle.price === 0 ? '' : cycle.planId;
}

function Subscriptions({ activation }: { activation: Activation }) {
  const may = useMay();
  const mayAdd = may('addCycle');
  const today = useToday();
  const payment = usePayment();
  const [search, setSearch] = useSearchParams();
  // A warning's “Renew or upgrade” and “Recharge” lead here (product §4.21, §4.23), and “Prepay” of a product's page.
  const show = (dialog: Record<string, string>) => setSearch(dialog, { replace: true, preventScrollReset: true });
  const close = () => show({});
  const [ending, setEnding] = useState<{ opened: boolean; cycle: Cycle | null }>({ opened: false, cycle: null });
  const open = openCycles(activation.billingCycles, today);
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
          mayAdd &&
          open.canAdd && (
            <Button
              variant={open.payable === undefined ? 'filled' : 'default'}
              leftSection={<Plus size={17} aria-hidden />}
              onClick={() => show({ add: '' })}
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
        onPrepay={() => show({ add: prepaidPlan(open) })}
        onSwitch={() => show({ switch: '' })}
        onRecharge={() => show({ recharge: '' })}
        onEnd={(cycle) => setEnding({ opened: true, cycle })}
      />
      <AddCycleDialog
        opened={search.has('add')}
        planId={search.get('add') ?? ''}
        activation={activation}
        nextDay={open.prepayFrom}
        taken={open.taken}
        today={today}
        onClose={close}
      />
      {open.running !== undefined && (
        <SwitchPlanDialog
          opened={search.has('switch')}
          activation={activation}
          running={open.running}
          today={today}
          payment={payment}
          onClose={close}
        />
      )}
      {open.running !== undefined && open.running.packOffers.length > 0 && (
        <RechargeDialog
          opened={search.has('recharge')}
          activation={activation}
          running={open.running}
          payment={payment}
          onClose={close}
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
