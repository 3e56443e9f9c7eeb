import { Skeleton } from '@mantine/core';
import { FileText, SearchX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type Document, listDocuments } from '#shared/contract/documents.ts';
import { useCall } from '#web/api/use-call.ts';
import { CorrectInvoiceDialog } from '#web/features/documents/correct-invoice-dialog.tsx';
import { documentSums, filterDocuments, readDocumentFilter } from '#web/features/documents/document-filter.ts';
import { documentColumns } from '#web/features/documents/document-columns.tsx';
import { DocumentTools } from '#web/features/documents/document-tools.tsx';
import { documentTexts as texts } from '#web/features/documents/texts.ts';
import { useDocumentDownload } from '#web/features/documents/use-document-download.ts';
import { DataTable } from '#web/ui/data-table.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { moneyText } from '#web/ui/money-text.ts';
import { EmptyState, Loaded, StateCard } from '#web/ui/states.tsx';
import { useToday } from '#web/ui/today.ts';
import { useSearchWords } from '#web/ui/use-search-words.ts';

/** Every invoice, voucher and credit note of the customer, those of deleted activations too. `children`: below them, if there are any. */
export function DocumentsPanel({ children }: { children?: ReactNode }) {
  const documents = useCall(listDocuments, {});
  return (
    <Loaded
      of={documents}
      word={texts.loading}
      failed={texts.failed}
      shape={
        <>
          <Skeleton width="60%" height={52} />
          <Skeleton height={320} mt={28} radius="lg" />
        </>
      }
    >
      {({ documents: all }) =>
        all.length === 0 ? (
          <StateCard>
            <EmptyState icon={<FileText size={20} />} title={texts.empty}>
              {texts.emptyMore}
            </EmptyState>
          </StateCard>
        ) : (
          <>
            <Documents all={all} />
            {children}
          </>
        )
      }
    </Loaded>
  );
}

function Documents({ all }: { all: readonly Document[] }) {
  const [search, change] = useSearchWords();
  const [correcting, setCorrecting] = useState<Document | null>(null);
  const today = useToday();
  const downloads = useDocumentDownload();
  const filter = readDocumentFilter(search);
  const shown = filterDocuments(all, filter);
  const { invoiced, credited, gst } = documentSums(shown);
  return (
    <>
      <Facts
        look="figures"
        facts={[
          { key: 'invoiced', label: texts.invoiced, value: moneyText(invoiced) },
          { key: 'credited', label: texts.credited, value: moneyText(credited) },
          { key: 'gst', label: texts.gst, value: moneyText(gst), more: texts.gstMore },
        ]}
      />
      <DocumentTools all={all} filter={filter} today={today} onChange={change} />
      {shown.length === 0 ? (
        <StateCard>
          <EmptyState icon={<SearchX size={20} />} title={texts.noneFound}>
            {texts.noneFoundMore}
          </EmptyState>
        </StateCard>
      ) : (
        <DataTable
          label={texts.title}
          columns={documentColumns(today, downloads, setCorrecting)}
          rows={shown}
          rowKey={({ id }) => id}
          isOff={({ cancelled }) => cancelled}
        />
      )}
      <CorrectInvoiceDialog invoice={correcting} onClose={() => setCorrecting(null)} />
    </>
  );
}
