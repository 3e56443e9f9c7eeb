import { Button, Card, Progress } from '@mantine/core';
import { ArrowLeftRight, BatteryCharging, CalendarPlus, Check } from 'lucide-react';
import type { Cycle } from '#shared/contract/cycles.ts';
import { daysLeft } from '#shared/domain/cycle.ts';
import { type Day, daysBetween } from '#shared/domain/day.ts';
import { CycleStatus } from '#web/features/invoices/cycle-status.tsx';
import { operationLines, packLines } from '#web/features/cycles/plan-text.ts';
import { useMay } from '#web/roles/use-role.ts';
import classes from '#web/features/cycles/active-plan-card.module.css';
import { daysText } from '#web/ui/cycle-days.ts';
import { cycleTexts as texts, rechargeTexts } from '#web/features/cycles/texts.ts';
import { InvoiceButton } from '#web/features/invoices/invoice-button.tsx';
import { useInvoiceDownload } from '#web/features/invoices/use-invoice-download.ts';
import { periodText } from '#web/ui/localized-days.ts';
import { GrantNote } from '#web/ui/grant-note.tsx';
import { Money } from '#web/ui/money.tsx';

interface ActivePlanCardProps {
  cycle: Cycle;
  today: Day;
  onPrepay: () => void;
  onSwitch: () => void;
  onRecharge: () => void;
  onDeactivate: () => void;
}

/** The running cycle: what it includes, how long it lasts, and its actions. */
export function ActivePlanCard({ cycle, today, onPrepay, onSwitch, onRecharge, onDeactivate }: ActivePlanCardProps) {
  const invoices = useInvoiceDownload();
  const may = useMay();
  const mayAdd = may('addCycle');
  const mayBuyPack = may('buyPack');
  const maySwitch = may('switchPlan');
  const mayEnd = may('endCycle');
  const length = daysBetween(cycle.fromDate, cycle.toDate);
  const left = daysLeft(cycle, today);
  return (
    <Card padding={0}>
      <Card.Section p={{ base: 'md', sm: 'lg' }} m={0}>
        <div className={classes.top}>
          <span className={classes.name}>
            <b>{cycle.planName}</b>
            <CycleStatus cycle={cycle} />
          </span>
          <span className={`${classes.price} num`}>
            <b>
              <Money rupees={cycle.price} price />
            </b>{' '}
            <span className="dim">{texts.forDays(daysText(length))}</span>
          </span>
        </div>
        <div className={`${classes.dates} caption num`}>
          <span className="soft">{periodText(cycle)}</span>
          <span className="strong">{texts.daysLeft(left)}</span>
        </div>
        <GrantNote granted={cycle.granted} />
        <Progress.Root size={4}>
          <Progress.Section
            value={((length - left) * 100) / length}
            color="var(--p-meter)"
            aria-label={texts.daysUsed}
            aria-valuetext={daysText(length - left)}
          />
        </Progress.Root>
        <ul className={`${classes.benefits} num`}>
          {cycle.benefits.map((benefit) => (
            <li key={benefit.key}>
              <Check size={16} strokeWidth={2} aria-hidden />
              {benefit.display}
            </li>
          ))}
          {[...operationLines(cycle), ...packLines(cycle)].map((line) => (
            <li key={line}>
              <Check size={16} strokeWidth={2} aria-hidden />
              {line}
            </li>
          ))}
        </ul>
      </Card.Section>
      <div className={classes.foot}>
        {cycle.invoiceId !== null && <InvoiceButton cycleId={cycle.id} number={cycle.invoiceId} invoices={invoices} />}
        {mayAdd && (
          <Button variant="default" size="sm" leftSection={<CalendarPlus size={16} aria-hidden />} onClick={onPrepay}>
            {texts.prepayNext}
          </Button>
        )}
        {mayBuyPack && cycle.packOffers.length > 0 && (
          <Button
            variant="default"
            size="sm"
            leftSection={<BatteryCharging size={16} aria-hidden />}
            onClick={onRecharge}
          >
            {rechargeTexts.title}
          </Button>
        )}
        {maySwitch && (
          <Button variant="default" size="sm" leftSection={<ArrowLeftRight size={16} aria-hidden />} onClick={onSwitch}>
            {texts.switchPlan}
          </Button>
        )}
        {mayEnd && (
          <Button variant="subtle" color="red" size="sm" onClick={onDeactivate}>
            {texts.deactivate}
          </Button>
        )}
      </div>
    </Card>
  );
}
