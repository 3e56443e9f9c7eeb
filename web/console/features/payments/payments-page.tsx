import { NativeSelect, SegmentedControl } from '@mantine/core';
import { paymentStatuses } from '#shared/domain/payment.ts';
import { PaymentTable } from '#web/console/features/payments/payment-table.tsx';
import { wordOf } from '#web/console/ui/labels.ts';
import { MoneyTabs } from '#web/console/ui/money-tabs.tsx';
import { monthsUntil } from '#web/console/ui/months.ts';
import { Page } from '#web/console/ui/page.tsx';
import { useFilter } from '#web/console/ui/use-filter.ts';
import { monthText } from '#web/ui/localized-days.ts';
import { useToday } from '#web/ui/today.ts';

const any = 'ALL';

/** The payments of all customers. */
export function PaymentsPage() {
  const months = monthsUntil(useToday()).toSorted().toReversed();
  const [status, choose] = useFilter('status', [any, ...paymentStatuses]);
  const [month, chooseMonth] = useFilter('month', [any, ...months]);
  const input = { ...(status !== any && { status }), ...(month !== any && { month }) };
  return (
    <Page title="Money">
      <MoneyTabs />
      <PaymentTable
        input={input}
        empty={status === any && month === any ? 'Nothing was paid yet.' : 'No payment is like this.'}
        filters={
          <>
            <SegmentedControl
              aria-label="State"
              size="xs"
              value={status}
              onChange={choose}
              data={[any, ...paymentStatuses].map((value) => ({ value, label: wordOf(value.toUpperCase()) }))}
            />
            <NativeSelect
              aria-label="Month"
              size="xs"
              data={[
                { value: any, label: 'All months' },
                ...months.map((value) => ({ value, label: monthText(value) })),
              ]}
              value={month}
              onChange={({ currentTarget }) => chooseMonth(currentTarget.value)}
            />
          </>
        }
      />
    </Page>
  );
}
