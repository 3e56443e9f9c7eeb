import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Cycle } from '#shared/contract/cycles.ts';
import { type OpenCycles, purchaseOf, rupeesOf } from '#web/features/cycles/open-cycles.ts';
import classes from '#web/features/cycles/pay-menu.module.css';
import type { Purchase } from '#web/features/payments/purchase.ts';
import { paymentTexts } from '#web/features/payments/texts.ts';
import { daysOf } from '#web/ui/cycle-days.ts';
import { moneyText } from '#web/ui/money-text.ts';
import { useToday } from '#web/ui/today.ts';

interface PayMenuProps {
  activationId: string;
  open: OpenCycles;
  payable: readonly Cycle[];
  opener: ReactNode;
  /** From the start. */
  isOpened: boolean;
  onPay: (purchase: Purchase) => void;
}

/** All unpaid subscriptions in one payment, or one of them; each with what it charges. */
export function PayMenu({ activationId, open, payable, opener, isOpened, onPay }: PayMenuProps) {
  const today = useToday();
  const together = open.payableTogether;
  return (
    <Menu position="bottom-end" withinPortal defaultOpened={isOpened}>
      <Menu.Target>{opener}</Menu.Target>
      <Menu.Dropdown>
        {together.length > 0 && (
          <>
            <Menu.Item className="num" onClick={() => onPay(purchaseOf(activationId, together))}>
              <b>{paymentTexts.payAll(moneyText(rupeesOf(together)), together.length)}</b>
            </Menu.Item>
            <Menu.Divider />
          </>
        )}
        {payable.map((cycle) => (
          <Menu.Item key={cycle.id} className="num" onClick={() => onPay({ cycleId: cycle.id })}>
            {paymentTexts.pay(moneyText(cycle.price))}
            <span className={`${classes.of} caption dim`}>
              {cycle.planName} · {daysOf(cycle, today, open.taken)}
            </span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
