import { Button, Card, Title } from '@mantine/core';
import type { Cycle } from '#shared/contract/cycles.ts';
import { type Day, daysBetween } from '#shared/domain/day.ts';
import { isPayable } from '#shared/domain/cycle.ts';
import { CycleStatus } from '#web/features/invoices/cycle-status.tsx';
import type { OpenCycles } from '#web/features/cycles/open-cycles.ts';
import { useMay } from '#web/roles/use-role.ts';
import { daysOf } from '#web/ui/cycle-days.ts';
import { quotaText } from '#web/features/cycles/plan-text.ts';
import { cycleTexts as texts } from '#web/features/cycles/texts.ts';
import classes from '#web/features/cycles/upcoming-cycles.module.css';
import { PayButton } from '#web/features/payments/pay-button.tsx';
import type { Payment } from '#web/features/payments/use-payment.ts';
import { dayOfInstant, dayText } from '#web/ui/localized-days.ts';
import { Money } from '#web/ui/money.tsx';
import { moneyText } from '#web/ui/money-text.ts';
import { GrantNote } from '#web/ui/grant-note.tsx';

interface RowProps {
  open: OpenCycles;
  today: Day;
  payment: Payment;
  /** Asks for the removal of an unpaid cycle, or the cancelling of a paid one that has not started. */
  onEnd: (cycle: Cycle) => void;
}

/** The cycles that follow, or wait for their payment, as a timeline. */
export function UpcomingCycles({ cycles, open, today, payment, onEnd }: { cycles: readonly Cycle[] } & RowProps) {
  return (
    <ol className={classes.list}>
      {cycles.map((cycle) => (
        <li key={cycle.id} className={classes.item} data-unpaid={isGranted(cycle) ? undefined : true}>
          <div className={classes.row}>
            <div>
              <CycleTitle cycle={cycle} days={daysOf(cycle, today, open.taken)} />
              <div className="caption dim">{noteOf(cycle)}</div>
            </div>
            <Money rupees={cycle.price} price fw={550} />
          </div>
          <div className={classes.actions}>
            <CycleActions cycle={cycle} payment={payment} onEnd={onEnd} />
          </div>
        </li>
      ))}
    </ol>
  );
}

/** The only cycle, when it is not running: a card instead of a timeline. */
export function SingleCycle({ cycle, open, today, payment, onEnd }: { cycle: Cycle } & RowProps) {
  return (
    <Card className={classes.card} p={{ base: 'md', sm: 'lg' }}>
      <div className={classes.row}>
        <div>
          <CycleTitle cycle={cycle} days={daysOf(cycle, today, open.taken)} />
          <div className="caption dim num">{quotaText(cycle, daysBetween(cycle.fromDate, cycle.toDate))}</div>
          {(cycle.status !== 'PAYMENT_PENDING' || cycle.changed !== null) && (
            <div className="caption dim">{noteOf(cycle)}</div>
          )}
        </div>
        <div className={classes.end}>
          <b>
            <Money rupees={cycle.price} price />
          </b>
          <div className={classes.actions}>
            <CycleActions cycle={cycle} payment={payment} onEnd={onEnd} />
          </div>
        </div>
      </div>
    </Card>
  );
}

function CycleTitle({ cycle, days }: { cycle: Cycle; days: string }) {
  return (
    <>
      <Title order={3} className={classes.title}>
        {cycle.planName} <CycleStatus cycle={cycle} />
      </Title>
      <div className={`${classes.dates} soft num`}>{days}</div>
      <GrantNote granted={cycle.granted} />
    </>
  );
}

function CycleActions({ cycle, payment, onEnd }: { cycle: Cycle } & Pick<RowProps, 'payment' | 'onEnd'>) {
  const may = useMay();
  const mayEnd = may('endCycle');
  if (cycle.status === 'PENDING') return null;
  return (
    <>
      {isPayable(cycle) && (
        <PayButton payment={payment} purchase={{ cycleId: cycle.id }} rupees={cycle.price} variant="light" />
      )}
      {mayEnd && (
        <Button
          variant="subtle"
          color="gray"
          size="sm"
          ml={isPayable(cycle) ? 0 : -12}
          disabled={payment.current?.purchase.cycleId === cycle.id}
          onClick={() => onEnd(cycle)}
        >
          {isGranted(cycle) ? texts.cancel : texts.remove}
        </Button>
      )}
    </>
  );
}

function isGranted(cycle: Cycle): boolean {
  return cycle.status === 'PAID' || cycle.status === 'NO_PAYMENT_REQUIRED';
}

function changedText({ price }: NonNullable<Cycle['changed']>): string {
  return price === null ? texts.withdrawn : texts.changed(moneyText(price));
}

function noteOf(cycle: Cycle): string {
  if (cycle.status === 'PENDING') return texts.confirming;
  if (cycle.changed !== null) return changedText(cycle.changed);
  if (cycle.replaces !== null && isPayable(cycle)) return texts.replaces;
  if (cycle.status === 'DUE') return texts.due;
  if (cycle.status === 'PAYMENT_PENDING') return texts.notActive;
  const paidAt = cycle.payments.find((payment) => payment.status === 'captured')?.paymentCreatedAt;
  return paidAt === undefined ? texts.activates : texts.prepaidOn(dayText(dayOfInstant(paidAt)));
}
