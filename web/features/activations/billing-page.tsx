import { Button, Skeleton, Tabs } from '@mantine/core';
import { ReceiptText } from 'lucide-react';
import { Link } from 'react-router';
import { listActivations } from '#shared/contract/activations.ts';
import { listAllHistory } from '#shared/contract/invoices.ts';
import { useCall } from '#web/api/use-call.ts';
import { AccountantPanel } from '#web/features/accountants/accountant-panel.tsx';
import { BillsPanel } from '#web/features/credit/bills-panel.tsx';
import { BillingFacts } from '#web/features/activations/billing-facts.tsx';
import { BillingList } from '#web/features/activations/billing-list.tsx';
import { billingTexts as texts } from '#web/features/activations/texts.ts';
import { DocumentsPanel } from '#web/features/documents/documents-panel.tsx';
import { type Payment, usePayment } from '#web/features/payments/use-payment.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { EmptyState, Loaded, StateCard } from '#web/ui/states.tsx';
import tabClasses from '#web/ui/tabs.module.css';
import { useSearchWords } from '#web/ui/use-search-words.ts';

const views = ['payments', 'documents'] as const;

/** All payments and documents of the customer (product §2.21); the URL selects which of them. */
export function BillingPage() {
  const [search, change] = useSearchWords();
  const view = search.get('view') === 'documents' ? 'documents' : 'payments';
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <Tabs
        value={view}
        // Search terms of one tab don't apply to the other.
        onChange={(next) =>
          change({ view: next === 'documents' ? next : '', q: '', kind: '', year: '', month: '', show: '' })
        }
        keepMounted={false}
        classNames={{ list: tabClasses.list ?? '', tab: tabClasses.tab ?? '' }}
      >
        <Tabs.List aria-label={texts.views}>
          {views.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {texts.view[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="payments">
          <Payments />
        </Tabs.Panel>
        <Tabs.Panel value="documents">
          <DocumentsPanel>
            <AccountantPanel />
          </DocumentsPanel>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Payments() {
  const payment = usePayment();
  return (
    <>
      <History payment={payment} />
      <BillsPanel payment={payment} />
    </>
  );
}

function History({ payment }: { payment: Payment }) {
  const history = useCall(listAllHistory, {});
  const activations = useCall(listActivations, {});
  const loading = { word: texts.loading, failed: texts.failed, shape: <Shape /> };
  return (
    <Loaded of={history} {...loading}>
      {({ entries }) =>
        entries.length === 0 ? (
          <NoHistory />
        ) : (
          <Loaded of={activations} {...loading}>
            {({ activations: live }) => (
              <>
                <BillingFacts activations={live} rows={entries} />
                <BillingList rows={entries} payment={payment} />
              </>
            )}
          </Loaded>
        )
      }
    </Loaded>
  );
}

function NoHistory() {
  return (
    <StateCard>
      <EmptyState
        icon={<ReceiptText size={20} />}
        title={texts.empty}
        action={
          <Button component={Link} to="/marketplace" variant="default">
            {texts.openMarketplace}
          </Button>
        }
      >
        {texts.emptyMore}
      </EmptyState>
    </StateCard>
  );
}

function Shape() {
  return (
    <>
      <Skeleton width="60%" height={52} />
      <Skeleton height={360} mt={32} radius="lg" />
    </>
  );
}
