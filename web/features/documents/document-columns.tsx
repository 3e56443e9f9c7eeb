import type { Document } from '#shared/contract/documents.ts';
import type { Day } from '#shared/domain/day.ts';
import { DocumentButton } from '#web/features/documents/document-button.tsx';
import { gstOf } from '#web/features/documents/document-filter.ts';
import { DocumentMenu } from '#web/features/documents/document-menu.tsx';
import classes from '#web/features/documents/documents.module.css';
import { documentTexts as texts } from '#web/features/documents/texts.ts';
import type { DocumentDownloads } from '#web/features/documents/use-document-download.ts';
import { DayCell } from '#web/ui/data-table-day.tsx';
import type { DataColumn } from '#web/ui/data-table.tsx';
import { dayText, periodText } from '#web/ui/localized-days.ts';
import { moneyText } from '#web/ui/money-text.ts';
import { Money } from '#web/ui/money.tsx';

/** The columns of the table of documents. */
export function documentColumns(
  today: Day,
  downloads: DocumentDownloads,
  onCorrect: (document: Document) => void,
): DataColumn<Document>[] {
  return [
    { key: 'date', header: texts.date, stack: 'bottom', cell: ({ date }) => <DayCell day={date} today={today} /> },
    {
      key: 'document',
      header: texts.document,
      stack: 'top-left',
      cell: ({ kind, exempt, refersTo, cancelled, refused, revisedOn }) => (
        <>
          <span className="strong">{exempt && kind === 'INVOICE' ? texts.billOfSupply : texts.kinds[kind]}</span>
          {refersTo !== null && <span className={`${classes.sub} num`}>{texts.refersTo(refersTo)}</span>}
          {revisedOn !== null && <span className={`${classes.sub} num`}>{texts.revised(dayText(revisedOn))}</span>}
          {cancelled && <span className={classes.sub}>{texts.cancelled}</span>}
          {refused !== null && <span className={classes.sub}>{texts.refused(refused)}</span>}
        </>
      ),
    },
    {
      key: 'subject',
      header: texts.subject,
      stack: 'bottom-2',
      cell: ({ desc, fromDate, toDate, activationId }) => (
        <>
          {desc}
          <span className={`${classes.sub} num`}>
            {periodText({ fromDate, toDate })} <span className={`${classes.id} mono`}>{activationId}</span>
          </span>
        </>
      ),
    },
    {
      key: 'total',
      header: texts.total,
      align: 'right',
      stack: 'top-right',
      cell: (document) => (
        <>
          <Money rupees={document.total} />
          <span className={`${classes.sub} num`}>
            {texts.gst} {moneyText(gstOf(document))}
          </span>
        </>
      ),
    },
    {
      key: 'file',
      header: texts.file,
      align: 'right',
      stack: 'foot',
      cell: (document) => (
        <span className={classes.actions}>
          <DocumentButton document={document} downloads={downloads} />
          <DocumentMenu document={document} downloads={downloads} onCorrect={onCorrect} />
        </span>
      ),
    },
  ];
}
